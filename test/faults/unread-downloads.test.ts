/** Clients that open many responses and read none of them: the memory of the service stays bounded, and others are served. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { waitFor } from '../support/processes.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const CLIENTS = 750;
/** Half of the 1,000 that the service keeps. */
const SHARE = 500;
const FILE_BYTES = 20_000_000;
/** Eight rounds in a row grow by 82 to 165 MB and no further: garbage of one is collected in the next. */
const MAX_GROWTH_MB = 220;
/** Of 11 MB measured: sockets' tables, compiled code. */
const MAX_REMAINING_MB = 40;
/** Garbage is collected five seconds after a burst. */
const COLLECTED_MS = 30_000;

let service: Service;
let videoId: string;
before(async () => {
  service = await startService({ WORKER_CONCURRENCY: '0', TRUST_PROXY: '1' });
  videoId = await uploaded(service, await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 }));
  writeFileSync(`${service.dataDir}/blobs/videos/${videoId}`, Buffer.alloc(FILE_BYTES, 7));
});
after(() => service?.[Symbol.asyncDispose]());

/** Sends one request and stops reading after the first bytes of the response. */
async function openUnread(path: string): Promise<{ readonly socket: Socket; readonly head: string }> {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.113.1\r\n\r\n`);
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, head: bytes.toString('latin1') };
}

const residentMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1000;

const openFiles = async () =>
  Number(/^process_open_fds (\d+)/m.exec(await (await fetch(`${service.baseUrl}/metrics`)).text())?.[1]);

/** Opens `CLIENTS` responses of one client, checks how many are accepted, and closes them all. */
async function assertShare(path: string): Promise<number> {
  const before = await openFiles();
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => openUnread(path)));
  const accepted = clients.filter(({ head }) => head.startsWith('HTTP/1.1 200 '));
  const refused = clients.filter(({ head }) => head.startsWith('HTTP/1.1 429 '));
  assert.deepEqual([accepted.length, refused.length], [SHARE, CLIENTS - SHARE]);
  for (const { head } of refused) assert.match(head, /retry-after: 5\r\n.*"code":"RATE_LIMITED"/is);
  // The system takes about 3 MB of each.
  await sleep(3_000);
  const residentPeak = residentMb();
  const headers = { 'x-forwarded-for': '203.0.113.2', range: 'bytes=0-9' };
  const other = await fetch(`${service.baseUrl}/api/v1/videos/${videoId}/file`, { headers });
  assert.equal(other.status, 206);
  assert.equal((await other.arrayBuffer()).byteLength, 10);
  for (const { socket } of clients) socket.destroy();
  await waitFor('all are closed', async () => (await openFiles()) < before + 20, 20_000);
  return residentPeak;
}

test(`${CLIENTS} unread downloads of one client`, { timeout: 120_000 }, async (t) => {
  const startMb = residentMb();
  const firstMb = await assertShare(`/api/v1/videos/${videoId}/file`);
  const secondMb = await assertShare(`/api/v1/videos/${videoId}/file`);
  const seen = `${Math.round(startMb)} MB before, ${Math.round(firstMb)} at the first round, ${Math.round(secondMb)} at the second`;
  assert.ok(Math.max(firstMb, secondMb) - startMb <= MAX_GROWTH_MB, seen);
  await waitFor(
    'the memory is returned',
    async () => residentMb() - startMb <= MAX_REMAINING_MB,
    COLLECTED_MS,
  );
  tellFigures(t, 'unread downloads', {
    ...{ tried: 2 * CLIENTS, lost: 0 },
    seen: `${seen}, ${Math.round(residentMb())} MB after them`,
  });
});

test(`${CLIENTS} event streams of one client`, { timeout: 120_000 }, async (t) => {
  const json = { video_id: videoId };
  const { body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
  const startMb = residentMb();
  const peakMb = await assertShare(`/api/v1/jobs/${body.data.job_id}/events`);
  const seen = `${Math.round(startMb)} MB before, ${Math.round(peakMb)} with them`;
  assert.ok(peakMb - startMb <= MAX_GROWTH_MB, seen);
  tellFigures(t, 'event streams', { tried: CLIENTS, lost: 0, seen });
});
