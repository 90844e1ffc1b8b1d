/** Measures a child's working folder. Synchronous, as for processes: a folder holds a handful of files. */
import { type Dir, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

export interface Contents {
  /** Including folders: each needs an entry of the file system. */
  readonly files: number;
  /** Disk usage, since a file may be long but sparse. */
  readonly bytes: number;
}

const BLOCK_BYTES = 512;

/** Counts up to `maxFiles` and stops there. */
export function contentsOf(folder: string, maxFiles: number): Contents {
  let files = 0;
  let bytes = 0;
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && files < maxFiles; at = folders.pop()) {
    using listing = opened(at);
    for (let entry = listing?.readSync() ?? null; entry !== null; entry = listing!.readSync()) {
      if (++files >= maxFiles) break;
      const path = join(at, entry.name);
      if (entry.isDirectory()) folders.push(path);
      bytes += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES;
    }
  }
  return { files, bytes };
}

/** Null for a folder that was removed in the meantime or made unreadable. */
function opened(folder: string): Dir | null {
  try {
    return opendirSync(folder);
  } catch {
    return null;
  }
}
