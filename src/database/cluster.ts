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

const MAKER = fileURLToPath(moduleBeside('make-cluster', import.meta.url));
const MAKING = 'making-';

/**
 * PostgreSQL that has no cluster yet. It begins to start at once, and waits for its files where it first needs them: more than a
 * quarter of its start is done by then (80 of 290 ms).
 */
export class LoadedPostgres {
  readonly #files = new ClusterFiles();
  readonly #pglite = startPglite(this.#files);

  constructor() {
    // It may fail before anybody waits for it.
    this.#pglite.catch(() => {});
  }

  /**
   * The PostgreSQL cluster under `directory`, which is made first where there is none: of `prepared`, an empty database of this
   * version, where there is such a file. The caller holds the directory. At most once, as `start`.
   */
  async open(directory: string, prepared: string | null): Promise<PGlite> {
    const cluster = join(directory, 'cluster');
    const ready = join(directory, 'ready');
    if (existsSync(ready)) return this.start(cluster);
    // A cluster without the mark died while it was being made: nothing in it was ever acknowledged.
    rmSync(cluster, { recursive: true, force: true });
    const { unpackCluster } = await import('./prepared-cluster.ts');
    const isPrepared = prepared !== null && unpackCluster(prepared, cluster);
    if (!isPrepared) await makeApart(directory, cluster);
    const pglite = await this.start(cluster);
    if (isPrepared) {
      await renewIdentity(pglite);
      syncTree(cluster);
    }
    writeFileSync(ready, '', { flush: true });
    syncPath(directory);
    syncPath(dirname(directory));
    return pglite;
  }

  /** Starts on the cluster in this folder; in an empty folder it makes one first (PostgreSQL's initdb). */
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

/** Every database that was made of the prepared one has its name for itself (`shared-settings.ts`), which none may share. */
async function renewIdentity(pglite: PGlite): Promise<void> {
  await pglite.query(
    'update shared_settings set value = gen_random_uuid()::text, decided_at = now() where name = $1',
    [DATABASE_ID],
  );
}

/** Makes a cluster in this process. Every byte of it is on the disk when it resolves. */
export async function makeCluster(cluster: string): Promise<void> {
  mkdirSync(cluster, { recursive: true });
  const pglite = await new LoadedPostgres().start(cluster);
  await pglite.exec('CHECKPOINT');
  await pglite.close();
  syncTree(cluster);
}

/**
 * initdb takes 560 MB that its process never gives back, so it runs in one of its own; in a folder of its own as well,
 * where it does no harm should it outlive this process.
 */
async function makeApart(directory: string, cluster: string): Promise<void> {
  for (const name of readdirSync(directory)) {
    if (name.startsWith(MAKING)) rmSync(join(directory, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(directory, MAKING));
  const made = join(folder, 'cluster');
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  await promisify(execFile)(process.execPath, [MAKER, made], { env: {} });
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
 * One syncfs(2) where coreutils offer it: the cluster's thousand files one by one take a disk with 20 ms for each sync
 * twenty seconds, at every first start.
 */
function syncTree(directory: string): void {
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
