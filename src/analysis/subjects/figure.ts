import type { Frame, Picture } from '../../footage.ts';
import { rounded } from '../../signal/rounding.ts';
import type { Detector } from '../detector.ts';
import type { AttentionProfile, FigureLook } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { type FigureMap, FigureNetwork } from './figure-network.ts';
import { sharesOf } from './profile.ts';
import { partSharpness } from './sharpness.ts';
import { LOOK_SECONDS, PROFILE_PLACES } from './shot-samples.ts';

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

function profileOf(map: FigureMap, detail: Picture): AttentionProfile {
  const sharpness = partSharpness(detail, { left: 0, top: 0, width: detail.width, height: detail.height });
  const { across, down } = sharesOf(map.probabilities, map, sharpness, MIN_SHARE);
  const places = (shares: Float64Array) => Array.from(shares, (share) => rounded(share, PROFILE_PLACES));
  return { across: places(across), down: places(down) };
}
