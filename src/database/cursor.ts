import { validate as isUuid } from 'uuid';
import { Failure } from '../errors.ts';

/** The last item of a page: the next page begins after it. */
export interface Cursor {
  readonly createdAt: Date;
  readonly id: string;
}

export function cursorAfter(createdAt: Date, id: string): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

/** Throws VALIDATION_ERROR for what no listing of ours gave. */
export function readCursor(text: string): Cursor {
  const [time, id, ...rest] = Buffer.from(text, 'base64url').toString('latin1').split(' ');
  const createdAt = new Date(Number(time));
  if (rest.length > 0 || id === undefined || !isUuid(id) || Number.isNaN(createdAt.getTime())) {
    const message = 'must be a cursor as an earlier answer gave it';
    throw new Failure('VALIDATION_ERROR', `cursor: ${message}`, { fields: [{ path: 'cursor', message }] });
  }
  return { createdAt, id };
}
