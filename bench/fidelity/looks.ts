import type { ClipFacts } from '../../src/analysis/facts.ts';
import { MEDIA } from '../lib/long-clip.ts';
import { measureClip } from '../lib/measure.ts';
import { type Moment, readMoments } from './frames.ts';
import { flatClip, LOGARITHMIC, musicClip } from './made-clips.ts';
import { FLAT, MUSIC, originalOf } from './pairs.ts';

/** A clip's file, its measurements by the product, and frames for scoring. */
export interface ClipLook {
  readonly path: string;
  readonly facts: ClipFacts;
  readonly moments: readonly Moment[];
  /** Content to preserve: the same frames, or the original frames of a flat clip. */
  readonly natural: readonly Moment[];
}

/** A source is compared frame by frame; a template with many shots is a cloud of colors. */
const MOMENTS = { source: 6, template: 18 } as const;

/** Clips, each measured and read once. */
export class Looks {
  readonly #facts = new Map<string, Promise<ClipFacts>>();
  readonly #looks = new Map<string, Promise<ClipLook>>();

  of(name: string, role: keyof typeof MOMENTS): Promise<ClipLook> {
    const key = `${role} ${name}`;
    const known = this.#looks.get(key) ?? this.#read(name, MOMENTS[role]);
    this.#looks.set(key, known);
    return known;
  }

  /** The product's measurements of a clip. */
  async facts(name: string): Promise<ClipFacts> {
    const measuring = this.#facts.get(name) ?? factsOf(await pathOf(name));
    this.#facts.set(name, measuring);
    return measuring;
  }

  async #read(name: string, count: number): Promise<ClipLook> {
    const path = await pathOf(name);
    const measuring = this.facts(name);
    const original = MEDIA + originalOf(name);
    if (!name.startsWith(FLAT)) {
      const moments = await readMoments(original, count);
      return { path, facts: await measuring, moments, natural: moments };
    }
    const [moments, natural] = [
      await readMoments(original, count, LOGARITHMIC),
      await readMoments(original, count),
    ];
    return { path, facts: await measuring, moments, natural };
  }
}

async function factsOf(path: string): Promise<ClipFacts> {
  const { seen, audio } = await measureClip(path);
  if (seen === null) throw new Error(`${path} has no picture`);
  return { ...seen, audio };
}

function pathOf(name: string): Promise<string> | string {
  const [clip, music] = name.split(MUSIC);
  if (name.startsWith(FLAT)) return flatClip(MEDIA + originalOf(name));
  return music === undefined ? MEDIA + name : musicClip(MEDIA + clip!, MEDIA + music);
}
