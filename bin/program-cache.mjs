/**
 * Our own code as Node has stripped and V8 compiled it, from one start of the program to the next. Media children have a cache
 * of their own (`src/pipeline/engine/code-cache.ts`), which no process that has seen a stranger's file ever writes. Plain JavaScript,
 * because what is read before there is a cache would be stripped again at every start: in a clone that takes longer than the rest.
 */
import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAME = 'styledna-program';
const PACKAGE = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/**
 * What is loaded from now on comes from the cache, where there is a place for one that only this user or root may write.
 * @param {readonly string[]} [roots] folders in which to look for one, or to make it, the first choice first
 */
export function rememberProgram(roots = cacheRoots()) {
  const folder = roots.map((root) => join(root, NAME)).find(isPlace);
  if (folder !== undefined) enableCompileCache(folder);
}

/** With the package, where it may be written, else with the user. */
function cacheRoots() {
  const packages = [join(PACKAGE, 'node_modules'), dirname(PACKAGE)].filter(
    (path) => basename(path) === 'node_modules' && existsSync(path),
  );
  return [...packages.map((path) => join(path, '.cache')), join(homedir(), '.cache')];
}

function isPlace(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    const { uid, mode } = lstatSync(folder);
    return (uid === 0 || uid === process.getuid?.()) && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}
