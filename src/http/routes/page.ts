import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_FOLDER } from '../../package/package-files.ts';
import { CAPTION_FACES, captionFontPath } from '../../render/captions/caption-fonts.ts';
import type { Config } from '../../settings/config.ts';

/** Paths of the page's views, which can be shared. */
const PLACES = ['/', '/library', '/jobs/:job_id'];
/** Prefixes without pages: a wrong address below them is answered in the error format. */
const OF_PROGRAMS = /^\/(?:api|assets|fonts)(?:[/?]|$)/;
/** Extensions that the build gives to compressed files, the best encoding first. */
const COMPRESSED: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz' };
/** Element of `web/index.html` to replace. */
const BASE = '<base href="./">';

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>StyleDNA</title>
<link rel="icon" href="data:,">
<p>The service runs, but its web page is not built. In a clone <code>npm run build:page</code> builds it; then start the
service again. The API is at <a href="api/v1/openapi.json">api/v1/openapi.json</a>.</p></html>`;

/** The web page that was built into the package: one document, which finds by its address what to show. */
export class WebPage {
  readonly #html: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly isBuilt = existsSync(join(PAGE_FOLDER, 'index.html'));

  constructor(config: Config) {
    this.#html = this.isBuilt ? readFileSync(join(PAGE_FOLDER, 'index.html'), 'utf8') : NOT_BUILT;
    this.#headers = pageHeaders(config);
  }

  /** Whether a person looks for something where nothing is: browsers name HTML when they open an address, and programs do not. */
  isLookedFor({ method, url, headers }: FastifyRequest): boolean {
    const isSeen = (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '');
    return this.isBuilt && isSeen && !OF_PROGRAMS.test(url);
  }

  /**
   * The page's addresses are relative to its base. The base is the relative path from the requested address
   * to the root of the service. It is right under any path of a proxy and needs no setting.
   */
  send(request: FastifyRequest, reply: FastifyReply, status = 200): FastifyReply {
    const depth = request.url.split('?', 1)[0].split('/').length - 2;
    const base = depth === 0 ? './' : '../'.repeat(depth);
    return reply
      .code(status)
      .headers(this.#headers)
      .type('text/html; charset=utf-8')
      .send(this.#html.replace(BASE, `<base href="${base}">`));
  }
}

/** Serves the page at its places, and its files under names that hold their hash. */
export function addPage(app: FastifyInstance, page: WebPage, config: Config): void {
  const policy = scriptPolicy(config);
  for (const url of PLACES) {
    app.get(url, async (request, reply) => page.send(request, reply));
  }
  if (!page.isBuilt) return;
  const files = new Set(readdirSync(PAGE_FOLDER, { recursive: true, encoding: 'utf8' }));
  // The player draws captions in the renderer's fonts, which the package has once.
  for (const face of CAPTION_FACES)
    app.get(`/fonts/${face}.ttf`, (request, reply) => {
      const path = captionFontPath(face);
      if (path === null) return reply.callNotFound();
      return sendFile(request, reply, { name: basename(path), root: dirname(path), encodings: [], policy });
    });
  // A route for each file: other paths are answered as everywhere in this service.
  for (const file of files) {
    if (!/\.\w+$/.test(file) || /^index\.html$|\.(?:br|gz)$/.test(file)) continue;
    const encodings = Object.keys(COMPRESSED).filter((encoding) => files.has(file + COMPRESSED[encoding]));
    const name = file.replaceAll('\\', '/');
    app.get(`/${name}`, (request, reply) =>
      sendFile(request, reply, { name, root: PAGE_FOLDER, encodings, policy }),
    );
  }
}

interface StaticFile {
  readonly root: string;
  /** Path within `root`. */
  readonly name: string;
  /** Those in which the file lies there. */
  readonly encodings: string[];
  /** Of scripts. */
  readonly policy: string;
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { root, name, encodings, policy }: StaticFile,
): Promise<FastifyReply> {
  // Read when the page is first opened: a start has no use for them.
  const [{ default: send }, { negotiate }] = await Promise.all([
    import('@fastify/send'),
    import('@fastify/accept-negotiator'),
  ]);
  const encoding = negotiate(request.headers['accept-encoding'] ?? 'identity', encodings);
  const sent = await send(request.raw, `/${name}${encoding === null ? '' : COMPRESSED[encoding]}`, {
    root,
    acceptRanges: false,
    cacheControl: false,
    contentType: false,
  });
  // `If-Match` requests another version, or the page was built again while the service runs.
  if (sent.type !== 'file') {
    reply.callNotFound();
    return reply;
  }
  if (encoding !== null) reply.header('content-encoding', encoding);
  if (name.endsWith('.js')) reply.header('content-security-policy', policy);
  const isForEver = name.startsWith('assets/');
  return reply
    .code(sent.statusCode)
    .headers(sent.headers)
    .headers({
      'content-type': contentType(send.mime.getType(name) ?? 'application/octet-stream'),
      'cache-control': isForEver ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      vary: [reply.getHeader('vary'), 'accept-encoding'].filter(Boolean).join(', '),
    })
    .send(sent.stream);
}

const contentType = (type: string) => (/^text\/|javascript|xml/.test(type) ? `${type}; charset=utf-8` : type);

function pageHeaders(config: Config): Record<string, string> {
  const files = ["'self'", 'data:', 'blob:', ...storageOrigins(config)].join(' ');
  return {
    'cache-control': 'no-cache',
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      `img-src ${files}`,
      `media-src ${files}`,
      "base-uri 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

/**
 * Policy of the page's scripts: a worker follows the policy of its own file. The player's worker reads
 * proxies, also from the storage if the service redirects to it.
 */
function scriptPolicy(config: Config): string {
  return `default-src 'none'; script-src 'self'; connect-src ${["'self'", ...storageOrigins(config)].join(' ')}`;
}

/** Origin of outputs when the storage is S3: the service redirects to addresses that are signed for a time. */
export function storageOrigins({ s3 }: Config): string[] {
  if (s3 === null) return [];
  if (s3.endpoint !== undefined) return [new URL(s3.endpoint).origin];
  return [`https://${s3.bucket}.s3.${s3.region}.amazonaws.com`, `https://s3.${s3.region}.amazonaws.com`];
}
