/** Requested ends in the middle of the work: cancellation, deletion, a drain. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { assertError, call } from '../support/client.ts';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { assertGone, childrenOf, waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { assertTidy, createJob, filesUnder, type RunningJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const GONE_MS = 2_000;
/** The service's own grace times, and a busy machine. */
const DRAINED_MS = 15_000;

const folder = temporaryFolder();
let service: Service;
let hook: Receiver;
let videoId: string;
before(async () => {
  const [width, height] = [640, 360];
  const draw = drawNumber(width, height);
  const clip = await makeClip(folder, { name: 'source', durationSeconds: 8, width, height, draw });
  service = await startService({ DRAIN_SECONDS: '0' });
  hook = await openReceiver();
  videoId = await uploaded(service, clip);
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await hook?.[Symbol.asyncDispose]();
});

/** A job that has drawn some of its output. */
async function jobInRendering(): Promise<RunningJob> {
  const config = { quality: 'ultra' };
  const job = await createJob(service, { video_id: videoId, webhook_url: hook.url, config });
  await job.childDrawing();
  return job;
}

async function events(job: RunningJob): Promise<string[]> {
  const mine = () => hook.calls.filter(({ body }) => body.data.job_id === job.jobId);
  await waitFor('the webhook', () => mine().length > 0);
  return mine().map(({ event }) => event);
}

test('a cancelled rendering stops at once and leaves nothing', async (t) => {
  await using job = await jobInRendering();
  const children = childrenOf(service.pid);
  assert.equal(children.length, 1);
  const path = `/api/v1/jobs/${job.jobId}`;
  assertError(await call(service.baseUrl, 'DELETE', path), 'JOB_NOT_TERMINAL');
  const askedMs = performance.now();
  const cancelled = await call(service.baseUrl, 'POST', `${path}/cancel`);
  assert.equal(cancelled.status, 200);
  await assertGone(children, GONE_MS);
  const goneMs = performance.now() - askedMs;
  const result = await job.ended();
  assert.equal(result.status, 'cancelled');
  assert.equal(result.output_video_url, null);
  await waitFor('no file is left', () => filesUnder(service, `blobs/jobs/${job.jobId}`).size === 0);
  await waitFor('no working folder', () => readdirSync(join(service.dataDir, 'work')).length === 0);
  assertTidy(service);
  assert.deepEqual(await events(job), ['job.cancelled']);
  assert.equal((await call(service.baseUrl, 'DELETE', path)).status, 200);
  tellFigures(t, 'cancel in the middle of encoding', { tried: 1, slowestMs: goneMs, lost: 0 });
});

test('a job that is cancelled as soon as it is made never runs on', async () => {
  await using job = await createJob(service, { video_id: videoId, webhook_url: hook.url });
  assert.equal((await call(service.baseUrl, 'POST', `/api/v1/jobs/${job.jobId}/cancel`)).status, 200);
  assert.equal((await job.ended()).status, 'cancelled');
  await assertGone(childrenOf(service.pid), GONE_MS);
  assert.deepEqual(await events(job), ['job.cancelled']);
  assertTidy(service);
});

test('SIGTERM hands the job over, and the next service ends it', async (t) => {
  await using job = await jobInRendering();
  const children = childrenOf(service.pid);
  const stoppedMs = performance.now();
  assert.equal(await service.stop(), 0);
  const drainedMs = performance.now() - stoppedMs;
  assert.ok(drainedMs < DRAINED_MS);
  await assertGone(children, 0);
  assertTidy(service);
  assert.equal(filesUnder(service, `blobs/jobs/${job.jobId}`).size, 0);
  await service.restart();
  const result = await job.ended();
  assert.equal(result.status, 'completed', JSON.stringify(result.error));
  assert.equal(result.attempt, 2);
  assert.deepEqual(await events(job), ['job.completed']);
  assertTidy(service);
  tellFigures(t, 'SIGTERM without time to finish', { tried: 1, slowestMs: drainedMs, lost: 0 });
});
