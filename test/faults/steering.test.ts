/** Another process follows the orders sent to one, also after a restart; a trace includes both. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPostgres } from '../../src/database/postgres.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { claimJob } from '../../src/jobs/model/job-store.ts';
import { call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startCollector } from '../support/collector.ts';
import { newJob, openService } from '../support/jobs.ts';
import { postgresMissing, startMigrated, startPostgres } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { startService, startWorker } from '../support/service.ts';

const TOKEN = 'a-token-of-at-least-24-characters';
/** Longer than an idle worker waits before it looks into the queue. */
const TWO_LOOKS_MS = 2_500;

test('drain and pause across processes', { skip: postgresMissing() ?? false }, async () => {
  await using postgres = await startPostgres();
  await using collector = await startCollector();
  const environment = {
    DATABASE_URL: postgres.url,
    ADMIN_TOKEN: TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
  const folder = temporaryFolder();
  await using api = await startService({ ...environment, WORKER_CONCURRENCY: '0' }, folder);
  await using worker = await startWorker(environment, folder);
  const admin = async (method: string, path: string) =>
    (
      await call(api.baseUrl, method, `/api/v1/admin/${path}`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      })
    ).body.data;
  const clip = await makeClip(folder, { name: 'clip', durationSeconds: 0.6 });
  const { video_id } = (await upload(api.baseUrl, clip)).body.data;
  const create = async () =>
    (await call(api.baseUrl, 'POST', '/api/v1/jobs', { json: { video_id, config: { quality: 'low' } } })).body
      .data.job_id as string;
  const statusOf = async (jobId: string) =>
    (await call(api.baseUrl, 'GET', `/api/v1/jobs/${jobId}`)).body.data.status as string;

  const [{ worker_id: workerId }] = (await admin('GET', 'queue')).workers;
  await admin('POST', `workers/${workerId}/drain`);
  const first = await create();
  await sleep(TWO_LOOKS_MS);
  assert.equal(await statusOf(first), 'queued');
  assert.equal((await admin('GET', 'queue')).workers[0].state, 'drained');
  await admin('POST', `workers/${workerId}/resume`);
  await waitFor('its end', async () => (await statusOf(first)) === 'completed');

  await admin('POST', 'queue/pause');
  const second = await create();
  await worker.kill();
  await worker.restart();
  await sleep(TWO_LOOKS_MS);
  assert.equal(await statusOf(second), 'queued');
  await admin('POST', 'queue/resume');
  await waitFor('its end', async () => (await statusOf(second)) === 'completed');

  const spanOf = (name: string, jobId: string) =>
    collector.spans.find((span) => span.name === name && span.attributes['styledna.job.id'] === jobId);
  // The first one's may have ended with its worker.
  const attempt = await waitFor('its span', () => spanOf('job', second));
  const request = collector.spans.find(({ spanId }) => spanId === attempt.parentSpanId);
  assert.deepEqual([request?.name, request?.traceId], ['POST /api/v1/jobs', attempt.traceId]);
});

test('a job that a worker is taking is not moved', { skip: postgresMissing() ?? false }, async () => {
  await using postgres = await startMigrated();
  // The service closes its database: the server's own goes with it.
  await using service = await openService({ database: await openPostgres(postgres.server.url) });
  const { jobId } = await newJob(service);
  const moving = await postgres.database.transaction(async (transaction) => {
    await claimJob(transaction, jobId, null);
    const moved = service.jobs.steering.setPriority(jobId, 9);
    moved.catch(() => {});
    await waitFor('who moves it waits for who takes it', async () => {
      const [row] = await postgres.database.query<{ waiting: boolean }>(
        `select exists (select from pg_stat_activity where wait_event_type = 'Lock') as waiting`,
      );
      return row!.waiting;
    });
    return { moved };
  });
  await assert.rejects(moving.moved, (error) => isFailure(error, 'JOB_NOT_QUEUED'));
  const [row] = await postgres.database.query<{ priority: number }>(
    'select priority from jobs where job_id = $1',
    [jobId],
  );
  assert.notEqual(row!.priority, 9);
});
