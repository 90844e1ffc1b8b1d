import { answerJson } from './answer-json.ts';
import type { ErrorAnswer, JobDetail, JobError } from './api-types.ts';

/**
 * Codes of the service's answers, of ended jobs, and of the client itself. The client's: no connection, no
 * answer in time, an answer of another server (a proxy's page), an untrusted webhook. Later versions may add
 * some.
 */
export type StyleDnaErrorCode =
  | ErrorAnswer['error']['code']
  | JobError['code']
  | 'JOB_CANCELLED'
  | 'CONNECTION_FAILED'
  | 'TIMEOUT'
  | 'UNEXPECTED_ANSWER'
  | 'WEBHOOK_REFUSED'
  // Keeps completion for the codes above.
  | (string & {});

export interface ErrorParts {
  readonly code: StyleDnaErrorCode;
  readonly message: string;
  readonly detail: string;
  readonly status?: number;
  readonly fields?: readonly { readonly path: string; readonly message: string }[];
  readonly requestId?: string | null;
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number | null;
  readonly job?: JobDetail | null;
  readonly cause?: unknown;
}

/** Everything that goes wrong, aborts aside: those reject with the signal's own reason. */
export class StyleDnaError extends Error {
  override readonly name = 'StyleDnaError';
  readonly code: StyleDnaErrorCode;
  /** The fault, its value, and the valid values. */
  readonly detail: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  /** With VALIDATION_ERROR: every field that is wrong. */
  readonly fields: readonly { readonly path: string; readonly message: string }[];
  /** Finds the request in the service's log. */
  readonly requestId: string | null;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | null;
  /** The job, where the error is about one that is known: JOB_NOT_COMPLETED, and jobs that failed or were cancelled. */
  readonly job: JobDetail | null;

  constructor(parts: ErrorParts) {
    const text = parts.detail === '' ? parts.message : `${parts.message}: ${parts.detail}`;
    super(text, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = parts.code;
    this.detail = parts.detail;
    this.status = parts.status ?? 0;
    this.fields = parts.fields ?? [];
    this.requestId = parts.requestId ?? null;
    this.retryable = parts.retryable ?? false;
    this.retryAfterSeconds = parts.retryAfterSeconds ?? null;
    this.job = parts.job ?? null;
  }
}

export function isStyleDnaError(error: unknown, ...codes: StyleDnaErrorCode[]): error is StyleDnaError {
  return error instanceof StyleDnaError && (codes.length === 0 || codes.includes(error.code));
}

const PASSING_STATUSES = [429, 502, 503, 504];
const SHOWN_CHARACTERS = 200;

/** The error of an answer other than 2xx, in the service's own format or in that of a proxy. */
export function errorOfResponse(response: Response, text: string): StyleDnaError {
  const { status } = response;
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  const requestId = response.headers.get('x-request-id');
  const parsedBody = answerJson(text) as Partial<ErrorAnswer> | null;
  const error = parsedBody?.error;
  if (typeof error?.code === 'string') {
    return new StyleDnaError({
      code: error.code,
      message: String(parsedBody?.message ?? error.code),
      detail: String(error.detail ?? ''),
      status,
      fields: Array.isArray(error.fields) ? error.fields : [],
      requestId: error.request_id ?? requestId,
      // A proxy that refuses in the service's format may omit it.
      retryable: error.retryable ?? PASSING_STATUSES.includes(status),
      retryAfterSeconds,
      job: parsedBody?.data ?? null,
    });
  }
  return new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: `The answer (${status}) is not from this service`,
    detail: text.slice(0, SHOWN_CHARACTERS),
    status,
    requestId,
    retryable: PASSING_STATUSES.includes(status),
    retryAfterSeconds,
  });
}

/** The error that ended a job; null when it completed, or has not ended. */
export function errorOfJob(job: JobDetail): StyleDnaError | null {
  if (job.status === 'cancelled') {
    return new StyleDnaError({ code: 'JOB_CANCELLED', message: 'The job was cancelled', detail: '', job });
  }
  if (job.error === null) return null;
  const { code, message, detail, retryable } = job.error;
  return new StyleDnaError({ code, message, detail, retryable, job });
}

/** Seconds of `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
