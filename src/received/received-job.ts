import { z } from 'zod';
import { StyleDnaError } from '../client/error.ts';
import { type EditSummary, editSummarySchema } from '../style/model/edit-summary.ts';
import { check } from '../untrusted/check.ts';
import { visibleText } from './visible-text.ts';

const MAX_ARTIFACTS = 100;
/** An edit of 50 takes has at most some per take. */
const MAX_WARNINGS = 1000;
/** Faults that an error names. */
const MAX_NAMED = 5;

const shown = z.string().transform(visibleText);
const warnedSchema = z.object({
  warnings: z.array(z.object({ code: shown, message: shown })).max(MAX_WARNINGS),
});
const resultSchema = warnedSchema.extend({
  artifacts: z.array(z.object({ name: z.string(), size_bytes: z.int().min(0) })).max(MAX_ARTIFACTS),
});

/** The fields of a job's result that this program uses. */
export interface ReceivedJob extends z.output<typeof resultSchema> {
  /** Null: the service has another version. */
  readonly summary: EditSummary | null;
}

/** Validates a result before use. Throws `StyleDnaError` UNEXPECTED_ANSWER. */
export function receivedJob(result: object): ReceivedJob {
  const parsed = check(resultSchema, result);
  if (!parsed.success) throw notOfThisService('result', parsed.error);
  const summary = check(editSummarySchema, (result as { readonly summary?: unknown }).summary);
  return { ...parsed.data, summary: summary.success ? withVisibleText(summary.data) : null };
}

/** The warnings of a preview. Throws as `receivedJob`. */
export function receivedWarnings(preview: object): ReceivedJob['warnings'] {
  const parsed = check(warnedSchema, preview);
  if (parsed.success) return parsed.data.warnings;
  throw notOfThisService('preview', parsed.error);
}

function withVisibleText(summary: EditSummary): EditSummary {
  return { ...summary, text: visibleText(summary.text) };
}

function notOfThisService(what: string, { issues }: z.ZodError): StyleDnaError {
  return new StyleDnaError({
    code: 'UNEXPECTED_ANSWER',
    message: `The ${what} is not from this service`,
    detail: issues
      .slice(0, MAX_NAMED)
      .map(({ path, message }) => `${path.join('.')}: ${message}`)
      .join('; '),
  });
}
