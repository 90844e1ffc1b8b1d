import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { PAGE_FOLDER } from '../../package-files.ts';

/** The places of the page: each has an address of its own, which can be shared. */
const PLACES = ['/', '/library', '/jobs/:job_id'];
/** As `web/index.html` has it. */
const BASE = '<base href="./">';

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>StyleDNA</title>
<p>The service runs, but its web page is not built. In a clone <code>npm run build:page</code> builds it; then start the
service again. The API is at <a href="api/v1/openapi.json">api/v1/openapi.json</a>.</p></html>`;

/** Serves the web page that was built into the package: its files under names that hold their hash, and its places. */
export function addPage(app: FastifyInstance, config: Config): void {
  const isBuilt = existsSync(join(PAGE_FOLDER, 'index.html'));
  const page = isBuilt ? readFileSync(join(PAGE_FOLDER, 'index.html'), 'utf8') : NOT_BUILT;
  const headers = pageHeaders(config);
  for (const url of PLACES) {
    app.get(url, async (request, reply) => sendPage(request, reply, page, headers));
  }
  if (!isBuilt) return;
  void app.register(fastifyStatic, {
    root: PAGE_FOLDER,
    // A route for each file: what is no file of the page is answered as everywhere in this service.
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
}

/**
 * The page's addresses are relative to its base, and the base to the address that was asked for: the way up from it to the root
 * of the service is right under whatever path a proxy offers the service, and nobody has to say which.
 */
async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: string,
  headers: Readonly<Record<string, string>>,
): Promise<FastifyReply> {
  const depth = request.url.split('?', 1)[0]!.split('/').length - 2;
  const base = depth === 0 ? './' : '../'.repeat(depth);
  return reply
    .headers(headers)
    .type('text/html; charset=utf-8')
    .send(page.replace(BASE, `<base href="${base}">`));
}

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

/** Where outputs come from when the storage is S3: the service redirects to addresses that are signed for a time. */
export function storageOrigins({ s3 }: Config): string[] {
  if (s3 === null) return [];
  if (s3.endpoint !== undefined) return [new URL(s3.endpoint).origin];
  return [`https://${s3.bucket}.s3.${s3.region}.amazonaws.com`, `https://s3.${s3.region}.amazonaws.com`];
}
