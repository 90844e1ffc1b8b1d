/** The folder format of an exported installation. */
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from '../domain/errors.ts';
import { isOwnedBlobKey } from '../storage/blob-names.ts';
import { check } from '../untrusted/check.ts';
import { type JsonFault, type JsonLimits, parseJson } from '../untrusted/json.ts';
import { MOVED_SETTINGS, MOVED_TABLES } from './moved-tables.ts';

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.object({
  format: z.literal(1),
  /** Version of the exporting program. */
  version: z.string(),
  /** Number of the last migration: rows fit only tables of the same migration. */
  migration: count,
  exportedAt: z.iso.datetime(),
  tables: z.record(
    z.enum(MOVED_TABLES),
    z.object({
      columns: z.array(
        z.object({ name: z.string().regex(/^[a-z_0-9]+$/), type: z.string().regex(/^[a-z0-9_ ()[\]]+$/) }),
      ),
      rows: count,
      digest: sha256,
    }),
  ),
  settings: z.partialRecord(z.enum(MOVED_SETTINGS), z.string()),
  blobs: z.object({ files: count, bytes: count }),
});
export type Manifest = z.output<typeof manifestSchema>;

/** One line of the list of blobs. */
const blobLineSchema = z.object({
  key: z.string().refine(isOwnedBlobKey, 'is not a valid key of a stored file'),
  sizeBytes: count,
  sha256,
});
export type BlobLine = z.output<typeof blobLineSchema>;

/** A list of blobs has three keys a line; eight tables have 150 columns. */
const BLOB_LIMITS: JsonLimits = { depth: 1, values: 7 };
const MANIFEST_LIMITS: JsonLimits = { depth: 8, values: 10_000 };

function parsedBy<S extends z.ZodType>(schema: S, text: string, limits: JsonLimits): z.output<S> {
  const parsed = check(schema, parseJson(text, limits));
  if (parsed.success) return parsed.data;
  throw parsed.error;
}

/** Written last: an export without it is incomplete. */
export const manifestPath = (folder: string) => join(folder, 'manifest.json');
export const tablePath = (folder: string, table: string) => join(folder, 'tables', `${table}.jsonl`);
export const blobListPath = (folder: string) => join(folder, 'blobs.jsonl');
export const blobPath = (folder: string, key: string) => join(folder, 'blobs', ...key.split('/'));

/** Throws `Failure` with the line number. */
export function parseBlobLine(text: string, line: number): BlobLine {
  try {
    return parsedBy(blobLineSchema, text, BLOB_LIMITS);
  } catch (cause) {
    const issue = cause instanceof z.ZodError ? cause.issues[0] : null;
    const problem =
      issue === null ? (cause as JsonFault).message : `${issue.path.join('.')} ${issue.message}`;
    throw new Failure(
      'VALIDATION_ERROR',
      `The export cannot be imported: line ${line} of blobs.jsonl: ${problem}: ${JSON.stringify(text.slice(0, 120))}. Nothing was imported`,
      { cause },
    );
  }
}

/** Throws `JsonFault` and the errors of zod. */
export function parseManifest(text: string): Manifest {
  return parsedBy(manifestSchema, text, MANIFEST_LIMITS);
}
