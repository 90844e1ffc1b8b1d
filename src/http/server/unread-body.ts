import type { IncomingMessage } from 'node:http';

const DRAIN_MS = 10_000;

/**
 * Call when the answer was sent before the whole request was read. Reads the rest for a while, so that a
 * client that is still sending receives the answer instead of a reset (RFC 9112, section 9.6). Then, or when
 * the server closes, ends the connection.
 */
export function drainUnreadBody(request: IncomingMessage, closing: AbortSignal): void {
  if (request.complete || request.destroyed) return;
  const disconnect = () => request.socket.destroy();
  const timer = setTimeout(disconnect, DRAIN_MS);
  closing.addEventListener('abort', disconnect);
  const done = () => {
    clearTimeout(timer);
    closing.removeEventListener('abort', disconnect);
  };
  request.once('end', done).once('close', done).on('error', done);
  request.resume();
}
