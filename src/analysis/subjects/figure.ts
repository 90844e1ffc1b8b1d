import type { Frame, Picture } from '../../footage.ts';
import { rounded } from '../../signal/rounding.ts';
import type { Detector } from '../detector.ts';
import type { AttentionProfile, FigureLook } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { type FigureMap, FigureNetwork } from './figure-network.ts';
import { partSharpness } from './sharpness.ts';
import { LOOK_SECONDS, PROFILE_PARTS, PROFILE_PLACES } from './shot-samples.ts';

/** Of the picture, below which there is no figure. Marked moments: from .001 to .004 crops hold the same, with .02 less by .04 of the time. */
const MIN_SHARE = 0.004;

/**
 * Where figures stand before a ground: people from every side and whole, and animals and things that are seen as people are. What is in
 * focus counts for more: cameras focus on the one who matters.
 */
export class FigureMeter implements Detector<[Frame, MotionField | null], FigureLook[]> {
  #network: FigureNetwork | null = null;
  #nextSeconds = Number.NEGATIVE_INFINITY;
  readonly #looks: FigureLook[] = [];

  /** `field` is null for the first frame. */
  push({ timeSeconds, detail, colour }: Frame, field: MotionField | null): void {
    // Another picture, other figures.
    if (field?.broken === true) this.#nextSeconds = timeSeconds;
    if (detail === null || timeSeconds < this.#nextSeconds) return;
    this.#nextSeconds = timeSeconds + LOOK_SECONDS;
    this.#network ??= new FigureNetwork(detail);
    this.#looks.push({ timeSeconds, ...profileOf(this.#network.find(detail, colour), detail) });
  }

  finish(): FigureLook[] {
    return this.#looks;
  }
}

function profileOf({ width, height, probabilities }: FigureMap, detail: Picture): AttentionProfile {
  const seen = new Float64Array(PROFILE_PARTS * PROFILE_PARTS);
  const columns = Int32Array.from({ length: width }, (_, x) => Math.floor((PROFILE_PARTS * x) / width));
  let sum = 0;
  for (let y = 0, at = 0; y < height; y++) {
    const row = PROFILE_PARTS * Math.floor((PROFILE_PARTS * y) / height);
    for (let x = 0; x < width; x++, at++) {
      seen[row + columns[x]!]! += probabilities[at]!;
      sum += probabilities[at]!;
    }
  }
  const sharpness = partSharpness(detail, { left: 0, top: 0, width: detail.width, height: detail.height });
  const counted = seen.map((value, part) => value * sharpness[part]!);
  const all = counted.reduce((sum, value) => sum + value, 0);
  const scale = sum < MIN_SHARE * width * height || all === 0 ? 0 : 1 / all;
  const profile = (place: (part: number) => number) => {
    const shares = new Float64Array(PROFILE_PARTS);
    for (const [part, value] of counted.entries()) shares[place(part)]! += scale * value;
    return Array.from(shares, (share) => rounded(share, PROFILE_PLACES));
  };
  return {
    across: profile((part) => part % PROFILE_PARTS),
    down: profile((part) => Math.floor(part / PROFILE_PARTS)),
  };
}
