/**
 * Cache of our code, stripped by Node and compiled by V8, which is most of the start time of a child. Children trust
 * the cache, so it is written by a child without foreign input, and is read-only for all others.
 */
import { createHash } from 'node:crypto';
import { constants, readdirSync, statSync } from 'node:fs';
import { access, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  CODE_FOLDER,
  MODULE_EXTENSION,
  ownPackageFolders,
  packageFolders,
} from '../../package/package-files.ts';
import { isProcessAlive } from '../../storage/process-alive.ts';

const CACHES_KEPT = 4;
const UNFINISHED = /^\.(\d+)$/;

/** Folders for caches: in the package if it is writable, else the user's. */
export function cacheRoots(): readonly string[] {
  return [...packageCacheRoots(), join(homedir(), '.cache', 'styledna')];
}

export function packageCacheRoots(): readonly string[] {
  return ownPackageFolders().map((folder) => join(folder, '.cache', 'styledna'));
}

const caches = new Map<string, Promise<string | null>>();

/**
 * The folder of the cache for the current code. If there is none, `fill` creates it in an empty folder. Null if no
 * folder is suitable, if another process is creating it, or if `fill` fails: children then compile their code.
 * Determined once in a process.
 */
export function codeCache(
  roots: readonly string[],
  fill: (folder: string) => Promise<void>,
): Promise<string | null> {
  const key = roots.join('\n');
  const found = caches.get(key) ?? findCache(roots, fill);
  caches.set(key, found);
  return found;
}

async function findCache(roots: readonly string[], fill: (folder: string) => Promise<void>) {
  const name = codeHash();
  const existing = await findExisting(roots, name);
  if (existing !== null) return existing;
  for (const root of roots) {
    if (await isPlace(root)) return makeCache(root, name, fill);
  }
  return null;
}

/** The folder of the cache for the current code; null if there is none. */
export function existingCodeCache(roots: readonly string[]): Promise<string | null> {
  return findExisting(roots, codeHash());
}

async function findExisting(roots: readonly string[], name: string): Promise<string | null> {
  for (const root of roots) {
    if (await isOurs(join(root, name))) return join(root, name);
  }
  return null;
}

/** One process at a time. */
async function makeCache(root: string, name: string, fill: (folder: string) => Promise<void>) {
  const others = await readdir(root);
  const makers = others.map((other) => Number(UNFINISHED.exec(other)?.[1] ?? 0));
  if (makers.some((maker) => maker > 0 && maker !== process.pid && isProcessAlive(maker))) return null;
  await removeOldest(root, others);
  const unfinished = join(root, `.${process.pid}`);
  try {
    // In a container, the process number is the same after each restart.
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    await fill(unfinished);
    await rename(unfinished, join(root, name));
    return join(root, name);
  } catch {
    await rm(unfinished, { recursive: true, force: true });
    return null;
  }
}

/** Removes caches of older code and unfinished ones; the newest may be in use by other services. */
async function removeOldest(root: string, names: readonly string[]): Promise<void> {
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      changedMs: (await lstat(join(root, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const old = dated.sort((a, b) => b.changedMs - a.changedMs).slice(CACHES_KEPT);
  for (const { name } of old) await rm(join(root, name), { recursive: true, force: true });
}

/** Changes with every source file, Node and the packages. Synchronous, because the thread pool doubles the time. */
function codeHash(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.arch} ${process.getuid?.()}`);
  const paths = [
    ...modulesIn(CODE_FOLDER).sort(),
    ...packageFolders().map((folder) => join(folder, '.package-lock.json')),
  ];
  for (const path of paths) {
    const status = statSync(path, { throwIfNoEntry: false });
    hash.update(`${path} ${status?.size} ${status?.mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 32);
}

/** Reads folder by folder: Node's recursive listing takes twice the time. */
function modulesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return modulesIn(path);
    return entry.name.endsWith(MODULE_EXTENSION) ? [path] : [];
  });
}

/** Whether this user, and nobody else, can create caches in this folder. */
async function isPlace(root: string): Promise<boolean> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await access(root, constants.W_OK);
    return await isOurs(root);
  } catch {
    return false;
  }
}

/** Whether the folder belongs to this user or root, and nobody else can write to it. */
async function isOurs(folder: string): Promise<boolean> {
  const status = await lstat(folder).catch(() => null);
  if (status === null || !status.isDirectory()) return false;
  return (status.uid === 0 || status.uid === process.getuid?.()) && (status.mode & 0o022) === 0;
}
