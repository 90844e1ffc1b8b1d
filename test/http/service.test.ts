import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startService } from '../support/service.ts';

test('acknowledged data exist after SIGKILL and a restart; SIGTERM ends with 0', async () => {
  await using service = await startService({ WORKER_CONCURRENCY: '0' });
  const { baseUrl } = service;
  const video = (await upload(baseUrl, await makeClip(temporaryFolder(), { name: 'a', durationSeconds: 1 })))
    .body.data;
  const job = (await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: video.video_id } })).body.data;
  await service.kill();
  await service.restart();
  assert.equal(service.baseUrl, baseUrl);
  assert.deepEqual((await call(baseUrl, 'GET', `/api/v1/videos/${video.video_id}`)).body.data, video);
  const after = (await call(baseUrl, 'GET', `/api/v1/jobs/${job.job_id}`)).body.data;
  assert.deepEqual([after.status, after.created_at], ['queued', job.created_at]);
  assert.equal((await call(baseUrl, 'GET', '/api/v1/health')).status, 200);

  // An open stream of events must not hold the service back.
  const events = await fetch(`${baseUrl}/api/v1/jobs/${job.job_id}/events`);
  const started = performance.now();
  const [code] = await Promise.all([service.stop(), events.text().catch(() => '')]);
  assert.equal(code, 0);
  assert.ok(performance.now() - started < 10_000);
});
