import type { ServerResponse } from 'node:http';

/** Node at most doubles it: within the minute for which common proxies wait for a client to read. */
const STALL_MS = 30_000;

/**
 * Closes the connection when the client reads no byte of a pending write for one to two times `stallMs`.
 * Otherwise its buffers would stay allocated while the connection is open. A slow reader does not count, nor
 * does a response that has no bytes to send yet.
 */
export function closeWhenUnread(response: ServerResponse, stallMs = STALL_MS): void {
  // Node restarts this timer with each write, and once more if it has sent part of the last write since.
  response.setTimeout(stallMs, () => {
    const { socket } = response;
    if (socket !== null && socket.writableLength > 0) socket.destroy();
  });
}
