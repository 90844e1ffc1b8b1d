import type { IncomingMessage } from 'node:http';

const UPLOADS = /^\/api\/v1\/uploads(?:[/?]|$)/;
/** The methods of tus that old proxies and clients cannot send. */
const OVERRIDES = new Set(['PATCH', 'DELETE']);

/**
 * Applies `X-HTTP-Method-Override` to a POST under the uploads' path: tus 1.0.0 requires servers to use it as
 * the method. Other paths and methods ignore it, since a proxy may permit reading only.
 */
export function applyMethodOverride(request: IncomingMessage): void {
  if (request.method !== 'POST' || !UPLOADS.test(request.url ?? '')) return;
  const method = request.headers['x-http-method-override'];
  if (typeof method === 'string' && OVERRIDES.has(method.toUpperCase()))
    request.method = method.toUpperCase();
}
