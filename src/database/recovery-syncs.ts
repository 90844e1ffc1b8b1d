import { fstatSync, fsyncSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A start after a clean end has fewer; one that recovers syncs every file of the cluster, a thousand, twice. */
const CALM_START_SYNCS = 16;
/** The kernel's time stamps are this coarse at worst, many times over: what is younger may change unseen. */
const YOUNG_NS = 2_000_000_000n;

/**
 * The syncs of a cluster's files. PostgreSQL recovers from a crash by syncing each file it has ("recovery_init_sync_method"
 * in its documentation), which takes a disk with 3 ms for each sync 6 s. Here one syncfs(2) does that work, and a file
 * that has not changed since (its inode's change time, which nobody can set) needs no further sync until the start is
 * over. Where syncfs(2) cannot be had each file is synced as it was asked for.
 */
export class RecoverySyncs {
  readonly #directory: string;
  #calls = 0;
  /** Change time by inode, of what is on the disk as it is. */
  #settled: ReadonlyMap<bigint, bigint> = new Map();
  #isStarting = true;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** When it returns, what was written to the open file is on the disk. */
  sync(descriptor: number): void {
    if (this.#isStarting && this.#isSettled(descriptor)) return;
    fsyncSync(descriptor);
  }

  /** From now on each sync is one. */
  started(): void {
    this.#isStarting = false;
    this.#settled = new Map();
  }

  #isSettled(descriptor: number): boolean {
    this.#calls++;
    if (this.#calls === CALM_START_SYNCS) this.#settled = settle(this.#directory);
    const { ino, ctimeNs } = fstatSync(descriptor, { bigint: true });
    return this.#settled.get(ino) === ctimeNs;
  }
}

/** Looks at the files first and syncs them after that: what changes in between has another time. */
function settle(directory: string): Map<bigint, bigint> {
  const settled = new Map<bigint, bigint>();
  const oldEnoughNs = BigInt(Date.now()) * 1_000_000n - YOUNG_NS;
  for (const name of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]) {
    const { ino, ctimeNs } = statSync(join(directory, name), { bigint: true });
    if (ctimeNs < oldEnoughNs) settled.set(ino, ctimeNs);
  }
  return syncFileSystem(directory) ? settled : new Map();
}

/** One syncfs(2), where coreutils offer it; false where they do not. */
export function syncFileSystem(directory: string): boolean {
  try {
    // Imported only here: most starts sync nothing this way.
    process
      .getBuiltinModule('node:child_process')
      .execFileSync('sync', ['--file-system', directory], { env: {}, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
