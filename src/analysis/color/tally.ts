import { RGB } from '../../domain/footage.ts';
import { rounded } from '../../signal/rounding.ts';
import type { ColorStatistics } from '../facts.ts';
import { BINS, ColorSums } from './color-sums.ts';
import { TWENTIETHS } from './grid.ts';
import { castOf, chromaAbout } from './neutral.ts';

/** Weight of the prior of `castError`, in shots. */
const PRIOR_SHOTS = 2;
const NO_SHOTS = { count: 0, weight: 0, a: 0, b: 0, squares: 0, share: 0 };

/** Least share of the picture of a tone, or of skin. */
const MIN_SHARE = 0.01;

/**
 * Adds up the colors of a shot or clip in constant space. A clip's tally merges those of its shots, each with a
 * weight of 1, and has no pixels of its own.
 */
export class ColorTally {
  #weight = 0;
  readonly #sums = new ColorSums();
  /** Sums over merged shots: a, b and squared length of the neutrals by their weight; shares as they are. */
  #shots = { ...NO_SHOTS };

  get weight(): number {
    return this.#weight;
  }

  /** Adds pixels (RGB, 0..255 each); with `mask`, those whose byte there is 1. */
  add(rgb: Uint8Array, mask: Uint8Array = new Uint8Array(rgb.length / RGB).fill(1)): void {
    this.#sums.add(rgb, mask);
    // Each pixel has one tone.
    const { shadows, midtones, highlights } = this.#sums.named;
    this.#weight = shadows[0] + midtones[0] + highlights[0];
  }

  /** Four numbers per used cell of a histogram: weight and mean L, a, b. */
  cells(): Float64Array {
    return this.#sums.cells();
  }

  clear(): void {
    this.#weight = 0;
    this.#shots = { ...NO_SHOTS };
    this.#sums.clear();
  }

  /** Adds the pixels of `other`, a shot, as if they had a total weight of 1. */
  merge(other: ColorTally): void {
    if (other.#weight === 0) return;
    const scale = 1 / other.#weight;
    this.#weight += 1;
    this.#sums.merge(other.#sums, scale);
    const { a, b, share } = castOf(other.cells());
    const square = a * a + b * b;
    // A shot of one strong color has hardly any near-neutral pixels, and so hardly any weight.
    const weight = share ** 2;
    const shots = this.#shots;
    shots.count++;
    shots.weight += weight;
    shots.a += weight * a;
    shots.b += weight * b;
    shots.squares += weight * square;
    shots.share += share;
  }

  /**
   * The neutral of a clip is the mean of its shots' neutrals, weighted by their near-neutral pixels. With
   * pooled pixels, a shot would gain weight the further a grade shifts the others.
   */
  statistics(): ColorStatistics {
    const total = Math.max(this.#weight, Number.MIN_VALUE);
    const { means, squares, shadows, midtones, highlights, clipped, lightness } = this.#sums.named;
    const [meanA, meanB] = [means[0] / total, means[1] / total];
    const [meanAA, meanAB, meanBB] = squares.map((sum) => sum / total);
    const cells = this.cells();
    const neutral = this.#neutral(cells);
    return {
      lightnessPercentiles: percentiles(lightness, TWENTIETHS + 1).map(round),
      meanA: round(meanA),
      meanB: round(meanB),
      covariance: [
        round(Math.max(0, meanAA! - meanA * meanA)),
        round(meanAB! - meanA * meanB),
        round(Math.max(0, meanBB! - meanB * meanB)),
      ],
      tones: {
        shadows: meanOf(shadows, total),
        midtones: meanOf(midtones, total),
        highlights: meanOf(highlights, total),
      },
      neutral: { a: round(neutral.a), b: round(neutral.b), share: round(neutral.share) },
      medianChroma: round(chromaAbout(cells, neutral)),
      skin: this.#skinFacts(total),
      clipped: [round(clipped[0] / total), round(clipped[1] / total)],
    };
  }

  /**
   * Standard error of the clip's neutral, in (a, b), due to its content. The variance over few shots is uncertain, so
   * it is averaged with a prior of two more shots without neutral greys.
   */
  castError(): number {
    const { count, weight, a, b, squares } = this.#shots;
    if (weight === 0) return Number.POSITIVE_INFINITY;
    const square = squares / weight;
    const variance = Math.max(0, square - (a * a + b * b) / (weight * weight));
    return Math.sqrt((PRIOR_SHOTS * square + count * variance) / (PRIOR_SHOTS + count) / count);
  }

  #skinFacts(total: number): ColorStatistics['skin'] {
    const { skin } = this.#sums.named;
    const share = skin[0] / total;
    if (share < MIN_SHARE) return null;
    const hueDegrees = (Math.atan2(skin[2], skin[1]) * 180) / Math.PI;
    return { share: round(share), hueDegrees: round(hueDegrees) };
  }

  #neutral(cells: Float64Array): ColorStatistics['neutral'] {
    const { count, weight, a, b, share } = this.#shots;
    if (count === 0) return castOf(cells);
    return weight === 0 ? { a: 0, b: 0, share: 0 } : { a: a / weight, b: b / weight, share: share / count };
  }
}

/** Mean (a, b) of a tone. */
function meanOf(tone: Float64Array, total: number): [number, number] | null {
  const [weight, a, b] = [tone[0], tone[1], tone[2]];
  return weight < MIN_SHARE * total || weight === 0 ? null : [round(a / weight), round(b / weight)];
}

/** `count` percentiles of lightness evenly from 0 to 100, linear within a bin; zeros for an empty histogram. */
function percentiles(histogram: Float64Array, count: number): number[] {
  const total = histogram.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return new Array<number>(count).fill(0);
  const found: number[] = [];
  let [bin, below] = [0, 0];
  for (let index = 0; index < count; index++) {
    // Rounding must not pass the last occupied bin.
    const wanted = Math.min((index / (count - 1)) * total, total * (1 - 1e-12));
    while (histogram[bin] === 0 || below + histogram[bin] < wanted) below += histogram[bin++];
    found.push((bin + Math.max(0, wanted - below) / histogram[bin]) / BINS);
  }
  return found;
}

function round(value: number): number {
  return rounded(value, 3);
}
