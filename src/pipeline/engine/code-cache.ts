/**
 * Our code as Node has stripped and V8 compiled it: most of what a child's start costs. Children believe what is in it,
 * so it is written by one that sees nothing foreign, and children that do can only read it.
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
 * The folder of the cache of the code as it is now, made by `fill` when there is none: it gets an empty folder. Null when
 * there is no place for it, when another process is making it, or when it cannot be filled: children then compile for
 * themselves. Looked for once in a process.
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

/** The folder of the cache of the code as it is now; null when none was made. */
export function existingCodeCache(roots: readonly string[]): Promise<string | null> {
  return findExisting(roots, codeHash());
}

async function findExisting(roots: readonly string[], name: string): Promise<string | null> {
  for (const root of roots) {
    if (await isOurs(join(root, name))) return join(root, name);
  }
  return null;
}

/** By one process at a time. */
async function makeCache(root: string, name: string, fill: (folder: string) => Promise<void>) {
  const others = await readdir(root);
  const makers = others.map((other) => Number(UNFINISHED.exec(other)?.[1] ?? 0));
  if (makers.some((maker) => maker > 0 && maker !== process.pid && isProcessAlive(maker))) return null;
  await removeOldest(root, others);
  const unfinished = join(root, `.${process.pid}`);
  try {
    // In a container every life has the same number.
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

/** Of older code, and what was never finished; the newest may be in use by services that still run. */
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

/** Changes with every source file, Node and the packages. At once: by way of the thread pool it takes twice the time. */
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

/** Reads folder by folder: Node's recursive listing looks each name up again, in twice the time. */
function modulesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return modulesIn(path);
    return entry.name.endsWith(MODULE_EXTENSION) ? [path] : [];
  });
}

/** Whether caches can be made there, and by nobody else. */
async function isPlace(root: string): Promise<boolean> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await access(root, constants.W_OK);
    return await isOurs(root);
  } catch {
    return false;
  }
}

/** Ours or the administrator's, and writable by nobody else. */
async function isOurs(folder: string): Promise<boolean> {
  const status = await lstat(folder).catch(() => null);
  if (status === null || !status.isDirectory()) return false;
  return (status.uid === 0 || status.uid === process.getuid?.()) && (status.mode & 0o022) === 0;
}
