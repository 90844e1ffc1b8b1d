import { Failure, JOB_ERRORS, type JobErrorCode } from '../../domain/errors.ts';
import type { StageName } from '../../domain/stage.ts';
import type { JobError } from './job.ts';

/** A `Failure` whose code may end a job, else null. */
export function jobFailureCode(error: unknown): JobErrorCode | null {
  return error instanceof Failure && error.code in JOB_ERRORS ? (error.code as JobErrorCode) : null;
}

/**
 * A bug fails the same way again; an output that fails verification has been rendered a second time already; the storage has
 * been waited for.
 */
const FINAL: readonly JobErrorCode[] = ['INTERNAL_ERROR', 'OUTPUT_VERIFY_FAILED', 'STORAGE_UNAVAILABLE'];

/** Whether another try of the stage may help: with foreseen trouble alone. */
export function isWorthAnotherTry(error: unknown): boolean {
  const code = jobFailureCode(error);
  return code !== null && !FINAL.includes(code) && JOB_ERRORS[code].retryable;
}

/**
 * What a client reads about a failed job. Anything but a job's own failure is a bug: its text may hold anything, so
 * none of it is shown.
 */
export function jobErrorOf(error: unknown, stage: StageName, attempt: number, occurredAt: Date): JobError {
  const foreseen = jobFailureCode(error);
  const code = foreseen ?? 'INTERNAL_ERROR';
  return {
    code,
    message: JOB_ERRORS[code].message,
    detail: foreseen === null ? `An unexpected error in the stage ${stage}.` : (error as Failure).detail,
    stage,
    attempt,
    retryable: JOB_ERRORS[code].retryable,
    occurredAt,
  };
}
