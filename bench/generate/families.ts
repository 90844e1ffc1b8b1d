/** The kinds of generated clips, and which of their seeds the detectors were developed on. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateCaptions } from './captions.ts';
import { generateEdits } from './edits.ts';
import { generateFades } from './fades.ts';
import { generateFastEdits } from './fast-edits.ts';
import { generateGrades } from './grades.ts';
import { generateSounds } from './sounds.ts';
import { generateWarps } from './warps.ts';

/** Writes the clips of one seed into a folder. */
export type Generator = (folder: string, seed: number) => Promise<void>;

export const FAMILIES = {
  edits: generateEdits,
  fast: generateFastEdits,
  fades: generateFades,
  warps: generateWarps,
  grades: generateGrades,
  captions: generateCaptions,
  sounds: generateSounds,
} as const satisfies Record<string, Generator>;
export type Family = keyof typeof FAMILIES;

/** Detectors may be tuned on these … */
export const TUNING_SEEDS = '1-8';
/** … and never on these, on which results are reported. */
export const REPORTING_SEEDS = '8101-8104';

/** Makes what is not there yet: a folder `FAMILY-SEED` for each. Returns the folders. */
export async function generate(
  folder: string,
  families: readonly Family[],
  seeds: string,
): Promise<string[]> {
  const folders: string[] = [];
  for (const family of families) {
    for (const seed of seedsOf(seeds)) {
      const target = join(folder, `${family}-${seed}`);
      folders.push(target);
      if (existsSync(target)) continue;
      console.error(`making ${family} ${seed}`);
      await (FAMILIES[family] as Generator)(target, seed);
    }
  }
  return folders;
}

/** `3`, `1-8` or `1,4,7`. */
export function seedsOf(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number) as [number, number?];
    return Array.from({ length: last! - first + 1 }, (_, index) => first + index);
  });
}
