import type { IncomingMessage } from 'node:http';

const DRAIN_MS = 10_000;

/**
 * Called when the answer was sent before the whole request was read: reads the rest for a while, so that a client
 * still sending sees the answer and not a reset connection (RFC 9112, section 9.6), then, or when the server
 * closes, cuts it off.
 */
export function drainUnreadBody(request: IncomingMessage, closing: AbortSignal): void {
  if (request.complete || request.destroyed) return;
  const cut = () => request.socket.destroy();
  const timer = setTimeout(cut, DRAIN_MS);
  closing.addEventListener('abort', cut);
  const done = () => {
    clearTimeout(timer);
    closing.removeEventListener('abort', cut);
  };
  request.once('end', done).once('close', done).on('error', done);
  request.resume();
}
