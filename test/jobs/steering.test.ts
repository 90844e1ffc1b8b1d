/**
 * The operator's view of workers and of the queue, and the effects of orders, below the routes
 * (`http/admin.test.ts`).
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { v7 as newId } from 'uuid';
import { type ErrorCode, isFailure } from '../../src/domain/errors.ts';
import { cancelJob, claimJob } from '../../src/jobs/model/job-store.ts';
import { deleteSilentWorkers, deleteWorker, upsertWorker } from '../../src/jobs/run/worker-store.ts';
import { canTakeJobs, STEERING_CHANNEL } from '../../src/jobs/steering/steering-store.ts';
import { type JobsService, newJob, openService } from '../support/jobs.ts';
import { deleteEntries, waitingEntries } from '../support/queue-entries.ts';

let service: JobsService;
before(async () => {
  service = await openService();
});
after(() => service?.[Symbol.asyncDispose]());
beforeEach(async () => {
  for (const table of ['jobs', 'workers']) await service.database.query(`delete from ${table}`);
  await deleteEntries(service.database);
  await service.jobs.steering.resume();
});

const query = (sql: string, values: readonly unknown[] = []) => service.database.query(sql, values);
const failure = (code: ErrorCode, words: RegExp) => (error: unknown) =>
  isFailure(error, code) && words.test(error.message);

/** A worker with its last heartbeat this long ago, started this many seconds after the others. */
async function worker(observed = '0 seconds', startedAfter = 0): Promise<string> {
  const workerId = newId();
  await upsertWorker(service.database, { workerId, host: `host ${startedAfter}`, pid: 7, concurrency: 3 });
  await query(
    `update workers set seen_at = now() - $2::interval, started_at = timestamptz '2026-01-01' + $3 * interval '1 second'
     where worker_id = $1`,
    [workerId, observed, startedAfter],
  );
  return workerId;
}

async function claimed(workerId: string | null, startedAt?: string): Promise<string> {
  const { jobId } = await newJob(service);
  await claimJob(service.database, jobId, workerId);
  if (startedAt !== undefined)
    await query('update jobs set started_at = $2 where job_id = $1', [jobId, startedAt]);
  return jobId;
}

const overview = (limit = 9) => service.jobs.steering.overview(limit);
const statesOf = async () => (await overview()).workers.map(({ state, running }) => [state, running]);

describe('workers', () => {
  test('are listed in the order of their starts: working, draining, drained, silent', async () => {
    const [last, first, second, third] = [
      await worker('35 seconds', 4),
      await worker('25 seconds', 1),
      await worker('0 seconds', 2),
      await worker('0 seconds', 3),
    ];
    for (const id of [second, third, last]) await service.jobs.steering.drain(id);
    for (const id of [first, first, second, last]) await claimed(id);
    // Neither one that has ended nor one that waits is running.
    const over = await claimed(third);
    await cancelJob(service.database, over);
    await newJob(service);
    assert.deepEqual(await statesOf(), [
      ['working', 2],
      ['draining', 1],
      ['drained', 0],
      ['silent', 1],
    ]);
    const [view] = (await overview()).workers;
    assert.deepEqual([view!.workerId, view!.host, view!.pid, view!.concurrency], [first, 'host 1', 7, 3]);
    assert.equal(view!.startedAt.toISOString(), '2026-01-01T00:00:01.000Z');
  });

  test('are the same after a new heartbeat, with their orders', async () => {
    const id = await worker('1 minute', 5);
    await service.jobs.steering.drain(id);
    assert.deepEqual(await statesOf(), [['silent', 0]]);
    await upsertWorker(service.database, { workerId: id, host: 'x', pid: 8, concurrency: 4 });
    assert.deepEqual(await statesOf(), [['drained', 0]]);
    assert.equal((await overview()).workers[0].startedAt.toISOString(), '2026-01-01T00:00:05.000Z');
  });

  test('are removed after an hour without a heartbeat, and one at its end', async () => {
    await worker('61 minutes', 1);
    const [stored, ends] = [await worker('59 minutes', 2), await worker('0 seconds', 3)];
    await deleteSilentWorkers(service.database);
    const known = async () => (await overview()).workers.map(({ workerId }) => workerId);
    assert.deepEqual(await known(), [stored, ends]);
    await deleteWorker(service.database, ends);
    assert.deepEqual(await known(), [stored]);
  });

  test('one that is not there cannot be ordered: those that are there are named, ten at most', async () => {
    const { steering } = service.jobs;
    for (const [id, words] of [
      ['nobody', /no worker "nobody". There are no workers$/],
      [newId(), /There are no workers$/],
    ] as const) {
      await assert.rejects(steering.drain(id), failure('WORKER_NOT_FOUND', words));
      await assert.rejects(steering.resumeWorker(id), failure('WORKER_NOT_FOUND', words));
    }
    for (let count = 1; count <= 11; count++) await worker('0 seconds', count);
    await assert.rejects(
      steering.drain(newId()),
      failure('WORKER_NOT_FOUND', /Workers: [0-9a-f-]{36} on host 1, .* on host 10$/),
    );
  });
});

describe('jobs that may be claimed', () => {
  test('by whom, while the queue is paused or a worker drained', async () => {
    const [one, other] = [await worker(), await worker()];
    const { steering } = service.jobs;
    const may = async () => [
      await canTakeJobs(service.database, one),
      await canTakeJobs(service.database, other),
      await canTakeJobs(service.database, newId()),
    ];
    assert.deepEqual(await may(), [true, true, true]);
    await steering.drain(one);
    assert.deepEqual(await may(), [false, true, true]);
    await steering.pause();
    assert.deepEqual(await may(), [false, false, false]);
    await steering.resume();
    assert.deepEqual(await may(), [false, true, true]);
    await steering.resumeWorker(one);
    assert.deepEqual(await may(), [true, true, true]);
  });

  test('every order notifies all workers; a refused one does not', async () => {
    let heard = 0;
    const stop = await service.database.listen(STEERING_CHANNEL, () => heard++);
    const id = await worker();
    const { steering } = service.jobs;
    const orders = [
      () => steering.pause(),
      () => steering.resume(),
      () => steering.drain(id),
      () => steering.resumeWorker(id),
    ];
    for (const [index, order] of orders.entries()) {
      await order();
      // Notifications are ordered: the answer to a statement arrives after them.
      await query('select 1');
      assert.equal(heard, index + 1);
    }
    await stop();
  });

  test('a second pause does not change the time of the first', async () => {
    const { steering } = service.jobs;
    assert.equal((await overview()).pausedAt, null);
    const before = Date.now();
    await steering.pause();
    const { pausedAt } = await overview();
    assert.ok(pausedAt!.getTime() >= before && pausedAt!.getTime() <= Date.now());
    await new Promise((resolve) => setTimeout(resolve, 5));
    await steering.pause();
    assert.deepEqual((await overview()).pausedAt, pausedAt);
    await steering.resume();
    assert.equal((await overview()).pausedAt, null);
    await steering.pause();
    assert.ok((await overview()).pausedAt!.getTime() > pausedAt!.getTime());
  });
});

describe('the queue', () => {
  test('running jobs, longest first, and the next jobs, in the order of their claims', async () => {
    const id = await worker();
    const late = await claimed(id, '2026-01-01T00:00:09Z');
    const early = await claimed(null, '2026-01-01T00:00:08Z');
    await query(`update jobs set stage = 'rendering', progress_percent = 61, attempt = 4 where job_id = $1`, [
      early,
    ]);
    const many: string[] = [];
    for (const [client, priority] of [
      ['many', 50],
      ['many', 50],
      ['few', 50],
      ['low', 10],
      ['high', 60],
    ] as const)
      many.push((await newJob(service, { client, priority })).jobId);
    const observed = await overview();
    assert.deepEqual([observed.queued, observed.processing], [5, 2]);
    assert.deepEqual(
      observed.running.map(({ jobId, workerId }) => [jobId, workerId]),
      [
        [early, null],
        [late, id],
      ],
    );
    const { stage, progressPercent, attempt, priority, startedAt } = observed.running[0];
    assert.deepEqual(
      [stage, progressPercent, attempt, priority, startedAt.toISOString()],
      ['rendering', 61, 4, 50, '2026-01-01T00:00:08.000Z'],
    );
    assert.deepEqual(
      observed.next.map(({ jobId }) => jobId),
      [4, 0, 2, 1, 3].map((index) => many[index]),
    );
    assert.ok(observed.oldestQueuedSeconds! >= 0 && observed.oldestQueuedSeconds! < 60);
    const short = await overview(1);
    assert.deepEqual(
      [short.running.map(({ jobId }) => jobId), short.next.map(({ jobId }) => jobId)],
      [[early], [many[4]]],
    );
  });

  test('a job with a changed priority is behind its client’s jobs of that priority, and no other moves', async () => {
    const client = 'one';
    const [first, second, moved] = [
      await newJob(service, { client, priority: 50 }),
      await newJob(service, { client, priority: 50 }),
      await newJob(service, { client, priority: 10 }),
    ].map(({ jobId }) => jobId) as [string, string, string];
    const other = (await newJob(service, { client: 'other', priority: 50 })).jobId;
    const next = async () => (await overview()).next.map(({ jobId }) => jobId);
    assert.deepEqual(await next(), [first, other, second, moved]);
    assert.equal((await service.jobs.steering.setPriority(moved, 50)).jobId, moved);
    assert.deepEqual(await next(), [first, other, second, moved]);
    await service.jobs.steering.setPriority(second, 51);
    assert.deepEqual(await next(), [second, first, other, moved]);
    // The order of the queue, which decides about claims.
    assert.deepEqual(await waitingEntries(service.database), [second, first, other, moved]);
  });

  test('only a job that is queued can be moved', async () => {
    const { steering } = service.jobs;
    const running = await claimed(null);
    await assert.rejects(
      steering.setPriority(running, 90),
      failure('JOB_NOT_QUEUED', new RegExp(`${running} is processing: only a queued job`)),
    );
    const row = await query('select priority from jobs where job_id = $1', [running]);
    assert.equal(row[0]['priority'], 50);
    for (const id of ['x', newId()])
      await assert.rejects(steering.setPriority(id, 90), failure('JOB_NOT_FOUND', new RegExp(`"${id}"`)));
  });
});
