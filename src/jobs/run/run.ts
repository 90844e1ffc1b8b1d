import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Queryable } from '../../database/database.ts';
import { Failure, isFailure } from '../../domain/errors.ts';
import {
  type RunStage,
  STAGE_NAMES,
  type StageName,
  type StageOutcome,
  type StageWork,
  type Warning,
} from '../../domain/stage.ts';
import { attemptBlobPrefix, jobBlobPrefix } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { tryOrDefer } from '../../storage/deferred-removals.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { currentTrace } from '../../telemetry/trace-context.ts';
import { inSpan, type Tracing } from '../../telemetry/tracing.ts';
import type { JobEnded } from '../lists/job-service.ts';
import type { Job } from '../model/job.ts';
import { isWorthAnotherTry, jobErrorOf, jobFailureCode } from '../model/job-failure.ts';
import { countCompleted, countEnded, footageSeconds, timedStage } from '../model/job-metrics.ts';
import { advanceJob, completeJob, failJob, handOverJob, selectSettledHolder } from '../model/job-store.ts';
import { progressPercent } from '../model/progress.ts';
import { type Claim, RunStopped } from './claim.ts';
import { JobParts } from './parts.ts';
import { retryWhileDatabaseDown } from './retry-while-database-down.ts';
import { stageInputs } from './stage-inputs.ts';

export interface RunParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly logger: Logger;
  readonly runStage: RunStage;
  readonly jobEnded: JobEnded;
  /** Waits before a stage is tried again after an expected, retryable failure. */
  readonly retryDelaysMs: readonly number[];
  /** Retention of results; null: unlimited. */
  readonly retentionDays: number | null;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

type RunningJob = Job & { readonly status: 'processing' };

/** Runs one attempt of a job from its current stage to its end. Throws `RunStopped` when another worker must continue the job. */
export async function runJob(parts: RunParts, job: RunningJob, claim: Claim): Promise<void> {
  const state = { stage: job.stage, warnings: job.warnings };
  try {
    await runStages(parts, job, claim, state);
    await removeEarlierAttempts(parts, job);
  } catch (error) {
    if (claim.signal.aborted) return endStopped(parts, job, claim.signal.reason);
    // The database was down for too long to store the end: the queue gives the job to another worker.
    if (isFailure(error, 'SERVICE_UNAVAILABLE')) throw error;
    await endFailed(parts, job, state, error);
  }
}

/** Fails a job that has exceeded its limit of lost workers. */
export function endLost(parts: RunParts, job: RunningJob, workersLost: number): Promise<void> {
  const detail = `The worker was lost ${workersLost} times while this job ran.`;
  return endFailed(parts, job, job, new Failure('WORKER_LOST', detail));
}

interface RunState {
  stage: StageName;
  warnings: readonly Warning[];
}

async function runStages(parts: RunParts, job: RunningJob, claim: Claim, state: RunState): Promise<void> {
  const { database } = parts;
  const work = {
    ...(await stageInputs(parts, job)),
    signal: claim.signal,
    parts: new JobParts(parts, job, claim.signal),
  };
  for (const stage of STAGE_NAMES.slice(STAGE_NAMES.indexOf(job.stage))) {
    state.stage = stage;
    const outcome = await runTracedStage(parts, {
      ...work,
      stage,
      onProgress: (fraction) => claim.report(progressPercent(stage, fraction)),
      onFrame: (frame) => claim.reportFrame(frame),
    });
    claim.signal.throwIfAborted();
    state.warnings = mergedWarnings(state.warnings, outcome.warnings);
    const next = STAGE_NAMES[STAGE_NAMES.indexOf(stage) + 1];
    if (next === undefined) {
      const ended = await endCompleted(parts, job, claim, state.warnings, outcome);
      return countCompleted(parts.metrics, ended, footageSeconds(work));
    }
    const percent = progressPercent(next, 0);
    claim.report(percent);
    const { warnings } = state;
    const held = await retryWhileDatabaseDown(
      claim.signal,
      () => advanceJob(database, job.jobId, job.attempt, { stage: next, progressPercent: percent, warnings }),
      () => parts.metrics.databaseRetries.inc(),
    );
    if (held === null) await loseClaim(claim);
  }
}

function runTracedStage(parts: RunParts, work: StageWork): Promise<StageOutcome> {
  const attributes = { 'styledna.job.id': work.jobId, 'styledna.job.attempt': work.attempt };
  return inSpan(parts.tracing, `stage ${work.stage}`, { attributes }, () =>
    timedStage(parts.metrics, work, () => runStageWithRetries(parts, work)),
  );
}

async function runStageWithRetries(parts: RunParts, work: StageWork): Promise<StageOutcome> {
  for (let tries = 0; ; tries++) {
    try {
      return await parts.runStage(work);
    } catch (error) {
      const delayMs = parts.retryDelaysMs[tries];
      if (work.signal.aborted || delayMs === undefined || !isWorthAnotherTry(error)) throw error;
      const { jobId, attempt, stage } = work;
      parts.metrics.stageRetries.inc({ stage, code: jobFailureCode(error) ?? 'other' });
      parts.logger.warn({ err: error, jobId, attempt, stage, delayMs }, 'stage is tried again');
      await sleep(delayMs, undefined, { signal: work.signal });
    }
  }
}

async function endCompleted(
  parts: RunParts,
  job: RunningJob,
  claim: Claim,
  warnings: readonly Warning[],
  { publication }: StageOutcome,
): Promise<Job> {
  if (publication === undefined) throw new Error('the last stage left nothing to publish');
  const ended = await endJob(parts, claim.signal, (transaction) =>
    completeJob(transaction, job.jobId, job.attempt, {
      publication,
      warnings,
      keepDays: parts.retentionDays,
    }),
  );
  if (ended === null) return loseClaim(claim);
  parts.logger.info({ jobId: job.jobId, attempt: job.attempt }, 'job completed');
  return ended;
}

async function endFailed(
  parts: RunParts,
  job: RunningJob,
  { stage, warnings }: Readonly<RunState>,
  cause: unknown,
): Promise<void> {
  const { jobId, attempt } = job;
  const error = jobErrorOf(cause, stage, attempt, new Date());
  const level = error.code === 'INTERNAL_ERROR' ? 'error' : 'warn';
  parts.logger[level]({ err: cause, jobId, attempt, stage, code: error.code }, 'job failed');
  await endJob(parts, undefined, (transaction) => failJob(transaction, jobId, attempt, { error, warnings }));
  await removeUnpublished(parts, job);
}

async function endStopped(parts: RunParts, job: RunningJob, reason: unknown): Promise<void> {
  const { jobId, attempt } = job;
  const why = reason instanceof RunStopped ? reason.why : 'lost';
  parts.logger.info({ jobId, attempt, why }, 'job stopped');
  await removeUnpublished(parts, job);
  if (why !== 'handed_over') return;
  await handOverJob(parts.database, jobId, attempt);
  throw reason;
}

/** Ends the job and runs `jobEnded` in one transaction. Null when the transition was refused. */
async function endJob(
  { database, jobEnded, metrics }: RunParts,
  signal: AbortSignal | undefined,
  move: (transaction: Queryable) => Promise<Job | null>,
): Promise<Job | null> {
  const trace = currentTrace();
  const ended = await retryWhileDatabaseDown(
    signal,
    () =>
      database.transaction(async (transaction) => {
        const moved = await move(transaction);
        if (moved !== null) await jobEnded(transaction, moved, trace);
        return moved;
      }),
    () => metrics.databaseRetries.inc(),
  );
  if (ended !== null) countEnded(metrics, ended);
  return ended;
}

async function loseClaim(claim: Claim): Promise<never> {
  await claim.check().catch(() => {});
  claim.stop('lost');
  throw claim.signal.reason;
}

function mergedWarnings(before: readonly Warning[], more: readonly Warning[]): readonly Warning[] {
  const known = new Set(before.map(({ code, message }) => `${code} ${message}`));
  return [...before, ...more.filter(({ code, message }) => !known.has(`${code} ${message}`))];
}

/** Removes files of this run that the current row shows to be unused. If the row cannot be read, they stay until the orphan sweep. */
async function removeUnpublished(parts: RunParts, { jobId, attempt }: RunningJob): Promise<void> {
  const holder = await selectSettledHolder(parts.database, jobId).catch((error) => {
    parts.logger.warn({ err: error, jobId, attempt }, 'files were left behind');
    return undefined;
  });
  if (holder === undefined) return;
  const isOver = holder === null || holder.status === 'failed' || holder.status === 'cancelled';
  if (isOver) await removeBlobs(parts, jobBlobPrefix(jobId));
  else if (holder.status !== 'completed' || holder.attempt !== attempt)
    await removeBlobs(parts, attemptBlobPrefix(jobId, attempt));
}

/** Orphaned files cost disk space only: an error in removing them must not change how a job ends. */
async function removeBlobs({ blobs, logger }: RunParts, prefix: string): Promise<void> {
  const error = await tryOrDefer(prefix, () => blobs.removeAll(prefix));
  if (error !== null) logger.warn({ err: error, prefix }, 'files are left behind until the storage answers');
}

async function removeEarlierAttempts(parts: RunParts, job: RunningJob): Promise<void> {
  for (let attempt = 1; attempt < job.attempt; attempt++) {
    await removeBlobs(parts, attemptBlobPrefix(job.jobId, attempt));
  }
}
