/** Clients that do not read their response, and those that are slow or wait. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeWhenUnread } from '../../src/http/server/unread-response.ts';

const STALL_MS = 400;
/** More than the buffers of the system hold. */
const BYTES = 32 * 2 ** 20;

/** A server, a raw connection with one request on it, and the time at which the server's side is closed. */
async function opened(answer: RequestListener) {
  let closedMs: number | null = null;
  const server = createServer((request, response) => {
    closeWhenUnread(response, STALL_MS);
    request.socket.once('close', () => {
      closedMs = performance.now();
    });
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  socket.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  return {
    socket,
    closedMs: () => closedMs,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const large: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-length': BYTES });
  Readable.from(
    (function* () {
      for (let sent = 0; sent < BYTES; sent += 65_536) yield Buffer.alloc(65_536);
    })(),
  ).pipe(response);
};

test('a connection whose client reads nothing is closed', { timeout: 10_000 }, async () => {
  const startedMs = performance.now();
  await using connection = await opened(large);
  while (connection.closedMs() === null) await sleep(20);
  assert.ok(connection.closedMs()! - startedMs >= STALL_MS);
});

test('a slow reader is sent all of it', { timeout: 20_000 }, async () => {
  await using connection = await opened(large);
  let read = 0;
  // 8 pauses, each shorter than the limit, together six times as long.
  connection.socket.on('data', (chunk) => {
    const before = Math.floor(read / (BYTES / 8));
    read += chunk.length;
    if (Math.floor(read / (BYTES / 8)) === before) return;
    connection.socket.pause();
    setTimeout(() => connection.socket.resume(), STALL_MS * 0.75);
  });
  connection.socket.resume();
  while (read < BYTES && connection.closedMs() === null) await sleep(20);
  assert.ok(read >= BYTES, `${read} bytes came`);
});

test('a late response, or one in pieces with long pauses, is no stall', {
  timeout: 10_000,
}, async () => {
  await using connection = await opened(async (_request, response) => {
    await sleep(STALL_MS * 2.5);
    response.write('a');
    await sleep(STALL_MS * 2.5);
    response.end('b');
  });
  let text = '';
  connection.socket.on('data', (chunk) => {
    text += chunk;
  });
  connection.socket.resume();
  while (!text.includes('b\r\n0\r\n') && connection.closedMs() === null) await sleep(20);
  assert.match(text, /a\r\n1\r\nb\r\n/);
});
