import { validate as isUuid } from 'uuid';
import { Failure } from '../domain/errors.ts';

/** The last item of a page: the next page begins after it. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

export function cursorAfter(createdAt: Date, id: string): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

/** Years 1 to 9999, which PostgreSQL reads in the same notation. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Throws VALIDATION_ERROR for a text that no listing returned. */
export function readCursor(text: string): Cursor {
  const [time, id, ...rest] = Buffer.from(text, 'base64url').toString('latin1').split(' ');
  const createdMs = /^-?\d{1,15}$/.test(time ?? '') ? Number(time) : Number.NaN;
  const isKnownTime = createdMs >= FIRST_MS && createdMs <= LAST_MS;
  if (rest.length > 0 || id === undefined || !isUuid(id) || !isKnownTime) {
    const message = 'must be a cursor from an earlier answer';
    throw new Failure('VALIDATION_ERROR', `cursor: ${message}`, { fields: [{ path: 'cursor', message }] });
  }
  return { createdAt: new Date(createdMs), id };
}
