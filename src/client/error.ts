import { answerJson } from './answer-json.ts';
import type { ErrorAnswer, FieldError, JobDetail, JobError } from './api-types.ts';

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
  readonly fields?: readonly FieldError[];
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
  /** Every field that is wrong; always with VALIDATION_ERROR. */
  readonly fields: readonly FieldError[];
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

/** An error as an answer reports it. A hostile or broken server can send any JSON: fields of another type are replaced. */
export function reportedError(
  error: unknown,
  more: Pick<ErrorParts, 'status' | 'requestId' | 'retryAfterSeconds' | 'job'> & {
    readonly message?: unknown;
    readonly isPassing?: boolean;
  } = {},
): StyleDnaError {
  const { isPassing = false, ...parts } = more;
  const { code, message, detail, fields, retryable, request_id } = recordOf(error);
  const name = textOr(code, 'UNEXPECTED_ANSWER');
  return new StyleDnaError({
    ...parts,
    code: name,
    message: textOr(more.message, textOr(message, name)),
    detail: textOr(detail, ''),
    fields: Array.isArray(fields) ? fields.filter(isFieldError) : [],
    requestId: textOr(request_id, more.requestId ?? null),
    // A proxy that refuses in the service's format may omit it.
    retryable: typeof retryable === 'boolean' ? retryable : isPassing,
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' ? value : other;
}

function isFieldError(value: unknown): value is FieldError {
  const { path, message, code = '', values = {} } = recordOf(value);
  return (
    typeof path === 'string' &&
    typeof message === 'string' &&
    typeof code === 'string' &&
    Object.values(recordOf(values)).every((one) => typeof one === 'number')
  );
}

const PASSING_STATUSES = [429, 502, 503, 504];
const SHOWN_CHARACTERS = 200;

/** The error of an answer other than 2xx, in the service's own format or in that of a proxy. */
export function errorOfResponse(response: Response, text: string): StyleDnaError {
  const { status } = response;
  const retryAfterSeconds = secondsOf(response.headers.get('retry-after'));
  const requestId = response.headers.get('x-request-id');
  const { error, message, data } = recordOf(answerJson(text));
  if (typeof recordOf(error)['code'] === 'string') {
    const job = typeof data === 'object' ? (data as JobDetail | null) : null;
    const isPassing = PASSING_STATUSES.includes(status);
    return reportedError(error, { status, requestId, retryAfterSeconds, job, message, isPassing });
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
  if (job.error == null && job.status !== 'failed') return null;
  return reportedError(job.error, { job });
}

/** Seconds of `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | null {
  if (header === null) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
