/**
 * Locations of the files of this package: sources in a clone, compiled JavaScript under `dist` in an installed package.
 * The layout inside is the same, so all paths are relative to the importing module.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of our own code: `src` or `dist`. */
export const CODE_FOLDER = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');

/** `.ts` in a clone, `.js` in an installed package. */
export const MODULE_EXTENSION = extname(import.meta.filename);

/** The web page as it was built: in a clone by `npm ci`, in a package when it was packed. */
export const PAGE_FOLDER = fileURLToPath(new URL('../../web/built', import.meta.url));

/** An empty database to begin with, made where the page is. */
export const PREPARED_DATABASE = fileURLToPath(new URL('../../prepared/database.zst', import.meta.url));

export const MANIFEST_FILE = fileURLToPath(new URL('../../package.json', import.meta.url));

/** The packages that media processes load, each with those that it loads in turn. */
const MEDIA_PACKAGES = {
  'node-av': [`@seydx/node-av-${process.platform}-${process.arch}`],
  zod: [],
  // Optional: typefaces of captions.
  '@expo-google-fonts/noto-sans-arabic': [],
  '@expo-google-fonts/noto-sans-hebrew': [],
  '@expo-google-fonts/noto-sans-devanagari': [],
  '@expo-google-fonts/noto-sans-sc': [],
  '@expo-google-fonts/noto-sans-kr': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * The folders in which Node finds the packages of media processes. npm and yarn put all packages into one folder. pnpm,
 * bun and npm's linked layout put links there to a store, in which each package is next to links to its own
 * dependencies.
 */
export function packageFolders(): readonly string[] {
  mediaFolders ??= [
    ...new Set(
      Object.entries(MEDIA_PACKAGES).flatMap(([name, dependencies]) =>
        foldersOf(name, dirname(MANIFEST_FILE), dependencies),
      ),
    ),
  ];
  return mediaFolders;
}

let mediaFolders: readonly string[] | undefined;

/** `from`: the folder of the package that imports it. None for a package that is not installed, as an optional one may be. */
function foldersOf(name: string, from: string, dependencies: readonly string[]): readonly string[] {
  const holder = nodeModulesWith(name, from);
  if (holder === null) return [];
  const places = placesOf(join(holder, name));
  return [
    holder,
    ...places,
    ...places.flatMap((place) => dependencies.flatMap((dependency) => foldersOf(dependency, place, []))),
  ];
}

/**
 * Folders in which caches may be written: that of our dependencies, and that in which this package was
 * installed.
 */
export function ownPackageFolders(): readonly string[] {
  const packageFolder = dirname(MANIFEST_FILE);
  return [join(packageFolder, 'node_modules'), dirname(packageFolder)].filter(
    (folder) => basename(folder) === 'node_modules' && existsSync(folder),
  );
}

/** The folder in which Node finds a package that a module in `from` imports; null: in none. */
function nodeModulesWith(name: string, from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules');
    if (basename(at) !== 'node_modules' && existsSync(join(folder, name, 'package.json'))) return folder;
    if (at === dirname(at)) return null;
  }
}

/**
 * Paths of a package: its link's target as the link names it, and its real path. They differ if a parent folder is a
 * link: a media process sees the first path only.
 */
function placesOf(path: string): readonly string[] {
  const isLink = lstatSync(path).isSymbolicLink();
  return [...new Set([isLink ? resolve(dirname(path), readlinkSync(path)) : path, realpathSync(path)])];
}

/** A module in the folder of the importing one, as a program to start: `moduleBeside('child', import.meta.url)`. */
export function moduleBeside(name: string, asking: string): URL {
  return new URL(`${name}${MODULE_EXTENSION}`, asking);
}
