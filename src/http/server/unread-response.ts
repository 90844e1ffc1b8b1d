import type { ServerResponse } from 'node:http';

/** At most doubled by Node: within the minute for which common proxies wait for a client to read. */
const STALL_MS = 30_000;

/**
 * Closes the connection when the client reads no byte of a pending write for `stallMs` to twice that: its buffers would be held for as
 * long as the connection is open. A slow reader is no stall, nor is a response that has nothing to send yet.
 */
export function closeWhenUnread(response: ServerResponse, stallMs = STALL_MS): void {
  // Node restarts this timer with each write, and once more where part of the last write was sent since.
  response.setTimeout(stallMs, () => {
    const { socket } = response;
    if (socket !== null && socket.writableLength > 0) socket.destroy();
  });
}
