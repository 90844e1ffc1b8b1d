import { StyleDnaError } from './error.ts';

/** An id as a part of a path. Throws UNEXPECTED_ANSWER for anything but a text, which only another server's answer holds. */
export function part(id: string): string {
  try {
    if (typeof id === 'string' && id !== '') return encodeURIComponent(id);
  } catch {
    // Half of a surrogate pair.
  }
  throw new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: 'The answer is not from this service',
    detail: `it has ${JSON.stringify(id)?.slice(0, 100) ?? 'nothing'} where an id must be`,
  });
}
