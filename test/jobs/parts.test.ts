/**
 * Parts of a job's stage that several workers may claim: each is done once, and those of ended workers are
 * released.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 as newId } from 'uuid';
import { isFailure } from '../../src/domain/errors.ts';
import { claimJob } from '../../src/jobs/model/job-store.ts';
import {
  claimPart,
  deleteEndedParts,
  deleteParts,
  finishPart,
  type HeldPart,
  openParts,
  releasePart,
  renewPart,
  selectPartResults,
} from '../../src/jobs/model/part-store.ts';
import { doHeldPart, JobParts } from '../../src/jobs/run/parts.ts';
import { type JobsService, newJob, openService } from '../support/jobs.ts';

const PLAN = 'a plan';
const never = new AbortController().signal;

describe('parts of a job', { concurrency: 1 }, () => {
  let service: JobsService;
  before(async () => {
    service = await openService();
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
  });

  /** A job that is processing, with so many parts, and no parts of others. */
  async function running(count: number) {
    await service.database.query('delete from job_parts');
    const { jobId } = await newJob(service);
    const claimed = await claimJob(service.database, jobId);
    const job = { jobId, attempt: claimed!.job.attempt };
    await openParts(service.database, job, PLAN, count);
    return job;
  }
  const claim = (jobId: string | null) => claimPart(service.database, newId(), jobId);
  const expire = ({ jobId, part }: HeldPart) =>
    service.database.query(
      `update job_parts set held_until = now() - interval '1 ms' where job_id = $1 and part = $2`,
      [jobId, part],
    );
  const results = (jobId: string) => selectPartResults(service.database, jobId);

  test('are handed out in order, each to one', async () => {
    const { jobId } = await running(3);
    const held = [await claim(jobId), await claim(jobId), await claim(jobId), await claim(jobId)];
    assert.deepEqual(
      held.map((part) => part && [part.plan, part.part]),
      [[PLAN, 0], [PLAN, 1], [PLAN, 2], null],
    );
  });

  test('are leased to another worker after their expiry, and late results are refused', async () => {
    const { jobId } = await running(1);
    const first = (await claim(jobId))!;
    assert.equal(await claim(jobId), null);
    await expire(first);
    const second = (await claim(jobId))!;
    assert.deepEqual([second.part, first.isTakenOver, second.isTakenOver], [0, false, true]);
    assert.equal(await renewPart(service.database, first), false);
    assert.equal(await finishPart(service.database, first, 'late'), false);
    await releasePart(service.database, first);
    assert.equal(await renewPart(service.database, second), true);
    assert.equal(await finishPart(service.database, second, { a: 1 }), true);
    assert.deepEqual(await results(jobId), [{ a: 1 }]);
    // Done is done.
    assert.equal(await claim(jobId), null);
    assert.equal(await finishPart(service.database, second, 'again'), false);
  });

  test('that are renewed cannot be claimed by others', async () => {
    const { jobId } = await running(1);
    const held = (await claim(jobId))!;
    await expire(held);
    assert.equal(await renewPart(service.database, held), true);
    assert.equal(await claim(jobId), null);
  });

  test('that were released are available at once', async () => {
    const { jobId } = await running(1);
    await releasePart(service.database, (await claim(jobId))!);
    const again = await claim(jobId);
    assert.deepEqual([again?.part, again?.isTakenOver], [0, false]);
  });

  test('that three have failed at are left to the job’s own worker', async () => {
    const { jobId } = await running(1);
    for (let time = 0; time < 3; time++) {
      const held = (await claim(null))!;
      assert.equal(held.jobId, jobId);
      await releasePart(service.database, held);
    }
    assert.equal(await claim(null), null);
    assert.equal((await claim(jobId))?.part, 0);
  });

  test('of a job that has ended cannot be claimed, and are deleted', async () => {
    const { jobId } = await running(2);
    const held = (await claim(jobId))!;
    await service.jobs.service.cancel(jobId);
    assert.equal(await renewPart(service.database, held), false);
    assert.equal(await claim(null), null);
    await deleteEndedParts(service.database);
    assert.deepEqual(await results(jobId), []);
  });

  test('persist from one attempt to the next, unless the plan differs', async () => {
    const { jobId, attempt } = await running(2);
    await finishPart(service.database, (await claim(jobId))!, 'done');
    const next = (await claimJob(service.database, jobId))!.job;
    await openParts(service.database, next, PLAN, 2);
    assert.deepEqual(await results(jobId), ['done', null]);
    // An attempt that has lost the job makes none.
    await openParts(service.database, { jobId, attempt }, 'another', 5);
    assert.deepEqual(await results(jobId), []);
    await openParts(service.database, next, 'another', 1);
    assert.deepEqual(await results(jobId), [null]);
  });

  test('do not affect other parts, of their job or of another', async () => {
    const { jobId } = await running(2);
    const other = (await newJob(service)).jobId;
    const { attempt } = (await claimJob(service.database, other))!.job;
    await openParts(service.database, { jobId: other, attempt }, PLAN, 2);
    // One worker holds them all.
    const holder = newId();
    const take = async (from: string) => (await claimPart(service.database, holder, from))!;
    const [own, ownSecond, others, othersSecond] = [
      ...[await take(jobId), await take(jobId)],
      ...[await take(other), await take(other)],
    ] as [HeldPart, HeldPart, HeldPart, HeldPart];
    assert.equal(await finishPart(service.database, own, 'done'), true);
    assert.deepEqual(
      [await results(jobId), await results(other)],
      [
        ['done', null],
        [null, null],
      ],
    );
    await releasePart(service.database, othersSecond);
    assert.equal(await claim(jobId), null);
    assert.equal((await claim(other))?.part, 1);
    for (const held of [ownSecond, others]) await expire(held);
    assert.equal(await renewPart(service.database, ownSecond), true);
    assert.equal(await claim(jobId), null);
    assert.equal((await claim(other))?.part, 0);
    // Both run: none is forgotten as ended.
    await deleteEndedParts(service.database);
    assert.deepEqual(
      [await results(jobId), await results(other)],
      [
        ['done', null],
        [null, null],
      ],
    );
    await deleteParts(service.database, jobId);
    assert.deepEqual([await results(jobId), await results(other)], [[], [null, null]]);
  });

  test('all of them: done once each, by two workers, with progress that never falls', async () => {
    const job = await running(0);
    const done: number[] = [];
    const fractions: number[] = [];
    const owner = new JobParts(service, job, never);
    const doPart = async (part: number) => {
      done.push(part);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return `part ${part}`;
    };
    const other = (async () => {
      for (let idle = 0; idle < 50; idle++) {
        const held = await claim(null);
        if (held !== null) await doHeldPart(service, held, never, () => doPart(held.part));
        else await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const input = await owner.all(PLAN, 12, doPart, (fraction) => fractions.push(fraction));
    await other;
    assert.deepEqual(
      input,
      Array.from({ length: 12 }, (_, part) => `part ${part}`),
    );
    assert.deepEqual(
      done.sort((a, b) => a - b),
      [...Array(12).keys()],
    );
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
    assert.equal(fractions.at(-1), 1);
    await owner.forget();
    assert.deepEqual(await results(job.jobId), []);
  });

  test('half of a part is half of its share', async () => {
    const job = await running(0);
    const fractions: number[] = [];
    await new JobParts(service, job, never).all(
      PLAN,
      2,
      async (_part, { onProgress }) => onProgress(0.5),
      (fraction) => fractions.push(fraction),
    );
    assert.deepEqual(fractions, [0, 0.25, 0.5, 0.75, 1]);
  });

  test('a part that fails ends the stage with its own error, and is free again', async () => {
    const job = await running(0);
    const owner = new JobParts(service, job, never);
    const failing = owner.all(
      PLAN,
      2,
      () => Promise.reject(new Error('no good')),
      () => {},
    );
    await assert.rejects(failing, (error: Error) => error.message === 'no good' && !isFailure(error));
    assert.equal((await claim(job.jobId))?.part, 0);
  });
});
