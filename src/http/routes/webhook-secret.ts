import type { FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { isLoopbackHost } from '../../network/address-guard.ts';
import type { Config } from '../../settings/config.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/webhook-operations.ts';
import type { HttpContext } from '../server/context.ts';

/**
 * All headers that programs on this machine send: curl, and the HTTP libraries of Node, Python, Go, Java and .NET. Proxies and
 * browsers each add others, of which no list is complete: `X-Forwarded-…`, `CF-Connecting-IP`, `Sec-Fetch-Site`, `Referer`.
 */
const OF_LOCAL_PROGRAMS = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'authorization',
  'baggage',
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'host',
  // Java offers HTTP/2 in the first request of a connection.
  'http2-settings',
  'upgrade',
  'pragma',
  'prefer',
  // Node's fetch sends it alone, browsers with Sec-Fetch-Site.
  'sec-fetch-mode',
  'te',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-request-id',
]);

/**
 * The secret is for programs on this machine. A service behind a proxy on the same machine listens on
 * loopback too. A page in a browser may reach it under a name of its own. A request with a trace of either
 * gets the answer of an unknown path.
 */
export function getWebhookSecret({ parts }: HttpContext): Handler<typeof operations.getWebhookSecret> {
  return async ({ request, reply }) => {
    if (!isLocalService(parts.config) || !isLocalRequest(request))
      throw new Failure('ROUTE_NOT_FOUND', `There is no ${JSON.stringify(request.routeOptions.url)}`);
    void reply.header('cache-control', 'no-store');
    const [secret] = parts.webhookSecrets;
    return { data: { secret: secret!, secrets: [...parts.webhookSecrets] } };
  };
}

function isLocalService({ HOST, TRUST_PROXY, PUBLIC_BASE_URL }: Config): boolean {
  const isProxied = TRUST_PROXY !== 0;
  return isLoopbackHost(HOST) && !isProxied && (PUBLIC_BASE_URL === undefined || isLocalUrl(PUBLIC_BASE_URL));
}

function isLocalRequest({ raw }: FastifyRequest): boolean {
  const { headers, socket, httpVersion } = raw;
  // nginx speaks HTTP/1.0 to its upstream, unless it is configured otherwise.
  if (httpVersion === '1.0' || !isLoopbackHost(socket.remoteAddress ?? '')) return false;
  if (Object.keys(headers).some((name) => !OF_LOCAL_PROGRAMS.has(name))) return false;
  return headers.host !== undefined && isLocalUrl(`http://${headers.host}`);
}

function isLocalUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isLoopbackHost(url.hostname);
}
