import { Failure, isFailure, JOB_ERRORS, type JobErrorCode } from '../../domain/errors.ts';
import type { StageName } from '../../domain/stage.ts';
import type { JobError } from './job.ts';

/**
 * Returns the code of a `Failure` that can end a job, else null. A planner refuses wishes about slots, which are not known when a job
 * is created.
 */
export function jobFailureCode(error: unknown): JobErrorCode | null {
  if (isFailure(error, 'VALIDATION_ERROR')) return 'EDIT_IMPOSSIBLE';
  return error instanceof Failure && error.code in JOB_ERRORS ? (error.code as JobErrorCode) : null;
}

/**
 * Errors that another attempt would not change. A bug; an output that failed verification after two
 * renderings; a storage or transcription engine that the job has already waited for.
 */
const FINAL: readonly JobErrorCode[] = [
  'INTERNAL_ERROR',
  'OUTPUT_VERIFY_FAILED',
  'STORAGE_UNAVAILABLE',
  'TRANSCRIPTION_FAILED',
];

/** Whether another attempt of the stage may succeed: only after expected, retryable failures. */
export function isWorthAnotherTry(error: unknown): boolean {
  const code = jobFailureCode(error);
  return code !== null && !FINAL.includes(code) && JOB_ERRORS[code].retryable;
}

/** Returns the error that a client reads about a failed job. An unexpected error may contain internal details, so its text is not shown. */
export function jobErrorOf(error: unknown, stage: StageName, attempt: number, occurredAt: Date): JobError {
  const foreseen = jobFailureCode(error);
  const code = foreseen ?? 'INTERNAL_ERROR';
  const fields = foreseen === null ? [] : (error as Failure).fields;
  return {
    code,
    message: JOB_ERRORS[code].message,
    detail: foreseen === null ? `An unexpected error in the stage ${stage}.` : (error as Failure).detail,
    stage,
    attempt,
    retryable: (foreseen === null ? undefined : (error as Failure).retryable) ?? JOB_ERRORS[code].retryable,
    ...(fields.length === 0 ? {} : { fields }),
    occurredAt,
  };
}
