import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DirectoryLockedError } from '../../src/database/directory-lock.ts';
import { openPglite } from '../../src/database/pglite.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { STAGE_NAMES } from '../../src/domain/stage.ts';
import { runScript } from '../support/child-lines.ts';
import { seedCluster } from '../support/cluster.ts';
import { newJob, openService, stagesThat, temporaryDirectory, untilAborted } from '../support/jobs.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';

const CHILD = new URL('../support/jobs-child.ts', import.meta.url);
/** Bounds that hold on a machine that is busy with other things; `bench/` measures. */
const LONG_MS = 60_000;
const never = new AbortController().signal;

test('a killed service loses nothing that it acknowledged, and continues its jobs', async () => {
  using directory = temporaryDirectory();
  await seedCluster(directory.path);
  await using child = runScript(CHILD, [directory.path]);
  const stuck = (await child.line((line) => line.endsWith('motion_analysis'))).split(' ')[1];
  const acknowledged = () => child.lines.filter((line) => line.startsWith('created '));
  while (acknowledged().length < 10) await sleep(20);
  await assert.rejects(openPglite(directory.path), DirectoryLockedError);
  await child.kill('SIGKILL');
  const created = acknowledged().map((line) => line.split(' ')[1]);

  await using service = await openService({ database: await openPglite(directory.path) });
  for (const jobId of created) assert.notEqual(await service.jobs.service.get(jobId), null);
  const before = await service.jobs.service.get(stuck);
  assert.ok(before?.status === 'processing');
  assert.equal(before.stage, 'motion_analysis');
  const stages: string[] = [];
  const restartedMs = performance.now();
  const run = stagesThat((work) => {
    if (work.jobId === stuck) stages.push(work.stage);
  });
  await service.jobs.startWorker(run, { concurrency: 1 });
  const done = await service.jobs.service.waitForEnd(stuck, LONG_MS, never);
  assert.ok(done?.status === 'completed');
  assert.ok(performance.now() - restartedMs < 15_000);
  assert.deepEqual(stages, STAGE_NAMES.slice(STAGE_NAMES.indexOf('motion_analysis')));
  assert.equal(done.attempt, 2);
  assert.deepEqual(done.startedAt, before.startedAt);
  assert.equal((await service.webhooks.service.list(stuck)).length, 1);
});

test('a drained service hands its job over, and no worker counts as lost', async () => {
  using directory = temporaryDirectory();
  await seedCluster(directory.path);
  const reached = Promise.withResolvers<string>();
  const first = await openService({ database: await openPglite(directory.path) });
  const stuck = stagesThat(async (work) => {
    if (work.stage !== 'rendering') return;
    work.onProgress(0.5);
    reached.resolve(work.jobId);
    await untilAborted(work.signal);
  });
  await first.jobs.startWorker(stuck, { concurrency: 1 });
  await newJob(first);
  const jobId = await reached.promise;
  await sleep(400);
  const before = await first.jobs.service.get(jobId);
  const startedMs = performance.now();
  await first[Symbol.asyncDispose]();
  assert.ok(performance.now() - startedMs < 10_000);

  await using second = await openService({ database: await openPglite(directory.path) });
  assert.deepEqual(await second.jobs.service.get(jobId), before);
  await second.jobs.startWorker(stagesThat(), { concurrency: 1 });
  const done = await second.jobs.service.waitForEnd(jobId, LONG_MS, never);
  assert.equal(done?.status, 'completed');
  assert.equal(done?.attempt, 2);
  const rows = await second.database.query('select workers_lost from jobs where job_id = $1', [jobId]);
  assert.deepEqual(rows, [{ workers_lost: 0 }]);
});

test('running work may finish within the grace time', async () => {
  await using service = await openService();
  const reached = Promise.withResolvers<void>();
  const slow = stagesThat(async () => {
    reached.resolve();
    await sleep(50);
  });
  const { jobId } = await newJob(service);
  await service.jobs.startWorker(slow, { concurrency: 1 });
  await reached.promise;
  await service.jobs.stop(10_000);
  assert.equal((await service.jobs.service.get(jobId))?.status, 'completed');
});

describe('with a PostgreSQL server', { skip: postgresMissing() ?? false }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server?.[Symbol.asyncDispose]());

  test('a stopped worker is replaced, and its later writes are refused', async () => {
    await using child = runScript(CHILD, [server.url]);
    const stuck = (await child.line((line) => line.endsWith('motion_analysis'))).split(' ')[1];
    child.child.kill('SIGSTOP');
    const stoppedMs = performance.now();
    await using service = await openService({ database: await openPostgres(server.url) });
    const run = stagesThat(async (work) => {
      // Long enough for the other to wake up and meet the new holder.
      if (work.jobId === stuck && work.stage === 'rendering') await sleep(1500);
    });
    const stages = service.jobs.startWorker(run, { concurrency: 4 });
    await stages;
    while ((await service.jobs.service.get(stuck))?.attempt === 1) await sleep(100);
    assert.ok(performance.now() - stoppedMs < 40_000);
    child.child.kill('SIGCONT');
    const done = await service.jobs.service.waitForEnd(stuck, LONG_MS, never);
    assert.equal(done?.status, 'completed');
    assert.equal(done?.attempt, 2);
    assert.equal((await service.webhooks.service.list(stuck)).length, 1);
  });

  test('a database outage delays jobs and loses none', async () => {
    await using service = await openService({ database: await openPostgres(server.url) });
    const reached = Promise.withResolvers<{ jobId: string; attempt: number }>();
    const slow = stagesThat(async (work) => {
      if (work.stage !== 'rendering') return;
      reached.resolve(work);
      await sleep(500);
    });
    await service.jobs.startWorker(slow, { concurrency: 1 });
    await newJob(service);
    // Any of the jobs: the previous test left some.
    const { jobId, attempt } = await reached.promise;
    await server.stop();
    await assert.rejects(service.jobs.service.get(jobId), (error) => isFailure(error, 'SERVICE_UNAVAILABLE'));
    await sleep(1500);
    await server.start();
    const done = await service.jobs.service.waitForEnd(jobId, LONG_MS, never);
    assert.equal(done?.status, 'completed');
    assert.equal(done?.attempt, attempt);
  });
});
