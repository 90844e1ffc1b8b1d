/**
 * Listens at the service's address from the start: before database and storage are open it reports that the
 * process runs and refuses other requests. When the interface is ready it takes over the same connections.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../../domain/errors.ts';
import { isLoopbackHost } from '../../network/address-guard.ts';
import { answerBrokenRequest } from './broken-request.ts';
import { DEFAULT_HEADERS } from './default-headers.ts';
import { errorResponse } from './error-response.ts';
import { applyMethodOverride } from './method-override.ts';
import { requestIdOf } from './request-id.ts';
import { closeWhenUnread } from './unread-response.ts';

/**
 * Options for all connections, early and later ones. Node's limit on a whole request would cut off long
 * uploads; bodies have their own limits.
 */
export const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  requireHostHeader: false,
  requestTimeout: 0,
  // Fastify's default: longer than the minute for which common proxies hold an idle connection.
  keepAliveTimeout: 72_000,
};

/** The interface is ready within a second or two. */
const RETRY_SECONDS = 1;
const IDLE_MS = 50;

export interface EarlyListener {
  /** URL without a path; loopback if the service listens on all addresses. */
  readonly address: string;
  /** Whether only this machine can connect. */
  readonly isLoopback: boolean;
  /** Returns the server for the interface. `listener` gets requests from `open` on. */
  readonly serverFor: (listener: RequestListener) => Server;
  readonly open: () => void;
  /** Accepts no new connections; resolves when the existing ones have ended. */
  readonly close: () => Promise<void>;
}

/** Throws the system's error if it cannot listen on the address. */
export async function openEarlyListener({
  HOST,
  PORT,
}: {
  readonly HOST: string;
  readonly PORT: number;
}): Promise<EarlyListener> {
  let listener: RequestListener = answerStarting;
  let interfaceListener = listener;
  const server = () => {
    const listen: RequestListener = (request, response) => {
      applyMethodOverride(request);
      closeWhenUnread(response);
      listener(request, response);
    };
    // By default Node answers an unknown expectation with an empty 417. RFC 9110, 10.1.1, leaves this to the
    // server: it is ignored.
    return http.createServer(SERVER_OPTIONS, listen).on('checkExpectation', listen);
  };
  const [first, ...others] = await addressesOf(HOST);
  const main = server();
  await listen(main, first!, PORT);
  const { port } = main.address() as AddressInfo;
  const servers = [main];
  for (const host of others) {
    const other = server().on('clientError', answerBrokenRequest);
    // A name may resolve to an address that the machine does not have.
    if (await listen(other, host, port).then(isTrue, isFalse)) servers.push(other);
  }
  return {
    address: urlOf(main.address() as AddressInfo),
    // A name may resolve to a loopback address and to another address of the machine.
    isLoopback: servers.every((one) => isLoopbackHost((one.address() as AddressInfo).address)),
    serverFor(given) {
      interfaceListener = given;
      return main;
    },
    open() {
      listener = interfaceListener;
    },
    async close() {
      const closed = Promise.all(servers.map((one) => new Promise((resolve) => one.close(resolve))));
      // Node closes the idle connections now; one whose last request ends later would otherwise stay open.
      const idle = setInterval(() => {
        for (const one of servers) one.closeIdleConnections();
      }, IDLE_MS);
      await closed;
      clearInterval(idle);
    },
  };
}

const isTrue = () => true;
const isFalse = () => false;

/** "localhost" has two addresses on most machines, and clients use either. */
async function addressesOf(host: string): Promise<readonly string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  server.listen({ host, port });
  await once(server, 'listening');
}

function urlOf({ address, family, port }: AddressInfo): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

/** Requests itself again until the app answers in its place; the content policy allows no script here. */
const WAITING_PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>StyleDNA</title>
<meta name="color-scheme" content="light dark"><meta http-equiv="refresh" content="${RETRY_SECONDS}"><link rel="icon" href="data:,">
<p>StyleDNA is starting. This page turns into it when it is ready.</p></html>`;
/** Paths of programs, which read the error format. */
const OF_PROGRAMS = /^\/(?:api|assets|metrics)(?:\/|$)/;

/** Whether a person opens an address: browsers name HTML, and programs do not. */
function isPageRequest({ method, headers }: IncomingMessage, path: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && /\btext\/html\b/.test(headers.accept ?? '') && !OF_PROGRAMS.test(path);
}

const answerStarting: RequestListener = (request, response) => {
  const path = request.url?.split('?', 1)[0]?.replace(/(?<=.)\/$/, '');
  const requestId = requestIdOf(request);
  const headers = {
    ...DEFAULT_HEADERS,
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': requestId,
  };
  const send = (status: number, body: object, more: Readonly<Record<string, string>> = {}) => {
    response.writeHead(status, { ...headers, ...more }).end(JSON.stringify(body));
    request.resume();
  };
  if (path === '/livez') return send(200, { status: 'ok' });
  if (path === '/readyz') return send(503, { status: 'starting' });
  if (isPageRequest(request, path ?? '/')) {
    const more = { 'content-type': 'text/html; charset=utf-8', 'retry-after': String(RETRY_SECONDS) };
    response.writeHead(503, { ...headers, ...more }).end(WAITING_PAGE);
    return request.resume();
  }
  const starting = errorResponse(
    new Failure('SERVICE_UNAVAILABLE', 'The service is starting', { retryAfterSeconds: RETRY_SECONDS }),
    requestId,
  );
  send(starting.status, starting.body, starting.headers);
};
