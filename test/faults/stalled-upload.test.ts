/** A suspended service with its own database, as with a stalled disk: no other process can have claimed its uploads. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { startService } from '../support/service.ts';

const TUS = { 'tus-resumable': '1.0.0' };
/** Longer than a lease (10 s). */
const STALL_MS = 12_000;
/** A sign of life is due every two seconds. */
const NOTICED_MS = 3_000;

test('an upload continues after the service was suspended for longer than its lease', async (t) => {
  const bytes = readFileSync(await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 2 }));
  await using service = await startService();
  const started = await call(service.baseUrl, 'POST', '/api/v1/uploads', {
    headers: { ...TUS, 'upload-length': String(bytes.length) },
  });
  const sending = request(new URL(started.headers.get('location')!, service.baseUrl), {
    method: 'PATCH',
    headers: { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
  });
  const answer = new Promise<{ status: number | undefined; videoId: string }>((resolve, reject) => {
    sending.once('error', reject);
    sending.once('response', (reply) => {
      reply.resume();
      resolve({ status: reply.statusCode, videoId: String(reply.headers['x-video-id']) });
    });
  });
  // Checked below; meanwhile nobody awaits it.
  answer.catch(() => {});
  sending.write(bytes.subarray(0, bytes.length >> 1));
  await sleep(500);
  process.kill(service.pid, 'SIGSTOP');
  await sleep(STALL_MS);
  process.kill(service.pid, 'SIGCONT');
  await sleep(NOTICED_MS);
  sending.end(bytes.subarray(bytes.length >> 1));
  const { status, videoId } = await answer;
  assert.equal(status, 204);
  const video = await call(service.baseUrl, 'GET', `/api/v1/videos/${videoId}`);
  assert.equal(video.body.data.sha256, createHash('sha256').update(bytes).digest('hex'));
  tellFigures(t, 'the service stands still for 12 s in the middle of an upload', { tried: 1, lost: 0 });
});
