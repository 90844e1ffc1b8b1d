import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { OpenApiDocument } from '../reference/document.ts';
import { referencePage } from '../reference/reference-page.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { openApiDocument } from './openapi.ts';
import { storageOrigins } from './page.ts';

const text = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Serves the reference at `/docs`, with its style sheet and its script. It loads nothing from elsewhere. */
export function addReference(app: FastifyInstance, { parts }: HttpContext): void {
  const style = text('../../report/page/tokens.css') + text('../reference/reference.css');
  const script = text('../reference/reference.js');
  const files = ["'self'", 'data:', 'blob:', ...storageOrigins(parts.config)].join(' ');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${["'self'", ...storageOrigins(parts.config)].join(' ')}`,
    `img-src ${files}`,
    `media-src ${files}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  // Writing it takes longer than sending it, and its readers use one address.
  let last = { address: '', page: '' };
  app.get('/docs', async (request, reply) => {
    const base = baseUrl(parts, request);
    const root = request.url.split('?', 1)[0].endsWith('/') ? '../' : './';
    const address = `${base} ${root}`;
    if (last.address !== address) {
      const document = openApiDocument(parts.version, base) as unknown as OpenApiDocument;
      last = { address, page: referencePage(document, root) };
    }
    void reply.header('content-security-policy', policy);
    return sendText(request, reply, 'text/html; charset=utf-8', last.page);
  });
  const served = [
    ['/docs/reference.css', 'text/css; charset=utf-8', style],
    ['/docs/reference.js', 'text/javascript; charset=utf-8', script],
  ] as const;
  for (const [url, type, content] of served) {
    app.get(url, async (request, reply) => sendText(request, reply, type, content));
  }
}

/** Gzip reduces it to a tenth of the bytes. */
function sendText(request: FastifyRequest, reply: FastifyReply, type: string, content: string): FastifyReply {
  const vary = [reply.getHeader('vary'), 'Accept-Encoding'].filter(Boolean).join(', ');
  void reply.headers({ 'cache-control': 'no-cache', vary }).type(type);
  const isRead = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  return isRead ? reply.header('content-encoding', 'gzip').send(gzipSync(content)) : reply.send(content);
}
