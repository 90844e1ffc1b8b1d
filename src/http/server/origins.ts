import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const REQUEST_HEADERS =
  'Authorization, Content-Digest, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, ' +
  'Prefer, Range, Traceparent, Tus-Resumable, Upload-Checksum, Upload-Concat, Upload-Defer-Length, Upload-Length, ' +
  'Upload-Metadata, Upload-Offset, X-Checksum-Sha256, X-HTTP-Method-Override, X-Request-Id';
const EXPOSED_HEADERS =
  'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Filmstrip-Seconds, Filmstrip-Tiles, ' +
  'Filmstrip-Tile-Size, Idempotent-Replayed, Location, ' +
  'RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, Retry-After, Tus-Checksum-Algorithm, ' +
  'Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, Upload-Length, Upload-Metadata, ' +
  'Upload-Offset, X-Request-Id, X-Video-Id';
const PREFLIGHT_SECONDS = '600';

export interface OriginPolicy {
  /** Exact origins, or `*`. */
  readonly allowed: readonly string[];
  /** The service's own base URL when it is set. */
  readonly publicBaseUrl: string | undefined;
}

/**
 * CORS by an allowlist of exact origins (WHATWG Fetch, "CORS protocol"). Also refuses changing requests of
 * foreign origins: browsers send form posts without a preflight, and this service has no login that would
 * stop them. Returns true when the reply was sent.
 */
export function applyOriginPolicy(
  policy: OriginPolicy,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { origin } = request.headers;
  const changes = !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  const any = policy.allowed.includes('*');
  if (!any) reply.header('vary', policy.allowed.length === 0 ? 'Origin' : 'Origin, Referer');
  if (any || policy.allowed.includes(pageOrigin(request) ?? '')) allowEmbedding(reply);
  if (origin === undefined) {
    if (changes && !any) assertNotCrossSite(policy, request);
    return false;
  }
  const allowed = any || policy.allowed.includes(origin);
  if (allowed) {
    reply.header('access-control-allow-origin', any ? '*' : origin);
    reply.header('access-control-expose-headers', EXPOSED_HEADERS);
  }
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
    if (allowed) {
      reply.header('access-control-allow-methods', METHODS);
      reply.header('access-control-allow-headers', REQUEST_HEADERS);
      reply.header('access-control-max-age', PREFLIGHT_SECONDS);
    }
    void reply.code(204).send();
    return true;
  }
  if (changes && !allowed && !isOwnOrigin(origin, policy, request)) {
    throw new Failure('FORBIDDEN', 'The origin of this browser request is not in CORS_ORIGINS');
  }
  return false;
}

/**
 * Lets pages of other origins show the answer (WHATWG Fetch, "Cross-Origin-Resource-Policy"). The header has no list of origins, so it
 * depends on the request: see `pageOrigin`.
 */
export function allowEmbedding(reply: FastifyReply): void {
  reply.header('cross-origin-resource-policy', 'cross-origin');
}

/**
 * The origin of the page that makes a browser's request; null: not reported. An `<img>` or `<video>` sends no `Origin`, but by default the
 * origin of its page as `Referer`, which no page can forge. `Sec-Fetch-Site` reports only that the page is another one.
 */
function pageOrigin({ headers: { origin, referer } }: FastifyRequest): string | null {
  if (origin !== undefined) return origin;
  return referer !== undefined && URL.canParse(referer) ? new URL(referer).origin : null;
}

/**
 * A browser that omits `Origin`, or an extension that removes it, still reports the page's site (W3C Fetch
 * Metadata). Firefox before 70 reports neither for a form, but its page as `Referer`.
 */
function assertNotCrossSite(policy: OriginPolicy, request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return;
  if (site === undefined) {
    const page = pageOrigin(request);
    if (page === null || policy.allowed.includes(page) || isOwnOrigin(page, policy, request)) return;
    throw new Failure('FORBIDDEN', 'The Referer of this browser request is a page of another origin');
  }
  throw new Failure(
    'FORBIDDEN',
    `This browser request comes from a page of another origin (Sec-Fetch-Site: ${JSON.stringify(String(site).slice(0, 50))}) and has no Origin that CORS_ORIGINS could allow`,
  );
}

function isOwnOrigin(origin: string, policy: OriginPolicy, request: FastifyRequest): boolean {
  if (policy.publicBaseUrl !== undefined && new URL(policy.publicBaseUrl).origin === origin) return true;
  // A proxy may end TLS before the service, so the scheme may differ.
  return origin === `http://${request.host}` || origin === `https://${request.host}`;
}
