export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

/**
 * Parses a `Range` header over `size` bytes (RFC 9110, section 14). Null: send the whole file (no header,
 * another unit, a malformed header, or several ranges).
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

/** Whether a file matches `If-None-Match`. */
export function isNotModified(header: string | undefined, { etag }: Validators): boolean {
  if (header === undefined) return false;
  const tags = header.split(',').map((part) => part.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etag);
}

/** Whether `If-Range` (a strong ETag, or an exact date) permits a `Range`. */
export function isRangeCurrent(header: string | undefined, { etag, lastModified }: Validators): boolean {
  return header === undefined || header.trim() === etag || header.trim() === lastModified.toUTCString();
}
