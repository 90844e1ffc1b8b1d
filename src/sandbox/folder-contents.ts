/** What is in a child's working folder. Read at once, as processes are: a folder holds a handful of files. */
import { type Dir, lstatSync, opendirSync } from 'node:fs';
import { join } from 'node:path';

export interface Contents {
  /** Folders are files too: each takes an entry of the file system. */
  readonly files: number;
  /** That they take on the disk: a file may be long and hold nothing. */
  readonly bytes: number;
}

const BLOCK_BYTES = 512;

/** Counts up to `maxFiles` and no further, however many there are. */
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

/** Null for what is gone meanwhile, or was made unreadable. */
function opened(folder: string): Dir | null {
  try {
    return opendirSync(folder);
  } catch {
    return null;
  }
}
