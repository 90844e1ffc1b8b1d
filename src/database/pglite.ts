import { closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type PGliteInterface, type Transaction } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { fromPglite } from 'pg-boss';
import type { Queryable, Row } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { withDatabaseFailures } from './failures.ts';
import type { QueueDatabase } from './queue-database.ts';

/**
 * PostgreSQL inside this process, its files under `directory`, which it takes for itself alone.
 * Every commit is on the disk when it resolves. There is one connection: statements and transactions run one after
 * the other, and inside a transaction only its own handle may be used, or the process waits for itself.
 * Throws `DirectoryLockedError` when another process holds the directory.
 */
export async function openPglite(directory: string): Promise<QueueDatabase> {
  const lock = lockDirectory(directory);
  try {
    const pglite = await openCluster(directory);
    return embeddedDatabase(pglite, async () => {
      await pglite.close();
      lock[Symbol.dispose]();
    });
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

async function openCluster(directory: string): Promise<PGlite> {
  const cluster = join(directory, 'cluster');
  const ready = join(directory, 'ready');
  // A cluster without the mark died while it was being made: nothing in it was ever acknowledged.
  const isNew = !existsSync(ready);
  if (isNew) rmSync(cluster, { recursive: true, force: true });
  const pglite = await PGlite.create({
    fs: new DurableNodeFs(cluster),
    startParams: durableStartParameters(),
  });
  if (isNew) {
    await pglite.exec('CHECKPOINT');
    syncTree(cluster);
    writeFileSync(ready, '', { flush: true });
    syncPath(directory);
  }
  return pglite;
}

/** PGlite starts PostgreSQL with fsync off (`-F`); this turns it on, once per commit. */
function durableStartParameters(): string[] {
  return [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...['-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=16MB'],
  ];
}

/** Emscripten's NODEFS leaves fsync out of its stream operations, so that PostgreSQL's calls would go nowhere. */
class DurableNodeFs extends NodeFS {
  override async init(pglite: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const initialised = await super.init(pglite, options);
    const before = initialised.emscriptenOpts.preRun ?? [];
    const addFsync = (module: { NODEFS?: { stream_ops: Record<string, unknown> } }) => {
      module.NODEFS!.stream_ops['fsync'] = (stream: { nfd: number }) => {
        fsyncSync(stream.nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...initialised.emscriptenOpts, preRun: [...before, addFsync as never] } };
  }
}

function embeddedDatabase(pglite: PGlite, close: () => Promise<void>): QueueDatabase {
  const run = queryable(pglite);
  return {
    kind: 'pglite',
    query: run.query,
    transaction: (work) =>
      withDatabaseFailures(() => pglite.transaction((transaction) => work(queryable(transaction)))),
    listen: (channel, onPayload) => pglite.listen(channel, onPayload),
    check: async () => {
      await run.query('select 1');
    },
    close,
    queue: { backend: 'pglite', db: fromPglite(pglite) },
  };
}

function queryable(connection: PGliteInterface | Transaction): Queryable {
  return {
    query: <R extends Row>(sql: string, parameters: readonly unknown[] = []) =>
      withDatabaseFailures(async () => (await connection.query<R>(sql, [...parameters])).rows),
  };
}

function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    syncPath(join(entry.parentPath, entry.name));
  }
  syncPath(directory);
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
