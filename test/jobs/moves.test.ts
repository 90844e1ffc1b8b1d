import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { v7 as newId } from 'uuid';
import { Failure } from '../../src/domain/errors.ts';
import { JOB_STATUSES, type Job, type JobStatus } from '../../src/jobs/model/job.ts';
import { jobErrorOf } from '../../src/jobs/model/job-failure.ts';
import {
  advanceJob,
  cancelJob,
  claimJob,
  completeJob,
  deleteJob,
  failJob,
  handOverJob,
  selectHolder,
  selectJob,
  selectSettledHolder,
  writeProgress,
} from '../../src/jobs/model/job-store.ts';
import { MOVES, statusesBefore } from '../../src/jobs/model/moves.ts';
import { aPublication, type JobsService, newJob, openService } from '../support/jobs.ts';

test('the table of moves is the specification’s', () => {
  assert.deepEqual(statusesBefore('queued'), []);
  assert.deepEqual(statusesBefore('processing'), ['queued']);
  assert.deepEqual(statusesBefore('completed'), ['processing']);
  assert.deepEqual(statusesBefore('failed'), ['processing']);
  assert.deepEqual(statusesBefore('cancelled'), ['queued', 'processing']);
});

describe('moves in the database', () => {
  let service: JobsService;
  before(async () => {
    service = await openService();
  });
  after(() => service?.[Symbol.asyncDispose]());

  const error = jobErrorOf(new Failure('ENCODER_FAILED', 'no'), 'rendering', 1, new Date());
  const publication = aPublication('job', 1);

  /** The statement that makes each move, for attempt 1. */
  const move: Record<JobStatus, ((jobId: string) => Promise<unknown>) | null> = {
    queued: null,
    processing: (jobId) => claimJob(service.database, jobId),
    completed: (jobId) => completeJob(service.database, jobId, 1, { publication, warnings: [] }),
    failed: (jobId) => failJob(service.database, jobId, 1, { error, warnings: [] }),
    cancelled: (jobId) => cancelJob(service.database, jobId),
  };

  /** The moves that bring a new job into each state. */
  const path: Record<JobStatus, readonly JobStatus[]> = {
    queued: [],
    processing: ['processing'],
    completed: ['processing', 'completed'],
    failed: ['processing', 'failed'],
    cancelled: ['cancelled'],
  };

  async function jobIn(status: JobStatus): Promise<Job> {
    const { jobId } = await newJob(service);
    for (const step of path[status]) await move[step]!(jobId);
    const job = await selectJob(service.database, jobId);
    assert.equal(job?.status, status);
    return job;
  }

  for (const from of JOB_STATUSES) {
    for (const to of JOB_STATUSES) {
      const step = move[to];
      // A second worker may claim a processing job: this is no move, and has its own test.
      if (step === null || (from === 'processing' && to === 'processing')) continue;
      const allowed = (MOVES[from] as readonly JobStatus[]).includes(to);
      test(`${from} to ${to} is ${allowed ? 'made' : 'refused'}`, async () => {
        const before = await jobIn(from);
        const result = await step(before.jobId);
        const now = await selectJob(service.database, before.jobId);
        assert.equal(result !== null, allowed);
        assert.equal(now?.status, allowed ? to : from);
        if (!allowed) assert.deepEqual(now, before);
      });
    }
  }

  for (const status of JOB_STATUSES) {
    const allowed = MOVES[status].length === 0;
    test(`a ${status} job can${allowed ? '' : 'not'} be deleted`, async () => {
      const { jobId } = await jobIn(status);
      const deleted = await deleteJob(service.database, jobId);
      assert.equal(deleted !== null, allowed);
      assert.equal((await selectJob(service.database, jobId)) === null, allowed);
    });
  }

  test('another worker takes over: attempt, stage, progress and start continue', async () => {
    const { jobId } = await jobIn('processing');
    await advanceJob(service.database, jobId, 1, { stage: 'rendering', progressPercent: 54, warnings: [] });
    const first = await selectJob(service.database, jobId);
    const claimed = await claimJob(service.database, jobId);
    assert.equal(claimed?.workersLost, 1);
    assert.deepEqual(claimed?.job, { ...first, attempt: 2 });
  });

  test('a job that was handed over has not lost its worker', async () => {
    const { jobId } = await jobIn('processing');
    assert.equal(await handOverJob(service.database, jobId, 1), true);
    assert.equal((await claimJob(service.database, jobId))?.workersLost, 0);
    assert.equal((await claimJob(service.database, jobId))?.workersLost, 1);
  });

  test('every write of an abandoned attempt is refused', async () => {
    const { jobId } = await jobIn('processing');
    await writeProgress(service.database, jobId, 1, { percent: 1, frame: { sequence: 1, atSeconds: 0 } });
    await claimJob(service.database, jobId);
    const now = await selectJob(service.database, jobId);
    assert.equal(now?.status === 'processing' && now.frame, null, 'the frames went with the attempt before');
    const next = { stage: 'rendering', progressPercent: 54, warnings: [] } as const;
    assert.equal(await advanceJob(service.database, jobId, 1, next), null);
    assert.equal(await writeProgress(service.database, jobId, 1, { percent: 80, frame: null }), false);
    assert.equal(await handOverJob(service.database, jobId, 1), false);
    assert.equal(await completeJob(service.database, jobId, 1, { publication, warnings: [] }), null);
    assert.equal(await failJob(service.database, jobId, 1, { error, warnings: [] }), null);
    assert.deepEqual(await selectJob(service.database, jobId), now);
  });

  test('a job whose start is in the future of the clock ends at its start', async () => {
    for (const to of ['completed', 'failed', 'cancelled'] as const) {
      const { jobId } = await jobIn('processing');
      await service.database.query(
        `update jobs set started_at = now() + interval '1 hour' where job_id = $1`,
        [jobId],
      );
      await move[to]!(jobId);
      const job = await selectJob(service.database, jobId);
      assert.ok(job !== null && job.status === to);
      assert.deepEqual(job.completedAt, job.startedAt);
    }
  });

  test('the holder of a job is reported, and its absence', async () => {
    const { jobId } = await jobIn('processing');
    for (const select of [selectHolder, selectSettledHolder]) {
      assert.deepEqual(await select(service.database, jobId), { status: 'processing', attempt: 1 });
      assert.equal(await select(service.database, newId()), null);
    }
  });

  test('progress never decreases, and updated_at changes with the status only', async () => {
    const { jobId, updatedAt } = await jobIn('processing');
    for (const [written, expected] of [
      [10, 10],
      [5, 10],
      [40.5, 40.5],
    ] as const) {
      const frame = { sequence: written, atSeconds: 2 };
      assert.equal(await writeProgress(service.database, jobId, 1, { percent: written, frame }), true);
      const job = await selectJob(service.database, jobId);
      assert.equal(job?.progressPercent, expected);
      assert.deepEqual(job?.status === 'processing' && job.frame, frame);
      assert.deepEqual(job?.updatedAt, updatedAt);
    }
    const stepBack = { stage: 'audio_analysis', progressPercent: 25, warnings: [] } as const;
    assert.equal((await advanceJob(service.database, jobId, 1, stepBack))?.progressPercent, 40.5);
    assert.equal((await cancelJob(service.database, jobId))?.progressPercent, 40.5);
  });
});
