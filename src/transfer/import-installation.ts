import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { LARGE_TABLES, type Queryable } from '../database/database.ts';
import { MIGRATIONS } from '../database/schema.ts';
import { decideShared } from '../database/shared-settings.ts';
import { Failure } from '../domain/errors.ts';
import type { JobQueue } from '../jobs/queue/queue.ts';
import { WAITS_FOR_IMPORT } from '../jobs/queue/waiting-jobs.ts';
import { type BlobLine, type Manifest, parseBlobLine, parseManifest } from './archive.ts';
import { archivedLines, openArchived } from './archived-file.ts';
import { hashing, type TransferParts } from './export-installation.ts';
import { importedRow } from './imported-rows.ts';
import {
  type Column,
  columnsOf,
  countRows,
  insertRows,
  MOVED_TABLES,
  type MovedTable,
  RowDigest,
  readRows,
  type TextRow,
} from './moved-tables.ts';
import { assertNoWorkers } from './worker-check.ts';

export interface ImportParts extends TransferParts {
  /** The started queue of the target. */
  readonly queue: JobQueue;
}

/**
 * Imports an export into an empty installation. First the files: existing ones are skipped, so that an import
 * can be repeated. Then all rows in one transaction, which compares them with the manifest before it commits.
 * Throws `Failure`.
 */
export async function importInstallation(parts: ImportParts): Promise<Manifest> {
  const { database, folder } = parts;
  const manifest = await readManifest(folder);
  await assertNoWorkers(database);
  await assertEmpty(database);
  await importBlobs(parts, manifest);
  await database.transaction(async (transaction) => {
    for (const table of MOVED_TABLES) await importTable(parts, transaction, table, manifest.tables[table]);
    for (const [name, value] of Object.entries(manifest.settings))
      await decideShared(transaction, name, value);
    await requeue(transaction, parts.queue);
  }, LARGE_TABLES);
  return manifest;
}

/** Throws `Failure` for a folder that holds no export of this version. */
export async function readManifest(folder: string): Promise<Manifest> {
  if ((await lstat(folder).catch(() => null)) === null)
    throw new Failure('FILE_NOT_FOUND', `There is no folder "${folder}"`, { file: folder });
  const status = await lstat(join(folder, 'manifest.json')).catch(() => null);
  if (status === null)
    throw new Failure(
      'VALIDATION_ERROR',
      `${folder} has no manifest.json: it is not an export, or an incomplete one`,
    );
  await using file = await openArchived(folder, ['manifest.json']);
  const { size } = await file.stat();
  if (size > MAX_MANIFEST_BYTES)
    throw damaged(`manifest.json has ${size} bytes; at most ${MAX_MANIFEST_BYTES} are read`);
  const manifest = parsed(await file.readFile('utf8'), folder);
  if (manifest.migration === MIGRATIONS.length) return manifest;
  throw new Failure(
    'VALIDATION_ERROR',
    `The export was made by version ${manifest.version} (migration ${manifest.migration}); this one needs migration ${MIGRATIONS.length}. Export with the same version as this one`,
  );
}

function parsed(text: string, folder: string): Manifest {
  try {
    return parseManifest(text);
  } catch (cause) {
    throw new Failure('VALIDATION_ERROR', `${folder}/manifest.json is damaged or has another format`, {
      cause,
    });
  }
}

async function assertEmpty(db: Queryable): Promise<void> {
  for (const table of MOVED_TABLES) {
    const rows = await countRows(db, table);
    // Every installation generates one at its first start.
    const own = table === 'webhook_secrets' ? 1 : 0;
    if (rows > own)
      throw new Failure(
        'VALIDATION_ERROR',
        `The target is not empty: ${table} has ${rows} rows. Import into a new database`,
      );
  }
}

async function importBlobs(
  { blobs, folder, signal, onProgress }: ImportParts,
  manifest: Manifest,
): Promise<void> {
  let files = 0;
  for await (const text of archivedLines(folder, ['blobs.jsonl'])) {
    signal.throwIfAborted();
    const line = parseBlobLine(text, files + 1);
    const existing = await blobs.head(line.key);
    if (existing?.sizeBytes !== line.sizeBytes) await importBlob({ blobs, folder, signal }, line);
    files++;
    onProgress('files', files / manifest.blobs.files);
  }
  if (files !== manifest.blobs.files)
    throw damaged(`blobs.jsonl has ${files} files in place of ${manifest.blobs.files}`);
}

async function importBlob(
  { blobs, folder, signal }: Pick<ImportParts, 'blobs' | 'folder' | 'signal'>,
  { key, sizeBytes, sha256 }: BlobLine,
): Promise<void> {
  const hash = hashing();
  const file = await openArchived(folder, ['blobs', ...key.split('/')]);
  const { size } = await file.stat();
  if (size !== sizeBytes) {
    await file.close();
    throw damaged(`the file ${key} differs from what was exported: it has ${size} bytes, not ${sizeBytes}`);
  }
  const source = file.createReadStream({ highWaterMark: 1 << 18 });
  // A read error would look like an early end to the store.
  source.on('error', (error) => hash.through.destroy(error));
  await blobs.put(key, source.pipe(hash.through), signal);
  const found = hash.found();
  if (found.sha256 === sha256 && found.sizeBytes === sizeBytes) return;
  await blobs.remove(key);
  throw damaged(`the file ${key} differs from what was exported`);
}

async function importTable(
  { folder, signal, onProgress }: ImportParts,
  transaction: Queryable,
  table: MovedTable,
  { columns, rows: total, digest }: Manifest['tables'][MovedTable],
): Promise<void> {
  const own = await columnsOf(transaction, table);
  assertSameColumns(table, own, columns);
  // Removes the target's generated secret: receivers verify with the imported secrets.
  if (table === 'webhook_secrets' && total > 0) await transaction.query('delete from webhook_secrets');
  let done = 0;
  for await (const rows of batchesOf(folder, table, own)) {
    signal.throwIfAborted();
    await insertRows(transaction, table, own, rows).catch((error: unknown) => {
      throw isRefusedValue(error) ? damaged(`${table} has a value that its columns refuse`, error) : error;
    });
    done += rows.length;
    onProgress(table, Math.min(1, done / Math.max(1, total)));
  }
  const found = new RowDigest();
  for await (const rows of readRows(transaction, table, own)) found.add(rows);
  if (total > 0 && (found.rows !== total || found.digest !== digest))
    throw damaged(`${table} has ${found.rows} rows that are not the ${total} that were exported`);
}

function assertSameColumns(table: MovedTable, own: readonly Column[], exported: readonly Column[]): void {
  if (JSON.stringify(own) === JSON.stringify(exported)) return;
  throw damaged(`its columns of ${table} are not those of this version`);
}

/**
 * Queues waiting jobs in their order, except those that wait for an import, and jobs that ran. The next
 * worker continues those at their stage and counts no lost worker.
 */
async function requeue(transaction: Queryable, queue: JobQueue): Promise<void> {
  await transaction.query(`update jobs set handed_over = true where status = 'processing'`);
  const waiting = await transaction.query<{ id: string; priority: number; turn: number }>(
    `select job_id as id, priority, turn from jobs where status in ('queued', 'processing')
       and not ${WAITS_FOR_IMPORT}
     order by created_at, job_id`,
  );
  for (let from = 0; from < waiting.length; from += 1000)
    await queue.add(transaction, waiting.slice(from, from + 1000));
}

const BATCH = 500;
/** Of a batch: a row with a style takes 10 KB, and a line of an export may have 64 MiB. */
const BATCH_CHARACTERS = 1 << 24;
/** Columns of nine tables. */
const MAX_MANIFEST_BYTES = 1 << 20;

async function* batchesOf(
  folder: string,
  table: MovedTable,
  columns: readonly Column[],
): AsyncGenerator<TextRow[]> {
  let rows: TextRow[] = [];
  let characters = 0;
  let line = 0;
  for await (const text of archivedLines(folder, ['tables', `${table}.jsonl`])) {
    rows.push(importedRow(table, columns, text, ++line));
    characters += text.length;
    if (rows.length < BATCH && characters < BATCH_CHARACTERS) continue;
    yield rows;
    [rows, characters] = [[], 0];
  }
  if (rows.length > 0) yield rows;
}

/** Classes 22 (data exception) and 23 (integrity constraint violation) of SQLSTATE. */
function isRefusedValue(error: unknown): boolean {
  return /^2[23]\w{3}$/.test(String((error as { readonly code?: unknown } | null)?.code));
}

function damaged(detail: string, cause?: unknown): Failure {
  return new Failure(
    'VALIDATION_ERROR',
    `The export is damaged: ${detail}. Nothing was imported; export it again`,
    { cause },
  );
}
