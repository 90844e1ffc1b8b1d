/** SIGTERM while a job runs and there is time for it: the job is finished, and nothing new is begun. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { waitFor } from '../support/processes.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { assertTidy, createJob, uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';

const AT_ONCE_MS = 1_000;
const clip = await makeClip(temporaryFolder(), {
  name: 'clip',
  durationSeconds: 6,
  width: 640,
  height: 360,
});
let service: Service;
let hook: Receiver;
before(async () => {
  service = await startService({ DRAIN_SECONDS: '120' });
  hook = await openReceiver();
});
after(async () => {
  await service?.[Symbol.asyncDispose]();
  await hook?.[Symbol.asyncDispose]();
});

const readiness = async () => (await fetch(`${service.baseUrl}/readyz`)).status;

test('running work is finished, new work refused, the next service does the rest', async (t) => {
  const video_id = await uploaded(service, clip);
  const running = await createJob(service, { video_id, webhook_url: hook.url });
  const waiting = await createJob(service, { video_id, webhook_url: hook.url });
  await running.childAt('video_analysis');
  assert.equal(await readiness(), 200);
  const toldMs = performance.now();
  const stopping = service.stop();
  await waitFor('/readyz says so', async () => (await readiness()) === 503, AT_ONCE_MS);
  const noticedMs = performance.now() - toldMs;
  assertError(await call(service.baseUrl, 'POST', '/api/v1/jobs', { json: { video_id } }), 'DRAINING');
  assertError(await upload(service.baseUrl, clip), 'DRAINING');
  const { status } = await call(service.baseUrl, 'GET', `/api/v1/jobs/${waiting.jobId}`);
  assert.equal(status, 200);
  assert.equal(await stopping, 0);
  assertTidy(service);
  await service.restart();
  for (const job of [running, waiting]) {
    const result = await job.ended();
    assert.equal(result.status, 'completed', JSON.stringify(result.error));
    assert.equal(result.attempt, 1);
  }
  await waitFor('both webhooks', () => hook.calls.length >= 2);
  assert.deepEqual(
    hook.calls.map(({ body }) => body.data.job_id).sort(),
    [running.jobId, waiting.jobId].sort(),
  );
  for (const job of [running, waiting]) await job[Symbol.asyncDispose]();
  tellFigures(t, 'SIGTERM with time to finish', { tried: 1, slowestMs: noticedMs, lost: 0 });
});
