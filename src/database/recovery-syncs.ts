import { fstatSync, fsyncSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A start after a clean end has fewer syncs. One that recovers syncs every file of the cluster, a thousand,
 * twice.
 */
const MAX_CLEAN_START_SYNCS = 16;
/**
 * Many times the coarsest resolution of the kernel's time stamps: a younger file may change without another
 * time.
 */
const MIN_AGE_NS = 2_000_000_000n;

/**
 * Replaces the syncs of a cluster's files during recovery. After a crash PostgreSQL syncs each of its files
 * (documentation, "recovery_init_sync_method"): 6 s on a disk with 3 ms for each sync. One syncfs(2) does the
 * same. After it, a file needs no further sync until the start has finished, if its inode's change time,
 * which nobody can set, is unchanged. Without syncfs(2) each file is synced as requested.
 */
export class RecoverySyncs {
  readonly #directory: string;
  #calls = 0;
  /** Change time by inode, of files that are on the disk in their present state. */
  #durable: ReadonlyMap<bigint, bigint> = new Map();
  #isStarting = true;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** When it returns, the written bytes of the open file are on the disk. */
  sync(descriptor: number): void {
    if (this.#isStarting && this.#isDurable(descriptor)) return;
    fsyncSync(descriptor);
  }

  /** From now on each request syncs. */
  started(): void {
    this.#isStarting = false;
    this.#durable = new Map();
  }

  #isDurable(descriptor: number): boolean {
    this.#calls++;
    if (this.#calls === MAX_CLEAN_START_SYNCS) this.#durable = syncAndRecord(this.#directory);
    const { ino, ctimeNs } = fstatSync(descriptor, { bigint: true });
    return this.#durable.get(ino) === ctimeNs;
  }
}

/** Reads the files' times first and syncs afterwards: a change in between results in another time. */
function syncAndRecord(directory: string): Map<bigint, bigint> {
  const durable = new Map<bigint, bigint>();
  const oldEnoughNs = BigInt(Date.now()) * 1_000_000n - MIN_AGE_NS;
  for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
    const { ino, ctimeNs } = statSync(join(directory, name), { bigint: true });
    if (ctimeNs < oldEnoughNs) durable.set(ino, ctimeNs);
  }
  return syncFileSystem(directory) ? durable : new Map();
}

/** One syncfs(2) if coreutils offer it; false if they do not. */
export function syncFileSystem(directory: string): boolean {
  try {
    // Imported lazily: most starts need no syncfs.
    process
      .getBuiltinModule('node:child_process')
      .execFileSync('sync', ['--file-system', directory], { env: {}, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
