import { z } from 'zod';
import { editSchema } from '../domain/edit-options.ts';
import { Failure } from '../domain/errors.ts';
import { isOwnedBlobKey } from '../storage/blob-names.ts';
import { isStoredType } from '../storage/content-types.ts';
import { styleSchema } from '../style/model/schema.ts';
import { check } from '../untrusted/check.ts';
import { DOCUMENT_LIMITS, JsonFault, parseJson } from '../untrusted/json.ts';
import type { Column, MovedTable, TextRow } from './moved-tables.ts';

const contentType = z.string().refine(isStoredType, 'is not a type of a stored file');
const blobKey = z.string().refine(isOwnedBlobKey, 'is not a valid key of a stored file');
const artifact = z.looseObject({
  name: z.string().max(255),
  blobKey,
  contentType,
  sizeBytes: z.number().min(0),
});
const warnings = z.array(z.looseObject({ code: z.string(), message: z.string() }));

const styleOrigin = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('videos'),
    videos: z.array(z.object({ videoId: z.string(), filename: z.string() })),
  }),
  z.object({ kind: z.literal('job'), jobId: z.string() }),
  z.object({ kind: z.literal('style_json') }),
]);

/** Columns, as text, whose values requests use without further checks. */
const CHECKED_COLUMNS: Readonly<Partial<Record<MovedTable, Readonly<Record<string, z.ZodType>>>>> = {
  videos: { blob_key: blobKey, content_type: contentType, warnings: json(warnings) },
  styles: { style: json(styleSchema), origin: json(styleOrigin) },
  jobs: {
    warnings: json(warnings),
    config: json(z.record(z.string(), z.unknown())),
    edit: json(editSchema),
    publication: json(z.looseObject({ output: artifact, artifacts: z.array(artifact) })),
    error: json(z.looseObject({ code: z.string(), message: z.string(), detail: z.string() })),
  },
};

/** JSON in a column; a null column is `null`. */
function json(schema: z.ZodType): z.ZodType {
  return z
    .string()
    .transform((text, context) => {
      try {
        return parseJson(text, DOCUMENT_LIMITS);
      } catch (error) {
        context.addIssue(error instanceof JsonFault ? error.message : 'is not valid JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** Parses the row in a line of a table. Throws `Failure` with the table and the line. */
export function importedRow(
  table: MovedTable,
  columns: readonly Column[],
  text: string,
  line: number,
): TextRow {
  const row = check(rowSchema(columns.length), parsedJson(text, columns.length));
  if (!row.success) throw refusedRow(table, line, `is not a list of ${columns.length} texts`);
  for (const [name, schema] of Object.entries(CHECKED_COLUMNS[table] ?? {})) {
    const value = row.data[columns.findIndex((column) => column.name === name)];
    if (value === undefined || value === null) continue;
    const found = check(schema, value);
    if (found.success) continue;
    const issue = found.error.issues[0];
    throw refusedRow(table, line, `${[name, ...issue.path].join('.')}: ${issue.message}`);
  }
  return row.data;
}

function rowSchema(length: number) {
  return z.array(z.string().nullable()).length(length);
}

function parsedJson(text: string, values: number): unknown {
  try {
    return parseJson(text, { depth: 1, values });
  } catch {
    return undefined;
  }
}

function refusedRow(table: MovedTable, line: number, problem: string): Failure {
  return new Failure(
    'VALIDATION_ERROR',
    `The export cannot be imported: line ${line} of tables/${table}.jsonl: ${problem}. Nothing was imported`,
  );
}
