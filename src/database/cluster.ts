import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { moduleBeside } from '../package-files.ts';
import { compiledPostgres } from './postgres-wasm.ts';
import { unpackCluster } from './prepared-cluster.ts';
import { RecoverySyncs, syncFileSystem } from './recovery-syncs.ts';
import { DATABASE_ID } from './shared-settings.ts';

const MAKER = fileURLToPath(moduleBeside('make-cluster', import.meta.url));
const MAKING = 'making-';

/**
 * The PostgreSQL cluster under `directory`, which is made first where there is none: of `prepared`, an empty database of this
 * version, where there is such a file. The caller holds the directory.
 */
export async function openCluster(directory: string, prepared: string | null): Promise<PGlite> {
  const cluster = join(directory, 'cluster');
  const ready = join(directory, 'ready');
  if (existsSync(ready)) return startCluster(cluster);
  // A cluster without the mark died while it was being made: nothing in it was ever acknowledged.
  rmSync(cluster, { recursive: true, force: true });
  const isPrepared = prepared !== null && unpackCluster(prepared, cluster);
  if (!isPrepared) await makeApart(directory, cluster);
  const pglite = await startCluster(cluster);
  if (isPrepared) {
    await renewIdentity(pglite);
    syncTree(cluster);
  }
  writeFileSync(ready, '', { flush: true });
  syncPath(directory);
  syncPath(dirname(directory));
  return pglite;
}

/** Every database that was made of the prepared one has its name for itself (`shared-settings.ts`), which none may share. */
async function renewIdentity(pglite: PGlite): Promise<void> {
  await pglite.query(
    'update shared_settings set value = gen_random_uuid()::text, decided_at = now() where name = $1',
    [DATABASE_ID],
  );
}

/** Makes a cluster in this process: PostgreSQL's initdb. Every byte of it is on the disk when it resolves. */
export async function makeCluster(cluster: string): Promise<void> {
  const pglite = await startCluster(cluster);
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
  await promisify(execFile)(process.execPath, [MAKER, made], { env: {} });
  renameSync(made, cluster);
  rmSync(folder, { recursive: true });
}

async function startCluster(cluster: string): Promise<PGlite> {
  const syncs = new RecoverySyncs(cluster);
  const fs = new DurableNodeFs(cluster, syncs);
  const pgliteWasmModule = await compiledPostgres();
  const pglite = await PGlite.create({ fs, pgliteWasmModule, startParams: durableStartParameters() });
  syncs.started();
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
  readonly #syncs: RecoverySyncs;

  constructor(cluster: string, syncs: RecoverySyncs) {
    super(cluster);
    this.#syncs = syncs;
  }

  override async init(pglite: PGlite, options: Parameters<NodeFS['init']>[1]) {
    const initialised = await super.init(pglite, options);
    const before = initialised.emscriptenOpts.preRun ?? [];
    const addFsync = (module: { NODEFS?: { stream_ops: Record<string, unknown> } }) => {
      module.NODEFS!.stream_ops['fsync'] = (stream: { nfd: number }) => {
        this.#syncs.sync(stream.nfd);
        return 0;
      };
    };
    return { emscriptenOpts: { ...initialised.emscriptenOpts, preRun: [...before, addFsync as never] } };
  }
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
