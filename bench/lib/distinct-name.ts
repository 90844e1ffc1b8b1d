/** Names for files that are made from takes of several folders. */
import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';

/** The file's name and a hash of its path: takes of several makers share names. */
export function distinctName(path: string): string {
  return `${basename(path)}-${createHash('sha256').update(resolve(path)).digest('hex').slice(0, 8)}`;
}
