/** The claim of a running attempt on its job: its writes, and how it detects its loss. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Failure } from '../../src/domain/errors.ts';
import { JobChanges } from '../../src/jobs/model/job-changes.ts';
import { cancelJob, claimJob, deleteJob, selectJob } from '../../src/jobs/model/job-store.ts';
import { Claim } from '../../src/jobs/run/claim.ts';
import { type JobsService, newJob, openService } from '../support/jobs.ts';

let service: JobsService;
const changes = new JobChanges();
before(async () => {
  service = await openService();
  await changes.start(service.database);
});
after(async () => {
  await changes.stop();
  await service?.[Symbol.asyncDispose]();
});

/**
 * A claim with a clock that only `pass` advances, and its database requests: writes, and reads of the holder.
 */
async function held(t: TestContext, { reached = 0 } = {}) {
  const { jobId } = await newJob(service);
  const { job } = (await claimJob(service.database, jobId))!;
  let nowMs = 1_000;
  t.mock.timers.enable({ apis: ['setInterval'] });
  t.mock.method(performance, 'now', () => nowMs);
  const requested: ('write' | 'look')[] = [];
  let under = Promise.resolve<unknown>(undefined);
  let trouble: Error | null = null;
  const database: typeof service.database = {
    ...service.database,
    query: (sql, values) => {
      requested.push(sql.startsWith('update') ? 'write' : 'look');
      const answer = trouble === null ? service.database.query(sql, values) : Promise.reject(trouble);
      under = answer.catch(() => {});
      return answer as never;
    },
  };
  const claim = new Claim(database, changes, { ...job, progressPercent: reached });
  return {
    ...{ claim, jobId, database },
    /** The database does not answer from now on; null: it does again. */
    fail(error: Error | null) {
      trouble = error;
    },
    /** Advances the clock; resolves with the requests in the meantime after their answers. */
    async pass(ms: number) {
      requested.length = 0;
      nowMs += ms;
      t.mock.timers.tick(ms);
      const now = [...requested];
      await under;
      for (let turns = 0; turns < 3; turns++) await turn();
      return [...now, ...requested.slice(now.length)];
    },
    async row() {
      const job = await selectJob(service.database, jobId);
      return [job?.progressPercent, job?.status === 'processing' ? job.frame : null];
    },
    why: () => (claim.signal.aborted ? claim.signal.reason.why : null),
  };
}

describe('progress', () => {
  test('is written every quarter of a second at most, and only when there is any', async (t) => {
    const hold = await held(t);
    await using claim = hold.claim;
    claim.report(10);
    assert.deepEqual(await hold.pass(249), []);
    claim.report(12);
    assert.deepEqual(await hold.pass(1), ['write']);
    assert.deepEqual(await hold.row(), [12, null]);
    assert.deepEqual(await hold.pass(250), [], 'it is written');
    claim.report(12);
    assert.deepEqual(await hold.pass(250), [], 'no more than it was');
    claim.report(12.5);
    assert.deepEqual(await hold.pass(250), ['write']);
  });

  test('never decreases, nor below the progress of an earlier attempt', async (t) => {
    const hold = await held(t, { reached: 40 });
    await using claim = hold.claim;
    for (const percent of [10, 39]) claim.report(percent);
    assert.deepEqual(await hold.pass(250), []);
    claim.report(60);
    claim.report(50);
    await hold.pass(250);
    assert.deepEqual(await hold.row(), [60, null]);
  });

  test('a frame is written with it, and remains when only the percent grows', async (t) => {
    const hold = await held(t);
    await using claim = hold.claim;
    const frame = { sequence: 3, atSeconds: 1.5 };
    claim.report(20);
    claim.reportFrame(frame);
    assert.deepEqual(await hold.pass(250), ['write']);
    assert.deepEqual(await hold.row(), [20, frame]);
    claim.report(30);
    await hold.pass(250);
    assert.deepEqual(await hold.row(), [30, frame]);
    claim.reportFrame({ ...frame, sequence: 4 });
    await hold.pass(250);
    assert.deepEqual(await hold.row(), [30, { ...frame, sequence: 4 }]);
  });

  test('that could not be written is written later, and is no loss', async (t) => {
    const hold = await held(t);
    await using claim = hold.claim;
    hold.fail(new Failure('SERVICE_UNAVAILABLE', 'away'));
    claim.report(33);
    assert.deepEqual(await hold.pass(250), ['write']);
    assert.equal(hold.why(), null);
    hold.fail(null);
    assert.deepEqual(await hold.pass(250), ['write']);
    assert.deepEqual(await hold.row(), [33, null]);
  });

  test('sends no requests after its release, nor after a stop', async (t) => {
    const hold = await held(t);
    hold.claim.report(5);
    hold.claim.stop('handed_over');
    assert.deepEqual(await hold.pass(5_000), []);
    await hold.claim[Symbol.asyncDispose]();
    t.mock.timers.reset();
    const next = await held(t);
    next.claim.report(5);
    await next.claim[Symbol.asyncDispose]();
    assert.deepEqual(await next.pass(5_000), []);
    // Notifications have no effect either: another claim may hold the job.
    await cancelJob(service.database, next.jobId);
    await next.pass(0);
    assert.equal(next.why(), null);
  });
});

describe('the hold', () => {
  test('is checked once a second without writes; a write counts as a check', async (t) => {
    const hold = await held(t);
    await using claim = hold.claim;
    for (const expected of [[], [], [], ['look'], [], [], [], ['look']])
      assert.deepEqual(await hold.pass(250), expected);
    await hold.pass(500);
    claim.report(50);
    assert.deepEqual(await hold.pass(250), ['write']);
    for (const expected of [[], [], [], ['look']]) assert.deepEqual(await hold.pass(250), expected);
    assert.equal(hold.why(), null);
  });

  const losses = [
    ['cancelled', 'cancelled', (jobId: string) => cancelJob(service.database, jobId)],
    ['another’s', 'lost', (jobId: string) => claimJob(service.database, jobId)],
    [
      'queued again, which no move makes',
      'lost',
      (jobId: string) =>
        service.database.query(`update jobs set status = 'queued', stage = null where job_id = $1`, [jobId]),
    ],
    [
      'gone',
      'lost',
      async (jobId: string) => {
        await service.database.query(
          `update jobs set status = 'failed', error = '{}', stage = null, completed_at = now() where job_id = $1`,
          [jobId],
        );
        await deleteJob(service.database, jobId);
      },
    ],
  ] as const;
  for (const [what, why, change] of losses)
    test(`the loss of a job that is ${what} is detected by a check and by a write`, async (t) => {
      // Without a notification, since one can be lost.
      const deaf = new JobChanges();
      for (const percent of [0, 70]) {
        const { jobId } = await newJob(service);
        const { job } = (await claimJob(service.database, jobId))!;
        t.mock.timers.enable({ apis: ['setInterval'] });
        const claim = new Claim(service.database, deaf, job);
        await change(jobId);
        claim.report(percent);
        if (percent === 0) await claim.check();
        t.mock.timers.tick(percent === 0 ? 0 : 250);
        await claim[Symbol.asyncDispose]();
        assert.equal(claim.signal.reason?.why, why);
        // The state remains: the first reason decides.
        claim.stop('handed_over');
        assert.equal(claim.signal.reason.why, why);
        t.mock.timers.reset();
      }
    });

  test('notifications do not affect the claim of a job that continues', async (t) => {
    const hold = await held(t);
    await using _claim = hold.claim;
    await service.database.query(`select pg_notify('styledna_job_changed', $1)`, [
      `${hold.jobId} processing`,
    ]);
    await hold.pass(0);
    assert.equal(hold.why(), null);
    await cancelJob(service.database, hold.jobId);
    await hold.pass(0);
    assert.equal(hold.why(), 'cancelled');
  });
});
