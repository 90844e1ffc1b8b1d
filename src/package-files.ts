/**
 * Where the files of this package lie: as sources in a clone, as compiled JavaScript under `dist` in an installed package.
 * The layout within is the same, so everything is found relative to the module that asks.
 */
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of our own code: `src` or `dist`. */
export const CODE_FOLDER = fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '');

/** `.ts` in a clone, `.js` in an installed package. */
export const MODULE_EXTENSION = extname(import.meta.filename);

/** The web page as it was built: in a clone by `npm ci`, in a package when it was packed. */
export const PAGE_FOLDER = fileURLToPath(new URL('../web/built', import.meta.url));

/** An empty database to begin with, made where the page is. */
export const PREPARED_DATABASE = fileURLToPath(new URL('../prepared/database.zst', import.meta.url));

export const MANIFEST_FILE = fileURLToPath(new URL('../package.json', import.meta.url));

/** Where the packages that we use were installed: beside our own folder, or above it where a package manager put all in one. */
export function packageFolders(): readonly string[] {
  const name = '/node_modules/';
  const media = fileURLToPath(import.meta.resolve('node-av/lib')).replaceAll('\\', '/');
  const own = join(MANIFEST_FILE, '..', 'node_modules');
  return [...new Set([own, media.slice(0, media.lastIndexOf(name) + name.length - 1)])];
}

/** A module beside the one that asks, as a program to start: `moduleBeside('child', import.meta.url)`. */
export function moduleBeside(name: string, asking: string): URL {
  return new URL(`${name}${MODULE_EXTENSION}`, asking);
}
