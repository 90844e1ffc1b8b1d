import type { RefusalCode, RefusalValues } from './refusals.ts';

/**
 * All expected failures: codes, statuses, and whether a retry can help. `request` entries are responses to HTTP
 * requests; `job` entries end a job.
 */
export const REQUEST_ERRORS = {
  INVALID_JSON: { status: 400, retryable: false, message: 'The request body is not valid JSON' },
  MALFORMED_MULTIPART: { status: 400, retryable: false, message: 'The multipart body is malformed' },
  MISSING_FILE: {
    status: 400,
    retryable: false,
    message: 'The multipart body has no file in a part named "file"',
  },
  MALFORMED_REQUEST: { status: 400, retryable: false, message: 'The request is malformed' },
  UNAUTHORIZED: { status: 401, retryable: false, message: 'Unauthorized' },
  FORBIDDEN: { status: 403, retryable: false, message: 'Forbidden' },
  VIDEO_NOT_FOUND: { status: 404, retryable: false, message: 'Video not found' },
  TEMPLATE_VIDEO_NOT_FOUND: { status: 404, retryable: false, message: 'Template video not found' },
  PREVIEW_NOT_FOUND: { status: 404, retryable: false, message: 'Preview not found' },
  ANALYSIS_NOT_FOUND: { status: 404, retryable: false, message: 'Analysis not found' },
  PRESET_NOT_FOUND: { status: 404, retryable: false, message: 'Preset not found' },
  STYLE_NOT_FOUND: { status: 404, retryable: false, message: 'Saved style not found' },
  JOB_NOT_FOUND: { status: 404, retryable: false, message: 'Job not found' },
  FRAME_NOT_FOUND: { status: 404, retryable: false, message: 'The job has ended' },
  PROXY_NOT_FOUND: { status: 404, retryable: false, message: 'Proxy not found' },
  COMPARISON_NOT_FOUND: { status: 404, retryable: false, message: 'Comparison not found' },
  ARTIFACT_NOT_FOUND: { status: 404, retryable: false, message: 'Artifact not found' },
  UPLOAD_NOT_FOUND: { status: 404, retryable: false, message: 'Upload not found' },
  CAPTIONS_NOT_FOUND: { status: 404, retryable: false, message: 'Captions not found' },
  WORKER_NOT_FOUND: { status: 404, retryable: false, message: 'Worker not found' },
  WEBHOOK_NOT_FOUND: { status: 404, retryable: false, message: 'Webhook delivery not found' },
  ROUTE_NOT_FOUND: { status: 404, retryable: false, message: 'No such path' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, retryable: true, message: 'The request did not arrive in time' },
  JOB_NOT_COMPLETED: { status: 409, retryable: true, message: 'The job has not ended yet' },
  FRAME_NOT_READY: { status: 409, retryable: true, message: 'No frame has been rendered yet' },
  PREVIEW_NOT_COMPLETED: { status: 409, retryable: true, message: 'The preview is not ready yet' },
  JOB_NOT_CANCELLABLE: { status: 409, retryable: false, message: 'The job has already ended' },
  JOB_NOT_QUEUED: { status: 409, retryable: false, message: 'The job is not queued' },
  JOB_NOT_TERMINAL: { status: 409, retryable: true, message: 'The job has not ended yet' },
  JOB_NOT_RETRYABLE: {
    status: 409,
    retryable: false,
    message: 'Only a failed or cancelled job can be retried',
  },
  STYLE_NAME_TAKEN: { status: 409, retryable: false, message: 'Another saved style has this name' },
  VIDEO_IN_USE: { status: 409, retryable: true, message: 'A job that has not ended needs this video' },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    retryable: true,
    message: 'A request with this Idempotency-Key is still running',
  },
  VIDEO_IMPORTING: { status: 409, retryable: true, message: 'The video is still being imported' },
  UPLOAD_OFFSET_MISMATCH: {
    status: 409,
    retryable: true,
    message: 'The offset differs from the received length',
  },
  UPLOAD_EXPIRED: { status: 410, retryable: false, message: 'The upload has expired' },
  VIDEO_EXPIRED: { status: 410, retryable: false, message: 'The video has expired' },
  RESULT_EXPIRED: { status: 410, retryable: false, message: 'The result has expired' },
  TUS_VERSION_UNSUPPORTED: { status: 412, retryable: false, message: 'Only tus 1.0.0 is supported' },
  FILE_TOO_LARGE: { status: 413, retryable: false, message: 'The file is too large' },
  BODY_TOO_LARGE: { status: 413, retryable: false, message: 'The request body is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retryable: false, message: 'Unsupported content type' },
  UNSUPPORTED_VIDEO_FORMAT: { status: 415, retryable: false, message: 'Unsupported video format' },
  RANGE_NOT_SATISFIABLE: { status: 416, retryable: false, message: 'Range not satisfiable' },
  HOST_NOT_ALLOWED: { status: 421, retryable: false, message: 'The service does not accept this host' },
  VALIDATION_ERROR: { status: 422, retryable: false, message: 'The request has invalid fields' },
  INVALID_VIDEO: { status: 422, retryable: false, message: 'The video cannot be used' },
  VIDEO_LIMIT_EXCEEDED: {
    status: 422,
    retryable: false,
    message: 'The video exceeds a limit of this service',
  },
  IMPORT_FAILED: { status: 422, retryable: false, message: 'The video could not be imported' },
  IMPORT_URL_FORBIDDEN: {
    status: 422,
    retryable: false,
    message: 'Imports from this address are not allowed',
  },
  INVALID_CAPTIONS: { status: 422, retryable: false, message: 'The captions cannot be read' },
  CHECKSUM_MISMATCH: {
    status: 422,
    retryable: true,
    message: 'The checksum differs from the received bytes',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    retryable: false,
    message: 'This Idempotency-Key was used with another request',
  },
  TRANSCRIPTION_UNAVAILABLE: {
    status: 422,
    retryable: false,
    message: 'This service has no transcription engine',
  },
  WEBHOOK_URL_FORBIDDEN: { status: 422, retryable: false, message: 'This webhook target is not allowed' },
  RATE_LIMITED: { status: 429, retryable: true, message: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, retryable: false, message: 'The request headers are too large' },
  /** The status is tus's own (checksum extension). */
  UPLOAD_CHECKSUM_MISMATCH: {
    status: 460,
    retryable: true,
    message: 'The checksum differs from the received piece',
  },
  INTERNAL_ERROR: { status: 500, retryable: true, message: 'Internal error' },
  SERVICE_UNAVAILABLE: { status: 503, retryable: true, message: 'The service is temporarily unavailable' },
  QUEUE_FULL: { status: 503, retryable: true, message: 'The queue is full' },
  DRAINING: { status: 503, retryable: true, message: 'The service is shutting down' },
  INSUFFICIENT_STORAGE: { status: 507, retryable: true, message: 'Not enough storage' },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>;

export const JOB_ERRORS = {
  INPUT_CORRUPT: { retryable: false, message: 'The video is damaged and cannot be processed' },
  INPUT_UNSUPPORTED: { retryable: false, message: 'The video uses a feature that is not supported' },
  INPUT_LIMIT_EXCEEDED: { retryable: false, message: 'The video exceeds a limit of this service' },
  IMPORT_FAILED: { retryable: false, message: 'The video could not be imported' },
  EDIT_IMPOSSIBLE: { retryable: false, message: 'The edit cannot be planned as requested' },
  TRANSCRIPTION_UNAVAILABLE: { retryable: false, message: 'This worker has no transcription engine' },
  TRANSCRIPTION_FAILED: { retryable: true, message: 'The transcription engine failed' },
  STAGE_TIMEOUT: { retryable: true, message: 'A stage took too long' },
  WORKER_LOST: { retryable: true, message: 'The worker of this job was lost' },
  OUT_OF_MEMORY: { retryable: true, message: 'The job needed more memory than it may use' },
  INSUFFICIENT_STORAGE: { retryable: true, message: 'Not enough storage' },
  ENCODER_FAILED: { retryable: true, message: 'The encoder failed' },
  OUTPUT_VERIFY_FAILED: { retryable: true, message: 'The output did not pass verification' },
  STORAGE_UNAVAILABLE: { retryable: true, message: 'The storage is unavailable' },
  INTERNAL_ERROR: { retryable: true, message: 'Internal error' },
} as const satisfies Record<string, { retryable: boolean; message: string }>;

/** Errors of work on local files, by the command line and the library. */
const LOCAL_ERRORS = {
  FILE_NOT_FOUND: { message: 'There is no such file' },
  OUTPUT_EXISTS: { message: 'The output exists already' },
} as const satisfies Record<string, { message: string }>;

export type RequestErrorCode = keyof typeof REQUEST_ERRORS;
export type JobErrorCode = keyof typeof JOB_ERRORS;
export type ErrorCode = RequestErrorCode | JobErrorCode | keyof typeof LOCAL_ERRORS;

/** A field of a request that is wrong: `path` as `config.quality`, `message` a sentence. */
export interface FieldError {
  readonly path: string;
  readonly message: string;
  /** For programs, where there are several refusals of one field: `src/domain/refusals.ts`. */
  readonly code?: RefusalCode | undefined;
  readonly values?: RefusalValues | undefined;
}

/**
 * An expected failure. `detail` is a text for the client: what is wrong, with which value, and what would be
 * right. It never contains a path, an argument list or a stack.
 */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ErrorCode;
  readonly detail: string;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
  /** In place of the value of its code; undefined: that value. */
  readonly retryable: boolean | undefined;
  /** The local file at fault, as the caller named it. */
  readonly file: string | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      fields?: readonly FieldError[];
      retryAfterSeconds?: number;
      retryable?: boolean;
      file?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(`${code}: ${detail}`, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.detail = detail;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.retryable = more.retryable;
    this.file = more.file;
  }
}

export function isFailure(error: unknown, ...codes: ErrorCode[]): error is Failure {
  return error instanceof Failure && (codes.length === 0 || codes.includes(error.code));
}

/** The input itself is at fault, and another try would not help. */
export function isUnusableInput(error: unknown): error is Failure {
  return isFailure(error, 'INPUT_CORRUPT', 'INPUT_UNSUPPORTED', 'INPUT_LIMIT_EXCEEDED');
}

/** Settings that cannot be worked with: names every bad one in one message. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
