export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/**
 * A `Range` header over `size` bytes (RFC 9110, section 14): the requested range, null when the whole
 * is to be sent (no header, another unit, a malformed one, several ranges), `unsatisfiable` otherwise.
 */
export function byteRange(header: string | undefined, size: number): ByteRange | null | 'unsatisfiable' {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  if (match === null) return null;
  const [, first = '', last = ''] = match;
  if (first === '') {
    if (last === '') return null;
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

export interface Validators {
  readonly etag: string;
  readonly lastModified: Date;
}

/** Whether a file is the one that `If-None-Match` names. */
export function isNotModified(header: string | undefined, { etag }: Validators): boolean {
  if (header === undefined) return false;
  const named = header.split(',').map((part) => part.trim().replace(/^W\//, ''));
  return named.includes('*') || named.includes(etag);
}

/** Whether `If-Range` (an ETag, strong, or an exact date) lets a `Range` stand. */
export function isRangeCurrent(header: string | undefined, { etag, lastModified }: Validators): boolean {
  return header === undefined || header.trim() === etag || header.trim() === lastModified.toUTCString();
}
