/** The kinds of generated clips, and which of their seeds the detectors were developed on. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateCaptions } from './captions.ts';
import { generateDisturbed } from './disturbed.ts';
import { generateEdits } from './edits.ts';
import { generateFades } from './fades.ts';
import { generateFastEdits } from './fast-edits.ts';
import { generateGrades } from './grades.ts';
import { generateSounds } from './sounds.ts';
import { generateWarps } from './warps.ts';

/** Writes the clips of one seed into a folder. */
type Generator = (folder: string, seed: number) => Promise<void>;

export const FAMILIES = {
  edits: generateEdits,
  fast: generateFastEdits,
  disturbed: generateDisturbed,
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

/** Folder of generated clips: the same seeds make the same clips. */
const MADE = join(tmpdir(), 'styledna-bench', 'made');

/** A folder for generated clips that belong to no family. */
export function madeFolder(name: string): string {
  return join(MADE, name);
}

/** The folders of clips that are written as `edits:1-4`, made where they are not there. */
export async function madeClips(expected: readonly string[]): Promise<string[]> {
  const folders: string[] = [];
  for (const text of expected) {
    const [family, seeds] = text.split(':');
    if (seeds === undefined)
      throw new Error(`"${text}" names no seeds; write FAMILY:SEEDS, such as edits:1-4`);
    folders.push(...(await generate(MADE, [family!], seeds)));
  }
  return folders;
}

/** Makes missing clips: a folder `FAMILY-SEED` for each. Returns the folders. Throws for an unknown family. */
export async function generate(
  folder: string,
  families: readonly string[],
  seeds: string,
): Promise<string[]> {
  const folders: string[] = [];
  for (const family of families) {
    if (!isFamily(family))
      throw new Error(
        `No clips of the family "${family}" can be made; there are ${Object.keys(FAMILIES).join(', ')}`,
      );
    for (const seed of seedsOf(seeds)) {
      const target = join(folder, `${family}-${seed}`);
      folders.push(target);
      if (existsSync(target)) continue;
      console.error(`making ${family} ${seed}`);
      await FAMILIES[family](target, seed);
    }
  }
  return folders;
}

function isFamily(name: string): name is Family {
  return Object.hasOwn(FAMILIES, name);
}

/** `3`, `1-8` or `1,4,7`. */
export function seedsOf(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number) as [number, number?];
    return Array.from({ length: last! - first + 1 }, (_, index) => first + index);
  });
}
