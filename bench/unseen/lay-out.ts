/** Makes the folders that `analysis.ts` reads out of the downloaded sources. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { truthName, truthOf, type UnseenFile } from './manifest.ts';

/** The largest source has 5.4 MB: much larger files are not hashed. */
const LARGEST_SOURCE_BYTES = 64 * 1024 * 1024;

/**
 * Lays each file of the manifest whose source lies anywhere below `sources`, under any name, into `folder/HALF` with its
 * truth, if there is one, beside it. Returns the files whose source is not there.
 */
export function layOut(manifest: readonly UnseenFile[], sources: string, folder: string): UnseenFile[] {
  const found = pathsByHash(sources);
  return manifest.filter((entry) => {
    const source = found.get(entry.sha256);
    if (source === undefined) return true;
    const half = join(folder, entry.half);
    mkdirSync(half, { recursive: true });
    const target = join(half, entry.file);
    if (entry.cut === undefined) copyFileSync(source, target);
    else cutOut(source, entry.cut, target);
    if (entry.truth !== false) copyFileSync(truthOf(entry.file), join(half, truthName(entry.file)));
    return false;
  });
}

function pathsByHash(folder: string): Map<string, string> {
  const files = globSync('**/*', { cwd: folder }).map((name) => join(folder, name));
  return new Map(
    files
      .filter((path) => statSync(path).isFile() && statSync(path).size <= LARGEST_SOURCE_BYTES)
      .map((path) => [createHash('sha256').update(readFileSync(path)).digest('hex'), path]),
  );
}

/** Encoded again, because the truths were made on it: a copied stream would begin at a key frame and shift every time. */
function cutOut(source: string, { start_s, length_s }: NonNullable<UnseenFile['cut']>, target: string): void {
  const part = ['-ss', `${start_s}`, '-i', source, '-t', `${length_s}`];
  const picture = ['-c:v', 'libx264', '-crf', '14', '-preset', 'veryfast'];
  const audio = ['-c:a', 'aac', '-b:a', '160k'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...part, ...picture, ...audio, '-map_metadata', '-1', target]);
}
