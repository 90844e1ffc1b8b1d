import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DiskReserve } from './disk-reserve.ts';
import type { FileSender } from './file-sender.ts';
import type { OpenResponseLimit } from './open-responses.ts';
import type { HttpParts } from './parts.ts';

/** Objects that the handlers share. */
export interface HttpContext {
  readonly parts: HttpParts;
  readonly reserve: DiskReserve;
  readonly sender: FileSender;
  /** Waits for results and event streams. */
  readonly watchers: OpenResponseLimit;
  /** Aborts when the server begins to close, which ends long requests. */
  readonly closing: AbortSignal;
}

const HOST = /^(?:[A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/;

/** The absolute address of this service, without a final slash. */
export function baseUrl({ config }: HttpParts, request: FastifyRequest): string {
  if (config.PUBLIC_BASE_URL !== undefined) return config.PUBLIC_BASE_URL;
  const { host } = request;
  // HTTP/1.0 has no Host header, and a client may send any value.
  return HOST.test(host)
    ? `${request.protocol}://${host}`
    : `http://127.0.0.1:${request.socket.localPort ?? config.PORT}`;
}

/** Aborts when the client closes the connection before the answer was sent. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort();
  });
  return abort.signal;
}
