import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpProxy extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
}

/**
 * A proxy in front of a service, as an operator would have one. `pathOf` returns the requested path of the service, or
 * answers itself and returns null.
 */
export async function startHttpProxy(
  target: string,
  pathOf: (incoming: IncomingMessage, outgoing: ServerResponse) => string | null,
): Promise<HttpProxy> {
  const proxy = createServer((incoming, outgoing) => {
    const path = pathOf(incoming, outgoing);
    if (path === null) return;
    const { method, headers } = incoming;
    const forwarded = request(target + path, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on('error', () => outgoing.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** Serves a service under a path of its own, and removes it from forwarded requests. */
export function startStrippingProxy(prefix: string, target: string): Promise<HttpProxy> {
  return startHttpProxy(target, ({ url = '/' }, outgoing) => {
    if (url.startsWith(`${prefix}/`) || url === prefix) return url.slice(prefix.length) || '/';
    outgoing.writeHead(404).end();
    return null;
  });
}
