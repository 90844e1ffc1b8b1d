import type { Socket } from 'node:net';
import { v7 as newId } from 'uuid';
import { Failure } from '../../domain/errors.ts';
import { DEFAULT_HEADERS } from './default-headers.ts';
import { errorResponse } from './error-response.ts';

/**
 * Answers bytes that are not a valid request (Node's `clientError`) in the error format. Without a request
 * there are no headers, so the request id is always new.
 */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const { status, body } = errorResponse(failureOf(error.code), requestId);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Bad Request'}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${requestId}`,
      ...Object.entries(DEFAULT_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  );
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function failureOf(code: string | undefined): Failure {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Failure(
        'HEADERS_TOO_LARGE',
        'The request line and headers may have at most 16 KiB together',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Failure('REQUEST_TIMEOUT', 'The request headers did not arrive in time');
    default:
      return new Failure('MALFORMED_REQUEST', 'The bytes received are not an HTTP/1.1 request');
  }
}
