import type { IncomingMessage } from 'node:http';
import { v7 as newId } from 'uuid';

/** Letters that are safe in a header, a log line and a support ticket. */
const SANE = /^[A-Za-z0-9._:/+=-]{1,128}$/;

/** The caller's `X-Request-Id` when it is sane, else a new one. */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const header = request.headers['x-request-id'];
  return typeof header === 'string' && SANE.test(header) ? header : newId();
}
