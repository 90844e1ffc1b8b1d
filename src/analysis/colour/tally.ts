import { bytesToLab } from '../../signal/colour-space.ts';
import { rounded } from '../../signal/rounding.ts';
import type { ColourStatistics } from '../facts.ts';
import { ColourCells, REACH } from './cells.ts';
import { TWENTIETHS } from './grid.ts';
import { castOf, chromaAbout } from './neutral.ts';

/** Of lightness, for each unit. */
const BINS = 2;
const LIGHTNESS_BINS = REACH * BINS;

/** Shots that the prior of `castError` is worth. */
const PRIOR_SHOTS = 2;
const NO_SHOTS = { count: 0, say: 0, a: 0, b: 0, squares: 0, share: 0 };

/** The sector of CIELAB in which human skin of every tone lies (hue 30..75°), chroma and lightness apart. */
const SKIN = { hueDegrees: [28, 78], chroma: [10, 48], lightness: [25, 92] } as const;
const [SKIN_FROM, SKIN_TO] = SKIN.hueDegrees.map((degrees) => Math.tan((degrees * Math.PI) / 180)) as [
  number,
  number,
];

/** Lightness up to which pixels are shadows, and mid-tones. */
const TONES = { shadows: 35, midtones: 70 } as const;
/** Share of the picture below which a tone, or skin, is none. */
const MIN_SHARE = 0.01;
/** So many levels from black or white are clipped. */
const CLIPPED_LEVELS = 1;

/**
 * Adds up the colours of a shot or clip in constant space. A clip's tally merges those of its shots, each with a
 * weight of 1; it then has no pixels of its own.
 */
export class ColourTally {
  #weight = 0;
  readonly #lab = new Float64Array(3);
  readonly cells = new ColourCells();
  readonly #lightness = new Float64Array(LIGHTNESS_BINS);
  /** Sums of a and b, and of aa, ab, bb. */
  readonly #sums = new Float64Array(2);
  readonly #squares = new Float64Array(3);
  /** Weight, a, b of each. */
  readonly #shadows = new Float64Array(3);
  readonly #midtones = new Float64Array(3);
  readonly #highlights = new Float64Array(3);
  /** Weight, sum of cosines, sum of sines of the skin sector's hues. */
  readonly #skin = new Float64Array(3);
  readonly #clipped = new Float64Array(2);
  /** Sums over merged shots: a, b and squared length of the neutrals by their say; shares as they are. */
  #shots = { ...NO_SHOTS };

  get weight(): number {
    return this.#weight;
  }

  /** One pixel, 0..255 each. */
  addRgb(red: number, green: number, blue: number): void {
    bytesToLab(red, green, blue, this.#lab);
    const [lightness, a, b] = [this.#lab[0]!, this.#lab[1]!, this.#lab[2]!];
    this.#weight++;
    const bin = (lightness * BINS) | 0;
    this.#lightness[bin < LIGHTNESS_BINS ? bin : LIGHTNESS_BINS - 1]!++;
    this.cells.add(lightness, a, b);
    this.#sums[0]! += a;
    this.#sums[1]! += b;
    this.#squares[0]! += a * a;
    this.#squares[1]! += a * b;
    this.#squares[2]! += b * b;
    const isShadow = lightness < TONES.shadows;
    const tone = isShadow ? this.#shadows : lightness > TONES.midtones ? this.#highlights : this.#midtones;
    tone[0]!++;
    tone[1]! += a;
    tone[2]! += b;
    if (a > 0 && b >= a * SKIN_FROM && b <= a * SKIN_TO) this.#addSkin(lightness, a, b);
    if (Math.max(red, green, blue) <= CLIPPED_LEVELS) this.#clipped[0]!++;
    if (Math.min(red, green, blue) >= 255 - CLIPPED_LEVELS) this.#clipped[1]!++;
  }

  clear(): void {
    this.#weight = 0;
    this.#shots = { ...NO_SHOTS };
    this.cells.clear();
    for (const sums of this.#allSums()) sums.fill(0);
  }

  /** Adds the pixels of `other`, a shot, as if they had a total weight of 1. */
  merge(other: ColourTally): void {
    if (other.#weight === 0) return;
    const scale = 1 / other.#weight;
    this.#weight += 1;
    this.cells.merge(other.cells, scale);
    const theirs = other.#allSums();
    for (const [index, sums] of this.#allSums().entries()) addScaled(sums, theirs[index]!, scale);
    const { a, b, share } = castOf(other.cells.list());
    const square = a * a + b * b;
    // A shot of one strong colour has next to no near-neutral pixels, and so next to no say.
    const say = share ** 2;
    const shots = this.#shots;
    shots.count++;
    shots.say += say;
    shots.a += say * a;
    shots.b += say * b;
    shots.squares += say * square;
    shots.share += share;
  }

  #allSums(): readonly Float64Array[] {
    const tones = [this.#shadows, this.#midtones, this.#highlights];
    return [this.#lightness, this.#sums, this.#squares, ...tones, this.#skin, this.#clipped];
  }

  /**
   * The neutral of a clip is the mean of its shots', each by what near-neutral pixels it has: pooled, a shot would
   * have the more say the further a grade moves the others.
   */
  statistics(): ColourStatistics {
    const total = Math.max(this.#weight, Number.MIN_VALUE);
    const [meanA, meanB] = [this.#sums[0]! / total, this.#sums[1]! / total];
    const [meanAA, meanAB, meanBB] = this.#squares.map((sum) => sum / total);
    const cells = this.cells.list();
    const neutral = this.#neutral(cells);
    return {
      lightnessPercentiles: percentiles(this.#lightness, TWENTIETHS + 1).map(round),
      meanA: round(meanA),
      meanB: round(meanB),
      covariance: [
        round(Math.max(0, meanAA! - meanA * meanA)),
        round(meanAB! - meanA * meanB),
        round(Math.max(0, meanBB! - meanB * meanB)),
      ],
      tones: {
        shadows: meanOf(this.#shadows, total),
        midtones: meanOf(this.#midtones, total),
        highlights: meanOf(this.#highlights, total),
      },
      neutral: { a: round(neutral.a), b: round(neutral.b), share: round(neutral.share) },
      medianChroma: round(chromaAbout(cells, neutral)),
      skin: this.#skinFacts(total),
      clipped: [round(this.#clipped[0]! / total), round(this.#clipped[1]! / total)],
    };
  }

  /**
   * How far, in (a, b), the clip's neutral may be the content's own: the standard error of a mean over the shots. How
   * much they vary is known from few, so that it is taken for a mean of what they do and of what greys that are
   * nowhere grey would be worth as two more shots.
   */
  castError(): number {
    const { count, say, a, b, squares } = this.#shots;
    if (say === 0) return Number.POSITIVE_INFINITY;
    const square = squares / say;
    const variance = Math.max(0, square - (a * a + b * b) / (say * say));
    return Math.sqrt((PRIOR_SHOTS * square + count * variance) / (PRIOR_SHOTS + count) / count);
  }

  #addSkin(lightness: number, a: number, b: number): void {
    if (lightness < SKIN.lightness[0] || lightness > SKIN.lightness[1]) return;
    const chroma = Math.sqrt(a * a + b * b);
    if (chroma < SKIN.chroma[0] || chroma > SKIN.chroma[1]) return;
    this.#skin[0]!++;
    this.#skin[1]! += a / chroma;
    this.#skin[2]! += b / chroma;
  }

  #skinFacts(total: number): ColourStatistics['skin'] {
    const share = this.#skin[0]! / total;
    if (share < MIN_SHARE) return null;
    const hueDegrees = (Math.atan2(this.#skin[2]!, this.#skin[1]!) * 180) / Math.PI;
    return { share: round(share), hueDegrees: round(hueDegrees) };
  }

  #neutral(cells: Float64Array): ColourStatistics['neutral'] {
    const { count, say, a, b, share } = this.#shots;
    if (count === 0) return castOf(cells);
    return say === 0 ? { a: 0, b: 0, share: 0 } : { a: a / say, b: b / say, share: share / count };
  }
}

/** Mean (a, b) of a tone. */
function meanOf(tone: Float64Array, total: number): [number, number] | null {
  const [weight, a, b] = [tone[0]!, tone[1]!, tone[2]!];
  return weight < MIN_SHARE * total || weight === 0 ? null : [round(a / weight), round(b / weight)];
}

function addScaled(to: Float64Array, from: Float64Array, scale: number): void {
  for (let at = 0; at < to.length; at++) to[at]! += from[at]! * scale;
}

/** `count` percentiles of lightness evenly from 0 to 100, linear within a bin; zeros for an empty histogram. */
function percentiles(histogram: Float64Array, count: number): number[] {
  const total = histogram.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return new Array<number>(count).fill(0);
  const found: number[] = [];
  let [bin, below] = [0, 0];
  for (let index = 0; index < count; index++) {
    // Never past the last occupied bin by rounding.
    const wanted = Math.min((index / (count - 1)) * total, total * (1 - 1e-12));
    while (histogram[bin] === 0 || below + histogram[bin]! < wanted) below += histogram[bin++]!;
    found.push((bin + Math.max(0, wanted - below) / histogram[bin]!) / BINS);
  }
  return found;
}

function round(value: number): number {
  return rounded(value, 3);
}
