import type { z } from 'zod';
import { StyleDnaError } from '../client/error.ts';
import { check } from '../untrusted/check.ts';

/** Errors shown of an answer: a list of thousands can be invalid in each element. */
const SHOWN_ISSUES = 3;

/** Validates an answer before use. Throws `StyleDnaError` UNEXPECTED_ANSWER with the first faults. */
export function checkedAnswer<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const parsed = check(schema, answer);
  if (parsed.success) return parsed.data;
  throw new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: `The ${what} is not from this service`,
    detail: parsed.error.issues
      .slice(0, SHOWN_ISSUES)
      .map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('; '),
  });
}
