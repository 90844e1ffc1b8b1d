/** Clients that send a byte each second, or nothing: others are served, and the slow ones are disconnected. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { call } from '../support/client.ts';
import { percentile, tellFigures } from '../support/figures.ts';
import { waitFor } from '../support/processes.ts';
import { assertBounded, responseTimes } from '../support/response-bounds.ts';
import { assertTidy } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const SLOW_CLIENTS = 1_000;
const IDLE_SECONDS = 5;
/** Heads have 20 s and are checked each 5 s, files two windows of their least rate, JSON 30 s: 41 s were seen. */
const DROPPED_MS = 90_000;

let service: Service;
before(async () => {
  service = await startService({ WORKER_CONCURRENCY: '0', UPLOAD_IDLE_SECONDS: String(IDLE_SECONDS) });
});
after(() => service?.[Symbol.asyncDispose]());

const askHealth = async () => {
  assert.equal((await call(service.baseUrl, 'GET', '/api/v1/health')).status, 200);
};

interface SlowClient {
  readonly socket: Socket;
  isDropped: boolean;
  answer: string;
}

/** What each kind sends at once; then a byte each second. */
const SLOW_KINDS: readonly { readonly head: string; readonly drips: boolean; readonly share: number }[] = [
  { share: 0.4, drips: true, head: 'GET /api/v1/health HTTP/1.1\r\nhost: localhost\r\nx-slow: ' },
  {
    share: 0.4,
    drips: true,
    head: 'POST /api/v1/videos/upload HTTP/1.1\r\nhost: localhost\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: 100000\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n',
  },
  {
    share: 0.1,
    drips: true,
    head: 'POST /api/v1/jobs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
  },
  { share: 0.1, drips: false, head: '' },
];

function openSlow({ head, drips }: (typeof SLOW_KINDS)[number]): SlowClient {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  const client: SlowClient = { socket, isDropped: false, answer: '' };
  socket.on('error', () => {});
  socket.on('data', (text) => (client.answer += text));
  socket.on('close', () => (client.isDropped = true));
  socket.on('end', () => (client.isDropped = true));
  socket.write(head);
  const drip = setInterval(() => drips && socket.writable && socket.write('x'), 1_000);
  socket.once('close', () => clearInterval(drip));
  return client;
}

test(`${SLOW_CLIENTS} slow clients hold nobody up and are dropped`, async (t) => {
  const alone = await responseTimes(200, askHealth, 5);
  const startedMs = performance.now();
  const clients = SLOW_KINDS.flatMap((kind) =>
    Array.from({ length: SLOW_CLIENTS * kind.share }, () => openSlow(kind)),
  );
  const loaded: number[] = [];
  await waitFor(
    'all are dropped',
    async () => {
      loaded.push(...(await responseTimes(20, askHealth, 20)));
      return clients.every(({ isDropped }) => isDropped);
    },
    DROPPED_MS,
  ).catch((error) => {
    const left = SLOW_KINDS.map(({ head }, kind) => {
      const from = SLOW_KINDS.slice(0, kind).reduce((sum, { share }) => sum + share * SLOW_CLIENTS, 0);
      const mine = clients.slice(from, from + SLOW_KINDS[kind].share * SLOW_CLIENTS);
      return `${head.slice(0, 24)}: ${mine.filter(({ isDropped }) => !isDropped).length}`;
    });
    throw new Error(`still there: ${left.join('; ')}`, { cause: error });
  });
  const droppedMs = performance.now() - startedMs;
  for (const { socket } of clients) socket.destroy();
  const p99 = assertBounded('health', loaded, alone);
  const answered = clients.filter(({ answer }) => answer !== '');
  assert.ok(answered.every(({ answer }) => answer.startsWith('HTTP/1.1 408 ')));
  await waitFor('no half upload stays', () => {
    assertTidy(service);
    return true;
  });
  tellFigures(t, '1,000 slow clients', {
    tried: SLOW_CLIENTS,
    slowestMs: droppedMs,
    lost: 0,
    seen: `health p99 ${p99.toFixed(1)} ms, without them ${percentile(alone, 0.99).toFixed(1)} ms; all dropped`,
  });
});
