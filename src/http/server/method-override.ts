import type { IncomingMessage } from 'node:http';

const UPLOADS = /^\/api\/v1\/uploads(?:[/?]|$)/;
/** The methods of tus that old proxies and clients cannot send. */
const OVERRIDES = new Set(['PATCH', 'DELETE']);

/**
 * `X-HTTP-Method-Override` of a POST under the uploads' path: tus 1.0.0 says that a server MUST take it for the request's method. No
 * other path has it, and no other method: a proxy that allows reading alone must stay right.
 */
export function applyMethodOverride(request: IncomingMessage): void {
  if (request.method !== 'POST' || !UPLOADS.test(request.url ?? '')) return;
  const method = request.headers['x-http-method-override'];
  if (typeof method === 'string' && OVERRIDES.has(method.toUpperCase()))
    request.method = method.toUpperCase();
}
