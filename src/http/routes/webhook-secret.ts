import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { Failure } from '../../errors.ts';
import { isLoopbackHost } from '../../webhooks/address-guard.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/operations.ts';
import type { HttpContext } from '../server/context.ts';

/** What proxies add to a request that they pass on. */
const FORWARDED = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
];

/**
 * The secret is for whoever works on this machine. A service behind a proxy on the same machine listens on loopback too, and
 * a page in a browser may reach it under a name of its own: whatever hints at either is answered as if there were nothing.
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
  const { headers, socket } = raw;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  if (headers.origin !== undefined || !isLoopbackHost(socket.remoteAddress ?? '')) return false;
  return headers.host !== undefined && isLocalUrl(`http://${headers.host}`);
}

function isLocalUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && isLoopbackHost(url.hostname);
}
