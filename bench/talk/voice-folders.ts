import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of recordings, one for each voice, in the folder that the command line names. Throws if it names none. */
export function voiceFolders([folder]: readonly string[]): string[] {
  if (folder === undefined) throw new Error('Which folder holds a folder of recordings for each voice?');
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isDirectory());
}
