import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Failure, type FieldError, REQUEST_ERRORS, type RequestErrorCode } from '../../domain/errors.ts';
import { check } from '../../untrusted/check.ts';
import type { Tag } from './tags.ts';

/** One operation of the interface: request, answers, errors. */
export interface Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
> {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters as `{job_id}`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The content type of the request's body; null when it has none. */
  readonly consumes:
    | 'application/json'
    | 'multipart/form-data'
    | 'application/offset+octet-stream'
    | 'text/vtt'
    | null;
  /** Further content types that are read alike. */
  readonly alsoConsumes?: readonly string[];
  /** Request headers that are read, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly success: SuccessResponse | FileResponse | EmptyResponse;
  readonly errors: readonly RequestErrorCode[];
}

export interface SuccessResponse {
  readonly status: 200 | 201;
  readonly message: string;
  /** The message of 202, where the work may have to be waited for. */
  readonly accepted?: string;
  readonly data: z.ZodType;
}

/** An answer that is no envelope. */
export interface FileResponse {
  readonly status: 200;
  readonly contentType: string;
  readonly description: string;
}

/** An answer without a body, as tus has it. */
export interface EmptyResponse {
  readonly status: 204;
  readonly description: string;
}

/** The header of operations that make something once. */
export const IDEMPOTENCY = {
  'Idempotency-Key':
    'Up to 255 characters, remembered for 24 h: a repeated request with the same key gets the first answer again.',
};

/** Errors of an operation that needs an existing video. */
export const OF_THE_VIDEO = [
  'VIDEO_NOT_FOUND',
  'VIDEO_EXPIRED',
  'VIDEO_IMPORTING',
  'IMPORT_FAILED',
  'SERVICE_UNAVAILABLE',
] as const satisfies readonly RequestErrorCode[];

/** Errors of requests that queue work. */
export const OF_NEW_WORK = [
  'QUEUE_FULL',
  'DRAINING',
  'INSUFFICIENT_STORAGE',
  'VIDEO_LIMIT_EXCEEDED',
] as const satisfies readonly RequestErrorCode[];

/** Errors of every operation with a JSON body. */
const OF_A_JSON_BODY = [
  'INVALID_JSON',
  'REQUEST_TIMEOUT',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_ERROR',
] as const satisfies readonly RequestErrorCode[];
/** Errors of every operation that reads `Idempotency-Key`. */
const OF_IDEMPOTENCY = [
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
] as const satisfies readonly RequestErrorCode[];
const ALL_ERRORS = Object.keys(REQUEST_ERRORS) as RequestErrorCode[];

const NOTHING = z.object({});
/** Faults that one answer names. */
const NAMED_FIELDS = 100;
const LONGEST_NAME = 200;

type OperationParts<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Omit<
  Operation<P, Q, B>,
  'params' | 'query' | 'body' | 'consumes'
> & { params?: P; query?: Q; body?: B; consumes?: Operation['consumes'] };

/** Completes a row: an operation with a `body` schema consumes JSON, and has the errors of its body and its headers. */
export function operation<
  P extends z.ZodType = typeof NOTHING,
  Q extends z.ZodType = typeof NOTHING,
  B extends z.ZodType = z.ZodUnknown,
>(parts: OperationParts<P, Q, B>): Operation<P, Q, B> {
  const consumes = parts.consumes ?? (parts.body === undefined ? null : 'application/json');
  const errors: readonly RequestErrorCode[] = [
    ...parts.errors,
    ...(consumes === 'application/json' ? OF_A_JSON_BODY : []),
    ...(parts.headers !== undefined && 'Idempotency-Key' in parts.headers ? OF_IDEMPOTENCY : []),
  ];
  return {
    ...parts,
    consumes,
    errors: ALL_ERRORS.filter((code) => errors.includes(code)),
    params: parts.params ?? (NOTHING as unknown as P),
    query: parts.query ?? (NOTHING as unknown as Q),
    body: parts.body ?? (z.unknown() as unknown as B),
  };
}

/** A request that has passed its operation's schemas. */
export interface Input<P, Q, B> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

export interface HandlerResult {
  readonly data: object;
  /** In place of the operation's own. */
  readonly message?: string;
  /** 202: the work is queued. */
  readonly accepted?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns the answer, or undefined when it has sent one through `reply` itself. */
export type Handler<O extends Operation> = (
  input: Input<z.output<O['params']>, z.output<O['query']>, z.output<O['body']>>,
) => Promise<HandlerResult | undefined>;

/** Validates a value. Throws VALIDATION_ERROR with every field that is wrong, or the first one of a large value. */
export function validated<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const parsed = check(schema, value);
  if (parsed.success) return parsed.data;
  throw invalid(
    parsed.error.issues.map((issue) => ({
      path: issue.path.length === 0 ? where : issue.path.map(String).join('.'),
      message: fieldMessage(issue),
    })),
  );
}

export function invalid(all: readonly FieldError[]): Failure {
  const fields = all.slice(0, NAMED_FIELDS).map(({ path, message }) => ({ path: shortened(path), message }));
  const more = all.length > fields.length ? [`${all.length - fields.length} more`] : [];
  const detail = [...fields.map(({ path, message }) => `${path}: ${message}`), ...more].join('; ');
  return new Failure('VALIDATION_ERROR', detail, { fields });
}

/** A name of the client's, as an answer repeats it: one can be as long as the body. */
export function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}…`;
}

function fieldMessage(issue: z.core.$ZodIssue): string {
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return missing ? 'is required' : issue.message.replace(/^Invalid \w+: /, '');
}
