import type { Frame, Picture } from '../../domain/footage.ts';
import { rounded } from '../../signal/rounding.ts';
import type { Detector } from '../detector.ts';
import type { AttentionProfile, FigureLook } from '../facts.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { Drift } from './drift.ts';
import { type FigureMap, FigureNetwork } from './figure-network.ts';
import { sharesOf } from './profile.ts';
import { partSharpness } from './sharpness.ts';
import { DETECTION_INTERVAL_SECONDS, PROFILE_PLACES } from './shot-samples.ts';

/**
 * Least share of the picture of a figure. Marked moments: crops are the same from .001 to .004; with .02 they
 * hold .04 less of the time.
 */
const MIN_SHARE = 0.004;
/** Least probability of a figure's pixel. */
const LIKELY = 0.5;

/**
 * Figures before a background: people from all sides, and animals and objects that the network takes for people.
 * Parts in focus count more, because cameras focus on the main person.
 */
export class FigureMeter implements Detector<[Frame, MotionField | null], FigureLook[]> {
  #network: FigureNetwork | null = null;
  #nextSeconds = Number.NEGATIVE_INFINITY;
  readonly #looks: FigureLook[] = [];
  /** Path of the figures of the last sample while they are in the picture. */
  #drift: Drift | null = null;

  /** `field` is null for the first frame. */
  push({ timeSeconds, detail, color }: Frame, field: MotionField | null): void {
    if (field?.broken === true) {
      // A new picture may have other figures.
      this.#nextSeconds = timeSeconds;
      this.#endDrift();
    } else if (field !== null) this.#drift?.push(timeSeconds, field);
    if (detail === null || timeSeconds < this.#nextSeconds) return;
    this.#nextSeconds = timeSeconds + DETECTION_INTERVAL_SECONDS;
    this.#network ??= new FigureNetwork(detail);
    const map = this.#network.find(detail, color);
    const profile = profileOf(map, detail);
    if (isEmpty(profile)) {
      this.#endDrift();
      this.#looks.push({ timeSeconds, ...profile });
      return;
    }
    this.#endDrift(profile);
    this.#drift = new Drift(timeSeconds, likelyIn(map));
    this.#looks.push({ timeSeconds, ...profile, way: this.#drift.path });
  }

  finish(): FigureLook[] {
    this.#endDrift();
    return this.#looks;
  }

  /** `seen`: position at which figures are found again. */
  #endDrift(seen: AttentionProfile | null = null): void {
    const last = this.#looks.at(-1);
    const gone = (axis: keyof AttentionProfile) => meanPlace(seen![axis]) - meanPlace(last![axis]);
    this.#drift?.end(seen && { x: gone('across'), y: gone('down') });
    this.#drift = null;
  }
}

function isEmpty({ across }: AttentionProfile): boolean {
  return across.every((share) => share === 0);
}

/** Mean position of shares, 0..1. */
function meanPlace(shares: readonly number[]): number {
  const all = shares.reduce((sum, share) => sum + share, 0);
  return shares.reduce((sum, share, part) => sum + share * (part + 0.5), 0) / all / shares.length;
}

/** Whether a figure is likely at a point of the picture. */
function likelyIn({ probabilities, width, height }: FigureMap): (x: number, y: number) => boolean {
  return (x, y) =>
    x >= 0 &&
    x < 1 &&
    y >= 0 &&
    y < 1 &&
    probabilities[Math.floor(y * height) * width + Math.floor(x * width)] > LIKELY;
}

function profileOf(map: FigureMap, detail: Picture): AttentionProfile {
  const sharpness = partSharpness(detail, { left: 0, top: 0, width: detail.width, height: detail.height });
  const { across, down } = sharesOf(map.probabilities, map, sharpness, MIN_SHARE);
  const places = (shares: Float64Array) => Array.from(shares, (share) => rounded(share, PROFILE_PLACES));
  return { across: places(across), down: places(down) };
}
