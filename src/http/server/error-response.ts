import { Failure, type FieldError, REQUEST_ERRORS, type RequestErrorCode } from '../../domain/errors.ts';

/** The error format of the interface, with the additions of this service. */
interface ErrorBody {
  readonly success: false;
  readonly message: string;
  readonly error: {
    readonly code: RequestErrorCode;
    readonly detail: string;
    readonly retryable: boolean;
    readonly request_id: string;
    readonly fields?: readonly FieldError[];
  };
}

export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/** Errors of Fastify, as codes of the catalog. */
const FASTIFY_CODES: Readonly<Record<string, RequestErrorCode>> = {
  FST_ERR_BAD_URL: 'MALFORMED_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'ROUTE_NOT_FOUND',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_REQUEST',
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
};

/** Converts any thrown value to a `Failure` of a request. The text of an unexpected error is not shown. */
export function requestFailure(error: unknown): Failure {
  if (error instanceof Failure && error.code in REQUEST_ERRORS) return error;
  const code = FASTIFY_CODES[(error as { code?: string } | null)?.code ?? ''];
  if (code !== undefined) return new Failure(code, REQUEST_ERRORS[code].message, { cause: error });
  return new Failure('INTERNAL_ERROR', 'An unexpected error; search the log for its request_id', {
    cause: error,
  });
}

export function errorResponse(failure: Failure, requestId: string): ErrorResponse {
  const code = failure.code as RequestErrorCode;
  const { status, message, retryable } = REQUEST_ERRORS[code];
  const body: ErrorBody = {
    success: false,
    message,
    error: {
      code,
      detail: failure.detail,
      retryable,
      request_id: requestId,
      ...(failure.fields.length > 0 ? { fields: failure.fields } : {}),
    },
  };
  const retryAfter = failure.retryAfterSeconds ?? (status === 503 || status === 429 ? 5 : undefined);
  return { status, headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }, body };
}
