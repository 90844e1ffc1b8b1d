import { z } from 'zod';
import { type EditSummary, editSummarySchema } from '../style/model/edit-summary.ts';
import { check } from '../untrusted/check.ts';
import { checkedAnswer } from './unexpected-answer.ts';
import { visibleLine, withVisibleLines } from './visible-text.ts';

/** Above all lists of a result: 17 artifacts, and a warning for each take of an edit. */
const MAX_ITEMS = 100;

const shown = z.string().transform(visibleLine);
const warningsSchema = z.array(z.object({ code: shown, message: shown })).max(MAX_ITEMS);
const resultSchema = z.object({
  warnings: warningsSchema,
  artifacts: z.array(z.object({ name: z.string(), size_bytes: z.int().min(0) })).max(MAX_ITEMS),
  output_video_url: shown,
  processing_time_seconds: z.number().min(0).nullish(),
});
const previewSchema = z.object({
  warnings: warningsSchema,
  picture: z.record(z.string(), z.json()).nullish(),
});

/** The fields of a job's result that this program uses. */
export interface ReceivedJob extends z.output<typeof resultSchema> {
  /** Null: the service has another version. */
  readonly summary: EditSummary | null;
}

/** Validates a result before use. Throws `StyleDnaError` UNEXPECTED_ANSWER. */
export function receivedJob(result: object): ReceivedJob {
  const checked = checkedAnswer('result', resultSchema, result);
  const summary = check(editSummarySchema, (result as { readonly summary?: unknown }).summary);
  return { ...checked, summary: summary.success ? withVisibleLines(summary.data) : null };
}

/** Warnings of a preview, and its picture's size and moments as data to print. Throws as `receivedJob`. */
export function receivedPreview(preview: object): z.output<typeof previewSchema> {
  return checkedAnswer('preview', previewSchema, preview);
}
