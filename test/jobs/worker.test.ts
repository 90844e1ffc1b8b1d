import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/errors.ts';
import type { RunStopped } from '../../src/jobs/claim.ts';
import type { Job } from '../../src/jobs/job.ts';
import { cancelJob, claimJob, selectJob } from '../../src/jobs/job-store.ts';
import { progressPercent } from '../../src/jobs/progress.ts';
import { type RunStage, STAGE_NAMES, type StageWork } from '../../src/stage.ts';
import { type JobsHouse, newJob, openHouse, openShared, stagesThat, untilAborted } from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';

let place: Awaited<ReturnType<typeof openShared>>;
let shared: (typeof place)['shared'];
before(async () => {
  place = await openShared();
  shared = place.shared;
});
after(() => place?.[Symbol.asyncDispose]());

const LONG_MS = 60_000;

async function ended(house: JobsHouse, jobId: string): Promise<Job> {
  const job = await house.jobs.desk.waitForEnd(jobId, LONG_MS, new AbortController().signal);
  assert.ok(job !== null);
  return job;
}

/** A stage that never ends by itself, at `stage`: resolves with its work once it runs. */
function stuckAt(stage: string): { readonly stages: RunStage; readonly reached: Promise<StageWork> } {
  const { promise, resolve } = Promise.withResolvers<StageWork>();
  const stages = stagesThat(async (work) => {
    if (work.stage !== stage) return;
    resolve(work);
    await untilAborted(work.signal);
  });
  return { stages, reached: promise };
}

test('a job’s progress goes through its stages in order and leaves 100 to the end', () => {
  const values = STAGE_NAMES.flatMap((stage) => [0, 0.5, 1].map((part) => progressPercent(stage, part)));
  assert.deepEqual(
    values,
    values.toSorted((a, b) => a - b),
  );
  assert.equal(values[0], 0);
  assert.equal(values.at(-1), 99);
  assert.equal(progressPercent('rendering', 7), 99);
  assert.equal(progressPercent('video_analysis', -1), 0);
});

test('a job runs through all stages and is completed with what the last one published', async () => {
  await using house = await openHouse({ shared });
  const seen: StageWork[] = [];
  const stages: RunStage = async (work) => {
    seen.push(work);
    work.onProgress(0.5);
    await sleep(60);
    const outcome = await stagesThat()(work);
    return { ...outcome, warnings: [{ code: 'ODD', message: 'odd' }] };
  };
  const job = await newJob(house, { givenStyle: { version: '1.0.0' }, webhookUrl: 'http://127.0.0.1:9/' });
  await house.jobs.startWorker(stages, { concurrency: 1 });
  const states: Job[] = [];
  for await (const state of house.jobs.desk.watch(job.jobId, AbortSignal.timeout(LONG_MS)))
    states.push(state);
  const done = states.at(-1)!;
  assert.equal(done.status, 'completed');
  assert.equal(done.progressPercent, 100);
  assert.deepEqual(done.warnings, [{ code: 'ODD', message: 'odd' }]);
  assert.deepEqual(
    seen.map(({ stage }) => stage),
    STAGE_NAMES,
  );
  assert.deepEqual(new Set(seen.map(({ attempt }) => attempt)), new Set([1]));
  assert.equal(seen[0]!.source.videoId, job.videoId);
  assert.deepEqual(seen[0]!.style, { version: '1.0.0' });
  const percents = states.map(({ progressPercent: percent }) => percent);
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    (await house.webhooks.desk.list(job.jobId)).map(({ event }) => event),
    ['job.completed'],
  );
  assert.equal((await house.jobs.desk.figures()).workers, 1);
});

describe('a stage that fails', () => {
  const cases = [
    {
      name: 'for good',
      error: new Failure('INPUT_CORRUPT', 'Frame 3 is broken.'),
      tries: 1,
      code: 'INPUT_CORRUPT',
    },
    {
      name: 'in a way that may pass',
      error: new Failure('ENCODER_FAILED', 'x'),
      tries: 3,
      code: 'ENCODER_FAILED',
    },
    { name: 'by a bug', error: new Error('secret /etc/passwd'), tries: 1, code: 'INTERNAL_ERROR' },
    {
      name: 'with a request’s code',
      error: new Failure('RATE_LIMITED', 'secret'),
      tries: 1,
      code: 'INTERNAL_ERROR',
    },
  ] as const;
  for (const { name, error, tries, code } of cases) {
    test(`${name} is tried ${tries} time(s) and ends the job with ${code}`, async () => {
      await using house = await openHouse({ shared });
      let count = 0;
      const stages = stagesThat(async (work) => {
        if (work.stage !== 'audio_analysis') return;
        count++;
        await house.blobs.put(`jobs/${work.jobId}/1/half.mp4`, Readable.from(['half']));
        throw error;
      });
      await house.jobs.startWorker(stages, { concurrency: 1 });
      const { jobId } = await newJob(house, { webhookUrl: 'http://127.0.0.1:9/' });
      const job = await ended(house, jobId);
      assert.ok(job.status === 'failed');
      assert.equal(count, tries);
      assert.equal(job.error.code, code);
      assert.equal(job.error.stage, 'audio_analysis');
      assert.doesNotMatch(JSON.stringify(job.error), /secret/);
      assert.ok(job.progressPercent < 100);
      assert.deepEqual(
        (await house.webhooks.desk.list(jobId)).map(({ event }) => event),
        ['job.failed'],
      );
      await house.jobs.stop(1000);
      assert.equal(await house.blobs.head(`jobs/${jobId}/1/half.mp4`), null);
    });
  }

  test('and then works is no failure', async () => {
    await using house = await openHouse({ shared });
    let count = 0;
    const stages = stagesThat((work) => {
      if (work.stage === 'rendering' && count++ < 2) throw new Failure('WORKER_LOST', 'killed');
    });
    await house.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(house);
    const job = await ended(house, jobId);
    assert.equal(job.status, 'completed');
    assert.equal(job.attempt, 1);
  });

  test('takes none of the others with it', async () => {
    await using house = await openHouse({ shared });
    const broken = await newJob(house);
    const stages = stagesThat((work) => {
      if (work.jobId === broken.jobId) throw new Error('broken');
    });
    const others = await Promise.all(Array.from({ length: 49 }, () => newJob(house)));
    await house.jobs.startWorker(stages, { concurrency: 4 });
    for (const { jobId } of others) assert.equal((await ended(house, jobId)).status, 'completed');
    assert.equal((await ended(house, broken.jobId)).status, 'failed');
  });
});

describe('a running job', () => {
  test('that is cancelled is aborted at once, leaves no files and one webhook', async () => {
    await using house = await openHouse({ shared });
    const { stages, reached } = stuckAt('rendering');
    await house.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(house, { webhookUrl: 'http://127.0.0.1:9/' });
    const work = await reached;
    const key = `jobs/${jobId}/1/half.mp4`;
    await house.blobs.put(key, Readable.from(['half']));
    const startedMs = performance.now();
    assert.equal((await house.jobs.desk.cancel(jobId)).status, 'cancelled');
    await untilAborted(work.signal).catch((reason) => assert.equal((reason as RunStopped).why, 'cancelled'));
    assert.ok(performance.now() - startedMs < 2000);
    await house.jobs.stop(1000);
    assert.equal(await house.blobs.head(key), null);
    assert.equal((await selectJob(house.database, jobId))?.status, 'cancelled');
    assert.deepEqual(
      (await house.webhooks.desk.list(jobId)).map(({ event }) => event),
      ['job.cancelled'],
    );
  });

  test('that is cancelled unheard is aborted by the next look', async () => {
    await using house = await openHouse({ shared });
    const { stages, reached } = stuckAt('rendering');
    await house.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(house);
    const work = await reached;
    const statement = `update jobs set status = 'cancelled', stage = null, completed_at = now() where job_id = $1`;
    await house.database.query(statement, [jobId]);
    const startedMs = performance.now();
    await assert.rejects(untilAborted(work.signal), { why: 'cancelled' });
    assert.ok(performance.now() - startedMs < 2000);
  });

  test('that another worker took is let go, and its end is the other’s', async () => {
    await using house = await openHouse({ shared });
    const { stages, reached } = stuckAt('rendering');
    await house.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(house, { webhookUrl: 'http://127.0.0.1:9/' });
    const work = await reached;
    await claimJob(house.database, jobId);
    const now = await selectJob(house.database, jobId);
    work.onProgress(0.9);
    await assert.rejects(untilAborted(work.signal), { why: 'lost' });
    await house.jobs.stop(1000);
    assert.deepEqual(await selectJob(house.database, jobId), now);
    assert.deepEqual(await house.webhooks.desk.list(jobId), []);
  });

  test('that ends in the moment of its cancellation ends once', async () => {
    await using house = await openHouse({ shared });
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const stages = stagesThat(async (work) => {
      if (work.stage !== 'rendering') return;
      await cancelJob(house.database, work.jobId);
      resolve();
      throw new Error('late failure');
    });
    await house.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(house, { webhookUrl: 'http://127.0.0.1:9/' });
    await cancelled;
    await house.jobs.stop(1000);
    assert.equal((await selectJob(house.database, jobId))?.status, 'cancelled');
    assert.deepEqual(await house.webhooks.desk.list(jobId), []);
  });

  test('over which five workers died fails as WORKER_LOST', async () => {
    await using house = await openHouse({ shared });
    const { jobId } = await newJob(house);
    for (let count = 0; count < 5; count++) await claimJob(house.database, jobId);
    await house.jobs.startWorker(stagesThat(), { concurrency: 1 });
    const job = await ended(house, jobId);
    assert.ok(job.status === 'failed');
    assert.equal(job.error.code, 'WORKER_LOST');
  });

  test('whose end cannot be announced does not end', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const jobEnded = async (_transaction: unknown, { jobId }: Job) => {
      resolve(jobId);
      throw new Error('no outbox');
    };
    await using house = await openHouse({ shared, jobEnded });
    await house.jobs.startWorker(stagesThat(), { concurrency: 1 });
    await newJob(house);
    assert.notEqual((await selectJob(house.database, await promise))?.status, 'completed');
  });
});

test('several jobs run at once, higher priority first', async () => {
  await using house = await openHouse({ shared });
  const order: number[] = [];
  let running = 0;
  let most = 0;
  for (const priority of [1, 99, 50, 98]) await newJob(house, { priority, config: { priority } });
  const stages = stagesThat(async (work) => {
    if (work.stage !== 'video_analysis') return;
    order.push((work.config as { priority: number }).priority);
    running++;
    most = Math.max(most, running);
    await sleep(100);
    running--;
  });
  await house.jobs.startWorker(stages, { concurrency: 2 });
  const deadlineMs = performance.now() + LONG_MS;
  while (order.length < 4 && performance.now() < deadlineMs) await sleep(20);
  assert.deepEqual(
    [order.slice(0, 2).sort(), order.slice(2)],
    [
      [98, 99],
      [50, 1],
    ],
  );
  assert.equal(most, 2);
});

test('a client with one job is served between those of a client with many', async () => {
  await using house = await openHouse({ shared });
  const order: string[] = [];
  const names = [...Array.from({ length: 6 }, () => 'many'), 'few', 'few'];
  for (const name of names) await newJob(house, { client: name, config: { name } });
  const stages = stagesThat((work) => {
    if (work.stage === 'video_analysis') order.push((work.config as { name: string }).name);
  });
  await house.jobs.startWorker(stages, { concurrency: 1 });
  await waitFor('all have run', () => order.length === names.length);
  assert.deepEqual(order, ['many', 'few', 'many', 'few', 'many', 'many', 'many', 'many']);
});

test('an idle worker takes a new job at once', async () => {
  await using house = await openHouse({ shared });
  const { promise, resolve } = Promise.withResolvers<number>();
  await house.jobs.startWorker(
    stagesThat(() => resolve(performance.now())),
    { concurrency: 1 },
  );
  await sleep(300);
  await newJob(house);
  const createdMs = performance.now();
  // Less than a poll, at its latest, on a busy machine.
  assert.ok((await promise) - createdMs < 900);
});
