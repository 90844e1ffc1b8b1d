/** Clips with regions, marked by a person, that a crop should contain. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mark } from './score.ts';

export interface MarkedClip {
  readonly clip: string;
  readonly half: 'tuning' | 'reporting';
  /**
   * The clips of the second round were marked after everything had been tuned on the first; those of the third are upright or square and
   * go to a wide picture.
   */
  readonly round: (typeof ROUNDS)[number];
  readonly moments: readonly Mark[];
}

export const ROUNDS = [1, 2, 3] as const;
/** Width over height of the output, by round. */
export const RATIOS = { 1: 9 / 16, 2: 9 / 16, 3: 16 / 9 } as const;

export const MARKED: readonly MarkedClip[] = JSON.parse(
  readFileSync(new URL('marks.json', import.meta.url), 'utf8'),
);

/** Where each file under the folders lies, by its name. */
export function pathsIn(folders: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [
        basename(name),
        join(folder, name),
      ]),
    ),
  );
}
