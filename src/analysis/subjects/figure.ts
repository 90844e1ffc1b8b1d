import type { Frame } from '../../footage.ts';
import type { Detector } from '../detector.ts';
import type { AttentionProfile, Shot } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { type FigureMap, FigureNetwork } from './figure-network.ts';
import { meanProfiles, PROFILE_PARTS } from './shot-samples.ts';

/**
 * Between looks; after a cut, one at once. A look takes 12 ms. Marked moments, tuning half: three a second hold .794 of the time, one
 * every half to three seconds .785, with .92 of the boxes in view at a half, .91 from one and a half on.
 */
const INTERVAL_SECONDS = 1.5;
/** Of the picture, below which there is no figure. Marked moments: from .001 to .004 crops hold the same, with .02 less by .04 of the time. */
const MIN_SHARE = 0.004;

interface Sample extends AttentionProfile {
  readonly timeSeconds: number;
}

/**
 * Where figures stand before a ground: people from every side and whole, and animals and things that are seen as people are. The mean
 * over each shot.
 */
export class FigureMeter
  implements Detector<[Frame, MotionField | null], AttentionProfile[], [readonly Shot[]]>
{
  #network: FigureNetwork | null = null;
  #nextSeconds = Number.NEGATIVE_INFINITY;
  readonly #samples: Sample[] = [];

  /** `field` is null for the first frame. */
  push({ timeSeconds, detail, colour }: Frame, field: MotionField | null): void {
    // Another picture, other figures.
    if (field?.broken === true) this.#nextSeconds = timeSeconds;
    if (detail === null || timeSeconds < this.#nextSeconds) return;
    this.#nextSeconds = timeSeconds + INTERVAL_SECONDS;
    this.#network ??= new FigureNetwork(detail);
    this.#samples.push({ timeSeconds, ...profileOf(this.#network.find(detail, colour)) });
  }

  /** Shares of what is seen of figures, by parts of the picture: they add up to the share of the looks in which there is any. */
  finish(shots: readonly Shot[]): AttentionProfile[] {
    return meanProfiles(this.#samples, shots);
  }
}

function profileOf({ width, height, probabilities }: FigureMap): AttentionProfile {
  const [across, down] = [new Float64Array(PROFILE_PARTS), new Float64Array(PROFILE_PARTS)];
  let sum = 0;
  for (const [at, probability] of probabilities.entries()) {
    across[Math.floor((PROFILE_PARTS * (at % width)) / width)]! += probability;
    down[Math.floor((PROFILE_PARTS * Math.floor(at / width)) / height)]! += probability;
    sum += probability;
  }
  const scale = sum < MIN_SHARE * width * height ? 0 : 1 / sum;
  return {
    across: Array.from(across, (value) => scale * value),
    down: Array.from(down, (value) => scale * value),
  };
}
