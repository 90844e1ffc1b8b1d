/** The folder that an installation is exported to. */
import { join } from 'node:path';
import { z } from 'zod';
import { MOVED_SETTINGS, MOVED_TABLES } from './moved-tables.ts';

const count = z.int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.object({
  format: z.literal(1),
  /** Of the program that wrote it. */
  version: z.string(),
  /** The number of its last migration: rows fit tables of the same one only. */
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
export const blobLineSchema = z.object({
  /** As `blob-store.ts` says: it is used as a path. */
  key: z.string().regex(/^(?!.*(?:^|\/)\.\.?(?:\/|$))[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/),
  sizeBytes: count,
  sha256,
});
export type BlobLine = z.output<typeof blobLineSchema>;

/** Written last: a folder without it is an export that was broken off. */
export const manifestPath = (folder: string) => join(folder, 'manifest.json');
export const tablePath = (folder: string, table: string) => join(folder, 'tables', `${table}.jsonl`);
export const blobListPath = (folder: string) => join(folder, 'blobs.jsonl');
export const blobPath = (folder: string, key: string) => join(folder, 'blobs', ...key.split('/'));

/** Throws what zod throws. */
export function parseManifest(text: string): Manifest {
  return manifestSchema.parse(JSON.parse(text));
}
