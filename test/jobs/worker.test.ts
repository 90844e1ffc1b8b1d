import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/domain/errors.ts';
import { DEFAULT_JOB_CONFIG } from '../../src/domain/job-config.ts';
import { type RunStage, STAGE_NAMES, type StageWork } from '../../src/domain/stage.ts';
import type { Job } from '../../src/jobs/model/job.ts';
import { cancelJob, claimJob, selectJob } from '../../src/jobs/model/job-store.ts';
import { progressPercent } from '../../src/jobs/model/progress.ts';
import type { RunStopped } from '../../src/jobs/run/claim.ts';
import {
  type JobsService,
  newJob,
  openService,
  openShared,
  stagesThat,
  untilAborted,
} from '../support/jobs.ts';
import { waitFor } from '../support/processes.ts';

let place: Awaited<ReturnType<typeof openShared>>;
let shared: (typeof place)['shared'];
before(async () => {
  place = await openShared();
  shared = place.shared;
});
after(() => place?.[Symbol.asyncDispose]());

const LONG_MS = 60_000;
/** A check each second is the slowest that a job waits for; a busy machine takes longer, a fault for ever. */
const SOON_MS = 6_000;

async function ended(service: JobsService, jobId: string): Promise<Job> {
  const job = await service.jobs.service.waitForEnd(jobId, LONG_MS, new AbortController().signal);
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

test('a job’s progress passes its stages in order and reaches 100 at the end only', () => {
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

test('a job runs through all stages and completes with the publication of the last one', async () => {
  await using service = await openService({ shared });
  const observed: StageWork[] = [];
  const stages: RunStage = async (work) => {
    observed.push(work);
    work.onProgress(0.5);
    await sleep(60);
    const outcome = await stagesThat()(work);
    return { ...outcome, warnings: [{ code: 'ODD', message: 'odd' }] };
  };
  const job = await newJob(service, { givenStyle: { version: '1.0.0' }, webhookUrl: 'http://127.0.0.1:9/' });
  await service.jobs.startWorker(stages, { concurrency: 1 });
  const states: Job[] = [];
  for await (const state of service.jobs.service.watch(job.jobId, AbortSignal.timeout(LONG_MS)))
    states.push(state);
  const done = states.at(-1)!;
  assert.equal(done.status, 'completed');
  assert.equal(done.progressPercent, 100);
  assert.deepEqual(done.warnings, [{ code: 'ODD', message: 'odd' }]);
  assert.deepEqual(
    observed.map(({ stage }) => stage),
    STAGE_NAMES,
  );
  assert.deepEqual(new Set(observed.map(({ attempt }) => attempt)), new Set([1]));
  assert.equal(observed[0].source.videoId, job.videoId);
  assert.deepEqual(observed[0].style, { version: '1.0.0' });
  const percents = states.map(({ progressPercent: percent }) => percent);
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  assert.deepEqual(
    (await service.webhooks.service.list(job.jobId)).map(({ event }) => event),
    ['job.completed'],
  );
  assert.equal((await service.jobs.service.figures()).workers, 1);
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
      name: 'with a temporary failure',
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
      await using service = await openService({ shared });
      let count = 0;
      const stages = stagesThat(async (work) => {
        if (work.stage !== 'audio_analysis') return;
        count++;
        await service.blobs.put(`jobs/${work.jobId}/1/half.mp4`, Readable.from(['half']));
        throw error;
      });
      await service.jobs.startWorker(stages, { concurrency: 1 });
      const { jobId } = await newJob(service, { webhookUrl: 'http://127.0.0.1:9/' });
      const job = await ended(service, jobId);
      assert.ok(job.status === 'failed');
      assert.equal(count, tries);
      assert.equal(job.error.code, code);
      assert.equal(job.error.stage, 'audio_analysis');
      assert.doesNotMatch(JSON.stringify(job.error), /secret/);
      assert.ok(job.progressPercent < 100);
      assert.deepEqual(
        (await service.webhooks.service.list(jobId)).map(({ event }) => event),
        ['job.failed'],
      );
      await service.jobs.stop(1000);
      assert.equal(await service.blobs.head(`jobs/${jobId}/1/half.mp4`), null);
    });
  }

  test('and then works is no failure', async () => {
    await using service = await openService({ shared });
    let count = 0;
    const stages = stagesThat((work) => {
      if (work.stage === 'rendering' && count++ < 2) throw new Failure('WORKER_LOST', 'killed');
    });
    await service.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(service);
    const job = await ended(service, jobId);
    assert.equal(job.status, 'completed');
    assert.equal(job.attempt, 1);
  });

  test('does not affect the others', async () => {
    await using service = await openService({ shared });
    const broken = await newJob(service);
    const stages = stagesThat((work) => {
      if (work.jobId === broken.jobId) throw new Error('broken');
    });
    const others = await Promise.all(Array.from({ length: 49 }, () => newJob(service)));
    await service.jobs.startWorker(stages, { concurrency: 4 });
    for (const { jobId } of others) assert.equal((await ended(service, jobId)).status, 'completed');
    assert.equal((await ended(service, broken.jobId)).status, 'failed');
  });
});

describe('a running job', () => {
  test('that is cancelled is aborted at once, leaves no files and one webhook', async () => {
    await using service = await openService({ shared });
    const { stages, reached } = stuckAt('rendering');
    await service.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(service, { webhookUrl: 'http://127.0.0.1:9/' });
    const work = await reached;
    const key = `jobs/${jobId}/1/half.mp4`;
    await service.blobs.put(key, Readable.from(['half']));
    const startedMs = performance.now();
    assert.equal((await service.jobs.service.cancel(jobId)).status, 'cancelled');
    await untilAborted(work.signal).catch((reason) => assert.equal((reason as RunStopped).why, 'cancelled'));
    assert.ok(performance.now() - startedMs < SOON_MS);
    await service.jobs.stop(1000);
    assert.equal(await service.blobs.head(key), null);
    assert.equal((await selectJob(service.database, jobId))?.status, 'cancelled');
    assert.deepEqual(
      (await service.webhooks.service.list(jobId)).map(({ event }) => event),
      ['job.cancelled'],
    );
  });

  test('a cancelled job whose notification was lost is aborted by the next check', async () => {
    await using service = await openService({ shared });
    const { stages, reached } = stuckAt('rendering');
    await service.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(service);
    const work = await reached;
    const statement = `update jobs set status = 'cancelled', stage = null, completed_at = now() where job_id = $1`;
    await service.database.query(statement, [jobId]);
    const startedMs = performance.now();
    await assert.rejects(untilAborted(work.signal), { why: 'cancelled' });
    assert.ok(performance.now() - startedMs < SOON_MS);
  });

  test('a job that another worker has claimed is released, and the other one ends it', async () => {
    await using service = await openService({ shared });
    const { stages, reached } = stuckAt('rendering');
    await service.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(service, { webhookUrl: 'http://127.0.0.1:9/' });
    const work = await reached;
    // Before the other one claims it: the worker may detect this by itself at any time, and then removes its
    // files.
    const keyOf = (attempt: number) => `jobs/${jobId}/${attempt}/half.mp4`;
    for (const attempt of [1, 2]) await service.blobs.put(keyOf(attempt), Readable.from(['half']));
    await claimJob(service.database, jobId);
    const now = await selectJob(service.database, jobId);
    work.onProgress(0.9);
    await assert.rejects(untilAborted(work.signal), { why: 'lost' });
    await service.jobs.stop(1000);
    assert.deepEqual(await Array.fromAsync(service.blobs.list(`jobs/${jobId}/`)), [keyOf(2)]);
    assert.deepEqual(await selectJob(service.database, jobId), now);
    assert.deepEqual(await service.webhooks.service.list(jobId), []);
  });

  test('that ends in the moment of its cancellation ends once', async () => {
    await using service = await openService({ shared });
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    const stages = stagesThat(async (work) => {
      if (work.stage !== 'rendering') return;
      await cancelJob(service.database, work.jobId);
      resolve();
      throw new Error('late failure');
    });
    await service.jobs.startWorker(stages, { concurrency: 1 });
    const { jobId } = await newJob(service, { webhookUrl: 'http://127.0.0.1:9/' });
    await cancelled;
    await service.jobs.stop(1000);
    assert.equal((await selectJob(service.database, jobId))?.status, 'cancelled');
    assert.deepEqual(await service.webhooks.service.list(jobId), []);
  });

  test('that lost five workers fails as WORKER_LOST', async () => {
    await using service = await openService({ shared });
    const { jobId } = await newJob(service);
    for (let count = 0; count < 5; count++) await claimJob(service.database, jobId);
    await service.jobs.startWorker(stagesThat(), { concurrency: 1 });
    const job = await ended(service, jobId);
    assert.ok(job.status === 'failed');
    assert.equal(job.error.code, 'WORKER_LOST');
  });

  test('whose end cannot be announced does not end', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const jobEnded = async (_transaction: unknown, { jobId }: Job) => {
      resolve(jobId);
      throw new Error('no outbox');
    };
    await using service = await openService({ shared, jobEnded });
    await service.jobs.startWorker(stagesThat(), { concurrency: 1 });
    await newJob(service);
    assert.notEqual((await selectJob(service.database, await promise))?.status, 'completed');
  });
});

test('a completed job has the files of its last attempt only', async () => {
  await using service = await openService({ shared });
  const { jobId } = await newJob(service);
  for (let lost = 0; lost < 2; lost++) await claimJob(service.database, jobId);
  const keyOf = (attempt: number) => `jobs/${jobId}/${attempt}/output.mp4`;
  const stages = stagesThat(async ({ attempt }) => {
    await service.blobs.put(keyOf(attempt), Readable.from(['whole']));
  });
  for (const attempt of [1, 2]) await service.blobs.put(keyOf(attempt), Readable.from(['half']));
  await service.jobs.startWorker(stages, { concurrency: 1 });
  const job = await ended(service, jobId);
  assert.deepEqual([job.status, job.attempt], ['completed', 3]);
  await service.jobs.stop(1000);
  assert.deepEqual(await Array.fromAsync(service.blobs.list(`jobs/${jobId}/`)), [keyOf(3)]);
});

test('several jobs run at once, higher priority first', async () => {
  await using service = await openService({ shared });
  const order: number[] = [];
  let running = 0;
  let most = 0;
  for (const priority of [1, 99, 50, 98]) await newJob(service, { priority, config: { priority } });
  const stages = stagesThat(async (work) => {
    if (work.stage !== 'video_analysis') return;
    order.push(work.config.priority);
    running++;
    most = Math.max(most, running);
    await sleep(100);
    running--;
  });
  await service.jobs.startWorker(stages, { concurrency: 2 });
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

test('a config that an earlier version stored gets the defaults of newer fields', async () => {
  await using service = await openService({ shared });
  const job = await newJob(service);
  await service.database.query(`update jobs set config = '{"quality":"high"}' where job_id = $1`, [
    job.jobId,
  ]);
  const observed: unknown[] = [];
  await service.jobs.startWorker(
    stagesThat((work) => {
      observed.push(work.config);
    }),
    { concurrency: 1 },
  );
  await waitFor('a stage ran', () => observed.length > 0);
  assert.deepEqual(observed[0], { ...DEFAULT_JOB_CONFIG, quality: 'high' });
});

test('a client with one job is served between those of a client with many', async () => {
  await using service = await openService({ shared });
  const order: string[] = [];
  const names = [...Array.from({ length: 6 }, () => 'many'), 'few', 'few'];
  for (const name of names) await newJob(service, { client: name, config: { name } });
  const stages = stagesThat((work) => {
    if (work.stage === 'video_analysis') order.push(String(work.config['name']));
  });
  await service.jobs.startWorker(stages, { concurrency: 1 });
  await waitFor('all have run', () => order.length === names.length);
  assert.deepEqual(order, ['many', 'few', 'many', 'few', 'many', 'many', 'many', 'many']);
});

test('an idle worker claims a new job at once', async () => {
  await using service = await openService({ shared });
  const { promise, resolve } = Promise.withResolvers<number>();
  await service.jobs.startWorker(
    stagesThat(() => resolve(performance.now())),
    { concurrency: 1 },
  );
  await sleep(300);
  await newJob(service);
  const createdMs = performance.now();
  // Less than a poll, at its latest, on a busy machine.
  assert.ok((await promise) - createdMs < 900);
});

describe('while the storage cannot be used', () => {
  test('nothing is claimed: jobs remain queued, and continue when the storage is available', async () => {
    const place = { usable: false };
    const check = async () => {
      if (!place.usable) throw new Failure('SERVICE_UNAVAILABLE', 'gone');
    };
    const settings = { cacheMs: 10, pollDelaysMs: [20] };
    await using service = await openService({ shared, storage: { check, settings } });
    const { jobId } = await newJob(service);
    await service.jobs.startWorker(stagesThat(), { concurrency: 2 });
    await sleep(1500);
    const waiting = await service.jobs.service.get(jobId);
    assert.deepEqual([waiting?.status, waiting?.attempt], ['queued', 0]);
    place.usable = true;
    const done = await ended(service, jobId);
    assert.deepEqual([done.status, done.attempt], ['completed', 1]);
  });

  test('a worker that waits for it stops without delay, and the job stays queued', async () => {
    const check = () => Promise.reject(new Failure('SERVICE_UNAVAILABLE', 'gone'));
    await using service = await openService({ shared, storage: { check } });
    const { jobId } = await newJob(service);
    await service.jobs.startWorker(stagesThat(), { concurrency: 1 });
    await sleep(300);
    const startedMs = performance.now();
    await service.jobs.stop(10_000);
    assert.ok(performance.now() - startedMs < SOON_MS);
    assert.equal((await selectJob(shared, jobId))?.status, 'queued');
  });
});
