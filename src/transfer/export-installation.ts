import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Database, LARGE_TABLES, type Queryable } from '../database/database.ts';
import { MIGRATIONS } from '../database/schema.ts';
import { sharedSetting } from '../database/shared-settings.ts';
import { Failure } from '../domain/errors.ts';
import { VERSION } from '../package/version.ts';
import { BLOB_OWNERS } from '../storage/blob-names.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import { type BlobLine, blobListPath, blobPath, type Manifest, manifestPath, tablePath } from './archive.ts';
import {
  columnsOf,
  countRows,
  MOVED_SETTINGS,
  MOVED_TABLES,
  type MovedTable,
  RowDigest,
  readRows,
} from './moved-tables.ts';
import { assertNoWorkers } from './worker-check.ts';

export interface TransferParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Reports the finished share of the present part, 0..1. */
  readonly onProgress: (what: string, fraction: number) => void;
}

/**
 * Exports an installation to an empty folder: rows as text, files by their keys, and finally a manifest with
 * counts and hashes. Throws `Failure` if the folder is not empty, if a worker runs, and if rows changed
 * during the export. Nothing of a failed export stays.
 */
export async function exportInstallation(parts: TransferParts): Promise<Manifest> {
  const { database, folder } = parts;
  await assertNoWorkers(database);
  const made = await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new Failure(
      'VALIDATION_ERROR',
      `The folder ${folder} is not empty. Choose an empty or a new folder`,
    );
  try {
    return await writeExport(parts);
  } catch (error) {
    // It would hold secrets, and no import reads it.
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    // Failed writes do not name their file.
    throw error instanceof Error && 'syscall' in error ? Object.assign(error, { file: folder }) : error;
  }
}

async function writeExport(parts: TransferParts): Promise<Manifest> {
  const { database, folder } = parts;
  const tables = await exportTables(parts);
  const blobs = await exportBlobs(parts);
  await assertUnchanged(database, tables);
  const manifest: Manifest = {
    format: 1,
    version: VERSION,
    migration: MIGRATIONS.length,
    exportedAt: new Date().toISOString(),
    tables,
    settings: await settingsOf(database),
    blobs,
  };
  await writeDurably(manifestPath(folder), `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}

/** One transaction; each table has its state at the begin of its reading. */
async function exportTables({
  database,
  folder,
  signal,
  onProgress,
}: TransferParts): Promise<Manifest['tables']> {
  await mkdir(dirname(tablePath(folder, 'any')), { recursive: true });
  return database.transaction(async (transaction) => {
    const written: [MovedTable, Manifest['tables'][MovedTable]][] = [];
    for (const table of MOVED_TABLES) {
      const columns = await columnsOf(transaction, table);
      const total = await countRows(transaction, table);
      const digest = new RowDigest();
      const lines = async function* () {
        for await (const rows of readRows(transaction, table, columns)) {
          signal.throwIfAborted();
          digest.add(rows);
          onProgress(table, total === 0 ? 1 : Math.min(1, digest.rows / total));
          yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
        }
      };
      await pipeline(lines, createWriteStream(tablePath(folder, table), { flush: true }));
      written.push([table, { columns, rows: digest.rows, digest: digest.digest }]);
    }
    return Object.fromEntries(written) as Manifest['tables'];
  }, LARGE_TABLES);
}

async function exportBlobs({ blobs, folder, signal, onProgress }: TransferParts): Promise<Manifest['blobs']> {
  const keys: string[] = [];
  for (const { root } of Object.values(BLOB_OWNERS)) for await (const key of blobs.list(root)) keys.push(key);
  const list = createWriteStream(blobListPath(folder), { flush: true });
  let bytes = 0;
  let files = 0;
  for (const key of keys) {
    signal.throwIfAborted();
    const line = await exportBlob(blobs, folder, key, signal);
    bytes += line.sizeBytes;
    files++;
    list.write(`${JSON.stringify(line)}\n`);
    onProgress('files', files / keys.length);
  }
  await new Promise<void>((resolve, reject) => {
    list.once('error', reject);
    list.end(resolve);
  });
  return { files, bytes };
}

async function exportBlob(
  blobs: BlobStore,
  folder: string,
  key: string,
  signal: AbortSignal,
): Promise<BlobLine> {
  const path = blobPath(folder, key);
  await mkdir(dirname(path), { recursive: true });
  const hash = hashing();
  await pipeline(await blobs.get(key), hash.through, createWriteStream(path, { flush: true }), { signal });
  return { key, ...hash.found() };
}

/** Hashes and counts the bytes of a stream. */
export function hashing(): {
  readonly through: Transform;
  readonly found: () => Omit<BlobLine, 'key'>;
} {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, found: () => ({ sizeBytes, sha256: hash.digest('hex') }) };
}

async function settingsOf(db: Queryable): Promise<Manifest['settings']> {
  const settings: Manifest['settings'] = {};
  for (const name of MOVED_SETTINGS) {
    const value = await sharedSetting(db, name);
    if (value !== null) settings[name] = value;
  }
  return settings;
}

/** A process without a worker may have added rows during the export; this detects them. */
async function assertUnchanged(database: Database, tables: Manifest['tables']): Promise<void> {
  for (const table of MOVED_TABLES) {
    const rows = await countRows(database, table);
    if (rows === tables[table].rows) continue;
    throw new Failure(
      'SERVICE_UNAVAILABLE',
      `${table} had ${tables[table].rows} rows and now has ${rows}. Stop every process of the installation and export again`,
    );
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const draft = `${path}.draft`;
  await using file = await open(draft, 'w');
  await file.writeFile(text);
  await file.sync();
  await rename(draft, path);
  await using folder = await open(dirname(join(path)), 'r');
  await folder.sync();
}
