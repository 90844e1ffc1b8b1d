import { z } from 'zod';
import { StyleDnaError } from '../client/error.ts';
import { type EditSummary, editSummarySchema } from '../style/model/edit-summary.ts';
import { visibleText } from './visible-text.ts';

const MAX_ARTIFACTS = 100;

const shown = z.string().transform(visibleText);
const warnedSchema = z.object({ warnings: z.array(z.object({ code: shown, message: shown })) });
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
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) throw notOfThisService('result', parsed.error);
  const summary = editSummarySchema.safeParse((result as { readonly summary?: unknown }).summary);
  return { ...parsed.data, summary: summary.success ? withVisibleText(summary.data) : null };
}

/** The warnings of a preview. Throws as `receivedJob`. */
export function receivedWarnings(preview: object): ReceivedJob['warnings'] {
  const parsed = warnedSchema.safeParse(preview);
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
    detail: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
  });
}
