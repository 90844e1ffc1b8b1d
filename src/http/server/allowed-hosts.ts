import type { FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import { isLoopbackHost } from '../../network/address-guard.ts';
import type { Config } from '../../settings/config.ts';
import { type HostName, hostNameOf } from '../../settings/host-name.ts';

/**
 * Refuses requests for a foreign host while the service is bound to loopback. A web page whose name was
 * rebound to 127.0.0.1 has the service's origin for its browser, which then permits everything. Only the
 * `Host` header still contains the page's name (DNS rebinding). A service on another interface has names that
 * it does not know, and checks none.
 */
export function hostGuard(
  { HOST, PUBLIC_BASE_URL, ALLOWED_HOSTS }: Config,
  isLoopbackBound = isLoopbackHost(HOST),
): (request: FastifyRequest) => void {
  if (!isLoopbackBound) return () => {};
  const own = [HOST, PUBLIC_BASE_URL === undefined ? HOST : new URL(PUBLIC_BASE_URL).hostname];
  const allowed: readonly HostName[] = [
    ...own.flatMap((text) => hostNameOf(text) ?? []),
    ...ALLOWED_HOSTS.filter((host) => host !== '*'),
  ];
  if (ALLOWED_HOSTS.includes('*')) return () => {};
  return (request) => {
    // HTTP/1.0 has no Host header, and no browser uses it.
    if (request.headers.host === undefined) return;
    // A page can also set X-Forwarded-Host: it never replaces Host, and is checked in addition where it is
    // trusted.
    for (const given of new Set([request.headers.host, request.host])) assertAllowed(given, allowed);
  };
}

/** Throws HOST_NOT_ALLOWED. */
function assertAllowed(given: string, allowed: readonly HostName[]): void {
  const host = hostNameOf(given);
  if (host !== null) {
    if (isLoopbackHost(host.name)) return;
    const isSame = ({ name, port }: HostName) => name === host.name && (port === null || port === host.port);
    if (allowed.some(isSame)) return;
  }
  throw new Failure(
    'HOST_NOT_ALLOWED',
    `This service answers on this machine only, not as ${JSON.stringify(given.slice(0, 200))}; use localhost, or add the host to PUBLIC_BASE_URL or ALLOWED_HOSTS`,
  );
}
