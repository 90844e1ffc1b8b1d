import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { claimJob, failJob } from '../../src/jobs/model/job-store.ts';
import { newJob, openService, openShared } from '../support/jobs.ts';
import { waitingEntries } from '../support/queue-entries.ts';

let place: Awaited<ReturnType<typeof openShared>>;
before(async () => {
  place = await openShared();
});
after(() => place?.[Symbol.asyncDispose]());

const JOBS = 40;
/** The first runs alone; those that arrive in the meantime share the next one. */
const MAX_COMMITS = 3;

test('forty cancellations at once share their commits, and each has its own answer', async () => {
  let commits = 0;
  const shared: QueueDatabase = {
    ...place.shared,
    transaction: (work, options) => {
      commits++;
      return place.shared.transaction(work, options);
    },
  };
  await using service = await openService({ shared });
  const { service: jobService } = service.jobs;
  const ids: string[] = [];
  for (let index = 0; index < JOBS; index++) {
    ids.push((await newJob(service, { webhookUrl: 'http://127.0.0.1:9/' })).jobId);
  }
  const [running, over] = ids as [string, string];
  for (const jobId of [running, over]) await claimJob(shared, jobId);
  const error = { code: 'INPUT_CORRUPT', message: '', detail: '', stage: null, attempt: 1 } as const;
  await failJob(shared, over, 1, {
    error: { ...error, retryable: false, occurredAt: new Date() },
    warnings: [],
  });
  commits = 0;
  const answers = await Promise.allSettled(ids.map((jobId) => jobService.cancel(jobId)));
  assert.ok(commits <= MAX_COMMITS, `${commits} transactions`);
  for (const [index, answer] of answers.entries()) {
    if (ids[index] === over) {
      assert.ok(answer.status === 'rejected' && isFailure(answer.reason, 'JOB_NOT_CANCELLABLE'));
      continue;
    }
    assert.ok(answer.status === 'fulfilled');
    assert.deepEqual([answer.value.jobId, answer.value.status], [ids[index], 'cancelled']);
    assert.equal((await service.webhooks.service.list(ids[index])).length, 1);
  }
  const left = await waitingEntries(shared);
  assert.deepEqual(
    left.filter((id) => id !== over),
    [],
  );
});
