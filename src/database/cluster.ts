import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { moduleBeside } from '../package/package-files.ts';
import { ClusterFiles } from './cluster-files.ts';
import { compiledPostgres } from './postgres-wasm.ts';
import { syncFileSystem } from './recovery-syncs.ts';
import { DATABASE_ID } from './shared-settings.ts';

const MAKE_CLUSTER = fileURLToPath(moduleBeside('make-cluster', import.meta.url));
const INCOMPLETE_PREFIX = 'making-';

/**
 * PostgreSQL without a cluster. It starts immediately and waits at its first access to files. More than a
 * quarter of its start is done by then (80 of 290 ms).
 */
export class LoadedPostgres {
  readonly #files = new ClusterFiles();
  readonly #pglite = startPglite(this.#files);

  constructor() {
    // It may fail before anything awaits it.
    this.#pglite.catch(() => {});
  }

  /**
   * Opens the PostgreSQL cluster under `directory` and makes it if necessary: from `prepared`, an empty
   * database of this version, if the file exists. The caller holds the lock of the directory. Call `open` or
   * `start` at most once.
   */
  async open(directory: string, prepared: string | null): Promise<PGlite> {
    const cluster = join(directory, 'cluster');
    const ready = join(directory, 'ready');
    if (existsSync(ready)) return this.start(cluster);
    // A cluster without this marker is incomplete, and nothing in it was ever acknowledged.
    rmSync(cluster, { recursive: true, force: true });
    const { unpackCluster } = await import('./prepared-cluster.ts');
    const isPrepared = prepared !== null && unpackCluster(prepared, cluster);
    if (!isPrepared) await makeInChildProcess(directory, cluster);
    const pglite = await this.start(cluster);
    if (isPrepared) {
      await renewIdentity(pglite);
      syncFolderTree(cluster);
    }
    writeFileSync(ready, '', { flush: true });
    syncPath(directory);
    syncPath(dirname(directory));
    return pglite;
  }

  /** Starts on the cluster in this folder. In an empty folder PostgreSQL's initdb makes one first. */
  async start(cluster: string): Promise<PGlite> {
    this.#files.mount(cluster);
    const pglite = await this.#pglite;
    this.#files.started();
    return pglite;
  }
}

async function startPglite(fs: ClusterFiles): Promise<PGlite> {
  const pgliteWasmModule = await compiledPostgres();
  return PGlite.create({ fs, pgliteWasmModule, startParams: durableStartParameters() });
}

/**
 * Gives a copy of the prepared database its own id (`shared-settings.ts`), since no two databases may share
 * one.
 */
async function renewIdentity(pglite: PGlite): Promise<void> {
  await pglite.query(
    'update shared_settings set value = gen_random_uuid()::text, decided_at = now() where name = $1',
    [DATABASE_ID],
  );
}

/** Makes a cluster in this process. All its bytes are on the disk when it resolves. */
export async function makeCluster(cluster: string): Promise<void> {
  mkdirSync(cluster, { recursive: true });
  const pglite = await new LoadedPostgres().start(cluster);
  await pglite.exec('CHECKPOINT');
  await pglite.close();
  syncFolderTree(cluster);
}

/**
 * Makes the cluster in a child process, since initdb allocates 560 MB that its process never releases. It
 * also uses its own folder, so that a child that outlives this process causes no harm.
 */
async function makeInChildProcess(directory: string, cluster: string): Promise<void> {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(INCOMPLETE_PREFIX)) rmSync(join(directory, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(directory, INCOMPLETE_PREFIX));
  const made = join(folder, 'cluster');
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  await promisify(execFile)(process.execPath, [MAKE_CLUSTER, made], { env: {} });
  renameSync(made, cluster);
  rmSync(folder, { recursive: true });
}

/** PGlite starts PostgreSQL with fsync off (`-F`); this turns it on, once per commit. */
function durableStartParameters(): string[] {
  return [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...['-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=16MB'],
  ];
}

/**
 * One syncfs(2) if coreutils offer it. At a first start, on a disk with 20 ms for each sync, syncing a
 * thousand files one by one takes twenty seconds.
 */
function syncFolderTree(directory: string): void {
  if (syncFileSystem(directory)) return;
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
