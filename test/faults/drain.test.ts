/** SIGTERM while something is done and there is time for it: a job is finished, and nothing new is begun. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { tellFigures } from '../support/figures.ts';
import { childrenOf, waitFor } from '../support/processes.ts';
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

test('previews in the middle are refused as retryable, leave nothing, and are drawn by the next service', async () => {
  const video_id = await uploaded(service, clip);
  const preview = (style_strength: number) =>
    call(service.baseUrl, 'POST', '/api/v1/previews', {
      json: { video_id, preset: 'golden-hour', config: { style_strength } },
    });
  await waitFor('the first preview', async () => (await preview(0.5)).status === 200);
  // One is drawn, the others wait for their turn.
  const requested = [0.1, 0.2, 0.3, 0.4].map(preview);
  await waitFor('a child that draws', () => childrenOf(service.pid).length > 0);
  const stopping = service.stop();
  for (const answer of await Promise.all(requested)) {
    if (answer.status === 200) continue;
    assertError(answer, 'DRAINING');
    assert.equal(answer.body.error.retryable, true);
  }
  assert.equal(await stopping, 0);
  assertTidy(service);
  await service.restart();
  for (const strength of [0.1, 0.4]) assert.equal((await preview(strength)).status, 200);
  // A child waits for the next one.
  assert.equal(await service.stop(), 0);
  assertTidy(service);
});
