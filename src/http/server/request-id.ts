import type { IncomingMessage } from 'node:http';
import { v7 as newId } from 'uuid';

/** Characters that are safe in a header, a log line and a support ticket. */
const SAFE = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The client's `X-Request-Id` if it is safe, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && SAFE.test(header) ? header : newId();
}
