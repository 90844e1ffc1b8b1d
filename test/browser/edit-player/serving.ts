/** A page with the player alone, built like the service's page and served under its policy. */
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { captionFontPath } from '../../../src/render/captions/caption-fonts.ts';
import type { CaptionFace } from '../../../src/style/model/caption-face.ts';
import { temporaryFolder } from '../../support/clips.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.ttf': 'font/ttf',
  '.mp4': 'video/mp4',
  '.jpg': 'image/jpeg',
};
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
].join('; ');

export interface PlayerPage extends AsyncDisposable {
  /** As `http://127.0.0.1:PORT/`. */
  readonly url: string;
}

/** `media`: files by their names in addresses `media/NAME`. */
export async function servePlayer(media: Readonly<Record<string, string>>): Promise<PlayerPage> {
  const outDir = temporaryFolder();
  await build({
    configFile: false,
    logLevel: 'warn',
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: './',
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: false,
      assetsInlineLimit: 0,
      target: 'es2023',
      minify: false,
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  const server = createServer(({ url, headers }, answer) => {
    const path = decodeURIComponent(url!).slice(1) || 'index.html';
    const file = path.startsWith('media/')
      ? media[path.slice('media/'.length)]
      : path.startsWith('fonts/')
        ? captionFontPath(basename(path, '.ttf') as CaptionFace)
        : join(outDir, path);
    if (file == null || statSync(file, { throwIfNoEntry: false }) === undefined)
      return void answer.writeHead(404).end();
    send(answer, file, headers.range);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(answer: ServerResponse, file: string, range: string | undefined): void {
  const bytes = readFileSync(file);
  const headers = {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-security-policy': POLICY,
    'accept-ranges': 'bytes',
  };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === undefined)
    return void answer.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes);
  const end = Math.min(bytes.length, to === '' || to === undefined ? bytes.length : Number(to) + 1);
  const part = bytes.subarray(Number(from), end);
  const contentRange = `bytes ${from}-${end - 1}/${bytes.length}`;
  answer
    .writeHead(206, { ...headers, 'content-length': part.length, 'content-range': contentRange })
    .end(part);
}
