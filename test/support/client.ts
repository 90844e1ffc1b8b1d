import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { REQUEST_ERRORS } from '../../src/domain/errors.ts';

/** An answer of the service whose general form has been checked. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at the fields they know
  readonly body: any;
}

/** Calls the service and holds every answer to the envelope or the error format. */
export async function call(
  baseUrl: string,
  method: string,
  path: string,
  options: { json?: unknown; body?: NonNullable<RequestInit['body']>; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const answer = await fetch(baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.json === undefined ? {} : { body: JSON.stringify(options.json) }),
    ...(options.body === undefined ? {} : { body: options.body, duplex: 'half' }),
  } as RequestInit);
  const body = (await answer.json()) as Record<string, unknown>;
  assertForm(answer, body);
  return { status: answer.status, headers: answer.headers, body };
}

export function upload(
  baseUrl: string,
  file: string | Uint8Array<ArrayBuffer>,
  options: { name?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const bytes = typeof file === 'string' ? readFileSync(file) : file;
  const form = new FormData();
  form.append(
    'file',
    new Blob([bytes]),
    options.name ?? (typeof file === 'string' ? basename(file) : 'clip.mp4'),
  );
  return call(baseUrl, 'POST', '/api/v1/videos/upload', { body: form, headers: options.headers ?? {} });
}

export function assertForm(answer: Response, body: Record<string, unknown>): void {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  const requestId = answer.headers.get('x-request-id');
  assert.ok(requestId, 'every answer has an X-Request-Id');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(typeof body['message'], 'string');
  if (answer.ok) {
    assert.equal(body['success'], true);
    assert.equal(typeof body['data'], 'object');
    return;
  }
  assert.equal(body['success'], false);
  const error = body['error'] as Record<string, unknown>;
  const entry = REQUEST_ERRORS[error['code'] as keyof typeof REQUEST_ERRORS];
  assert.ok(entry, `${error['code']} is in the catalogue`);
  assert.equal(answer.status, entry.status);
  assert.equal(error['retryable'], entry.retryable);
  assert.equal(error['request_id'], requestId);
  assert.equal(typeof error['detail'], 'string');
  assert.doesNotMatch(JSON.stringify(body), /node:internal|\.ts:\d|\/tmp\//, 'no stack and no path');
}

/** Asserts an error answer. */
export function assertError(reply: Reply, code: keyof typeof REQUEST_ERRORS): void {
  assert.equal(reply.body.error?.code, code, JSON.stringify(reply.body));
}
