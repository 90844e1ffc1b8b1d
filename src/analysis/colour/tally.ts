import { bytesToLab } from '../../signal/colour-space.ts';
import { rounded } from '../../signal/rounding.ts';
import type { ColourStatistics } from '../facts.ts';
import { ColourCells } from './cells.ts';
import { castOf, chromaAbout } from './neutral.ts';

const LIGHTNESS_STEP = 0.5;
const LIGHTNESS_BINS = 200;
/** Near-neutral share at which a shot has half a say in the clip's neutral. */
const HALF_SAY = 0.15;
/** So far from grey, in (a, b), that half of it is taken for the content's own colour. */
const FAR_NEUTRAL = 30;
/** How much of the clip's tonal ends is the mean of its shots' own: see `statistics`. */
const SHOTS_SHARE = 1 / 3;

/** Shots that the prior of `castError` is worth. */
const PRIOR_SHOTS = 2;
const NO_SHOTS = { count: 0, say: 0, a: 0, b: 0, squares: 0, share: 0, p5: 0, p95: 0 };

/** The sector of CIELAB in which human skin of every tone lies (hue 30..75°), chroma and lightness apart. */
const SKIN = { hueDegrees: [28, 78], chroma: [10, 48], lightness: [25, 92] } as const;
const [SKIN_FROM, SKIN_TO] = SKIN.hueDegrees.map((degrees) => Math.tan((degrees * Math.PI) / 180)) as [
  number,
  number,
];

/** Lightness up to which pixels are shadows, and mid-tones; weight, a and b are summed of each tone. */
const TONES = { shadows: 35, midtones: 70 } as const;
const TONE_SUMS = 3;
/** From black to white in steps of a twentieth. */
const PERCENTILES = 21;
/** Of 255; black is clipped from 1 down. */
const CLIPPED_LEVEL = 254;

/**
 * Adds up the colours of a shot or clip in constant space. A clip's tally merges those of its shots, each with a
 * weight of 1; it then has no pixels of its own.
 */
export class ColourTally {
  #weight = 0;
  readonly #lab = new Float64Array(3);
  readonly cells = new ColourCells();
  readonly #lightness = new Float64Array(LIGHTNESS_BINS);
  /** a, b, aa, ab, bb. */
  readonly #moments = new Float64Array(5);
  /** Weight, a, b of shadows, mid-tones, highlights. */
  readonly #tones = new Float64Array(3 * TONE_SUMS);
  /** Weight, sum of cosines, sum of sines of the skin sector's hues. */
  readonly #skin = new Float64Array(3);
  readonly #clipped = new Float64Array(2);
  /** Sums over merged shots: a, b and squared length of the neutrals by their say; shares and ends as they are. */
  #shots = { ...NO_SHOTS };

  get weight(): number {
    return this.#weight;
  }

  /** One pixel, 0..255 each. */
  addRgb(red: number, green: number, blue: number): void {
    bytesToLab(red, green, blue, this.#lab);
    const [lightness, a, b] = [this.#lab[0]!, this.#lab[1]!, this.#lab[2]!];
    this.#weight++;
    const bin = (lightness / LIGHTNESS_STEP) | 0;
    this.#lightness[bin < LIGHTNESS_BINS ? bin : LIGHTNESS_BINS - 1]!++;
    this.cells.add(lightness, a, b);
    const moments = this.#moments;
    moments[0]! += a;
    moments[1]! += b;
    moments[2]! += a * a;
    moments[3]! += a * b;
    moments[4]! += b * b;
    const tone = TONE_SUMS * (lightness < TONES.shadows ? 0 : lightness > TONES.midtones ? 2 : 1);
    this.#tones[tone]!++;
    this.#tones[tone + 1]! += a;
    this.#tones[tone + 2]! += b;
    if (a > 0 && b >= a * SKIN_FROM && b <= a * SKIN_TO) this.#addSkin(lightness, a, b);
    if (red <= 1 && green <= 1 && blue <= 1) this.#clipped[0]!++;
    if (Math.min(red, green, blue) >= CLIPPED_LEVEL) this.#clipped[1]!++;
  }

  clear(): void {
    this.#weight = 0;
    this.#shots = { ...NO_SHOTS };
    this.cells.clear();
    for (const sums of [this.#lightness, this.#moments, this.#tones, this.#skin, this.#clipped]) sums.fill(0);
  }

  /** Adds the pixels of `other`, a shot, as if they had a total weight of 1. */
  merge(other: ColourTally): void {
    if (other.#weight === 0) return;
    const scale = 1 / other.#weight;
    this.#weight += 1;
    this.cells.merge(other.cells, scale);
    addScaled(this.#lightness, other.#lightness, scale);
    addScaled(this.#moments, other.#moments, scale);
    addScaled(this.#tones, other.#tones, scale);
    addScaled(this.#skin, other.#skin, scale);
    addScaled(this.#clipped, other.#clipped, scale);
    const { a, b, share } = castOf(other.cells.list());
    const square = a * a + b * b;
    const say = share ** 2 / (share ** 2 + HALF_SAY ** 2) / (1 + square / FAR_NEUTRAL ** 2);
    const [p5, p95] = endsOf(percentiles(other.#lightness, PERCENTILES));
    const shots = this.#shots;
    shots.count++;
    shots.say += say;
    shots.a += say * a;
    shots.b += say * b;
    shots.squares += say * square;
    shots.share += share;
    shots.p5 += p5;
    shots.p95 += p95;
  }

  /**
   * The neutral of a clip is the mean of its shots', each by what near-neutral pixels it has: pooled, a shot would
   * have the more say the further a grade moves the others. Its tonal ends are those of all pixels, and one part
   * those of the shots: one black or white shot would hide from the pooled ends what happens to all others.
   */
  statistics(): ColourStatistics {
    const total = Math.max(this.#weight, Number.MIN_VALUE);
    const moments = this.#moments.map((sum) => sum / total);
    const [meanA, meanB] = [moments[0]!, moments[1]!];
    const lightness = percentiles(this.#lightness, PERCENTILES);
    const cells = this.cells.list();
    const neutral = this.#neutral(cells);
    return {
      lightnessPercentiles: lightness.map(round),
      lightnessEnds: this.#ends(endsOf(lightness)),
      meanA: round(meanA),
      meanB: round(meanB),
      covariance: [
        round(Math.max(0, moments[2]! - meanA * meanA)),
        round(moments[3]! - meanA * meanB),
        round(Math.max(0, moments[4]! - meanB * meanB)),
      ],
      tones: {
        shadows: this.#tone(0, total),
        midtones: this.#tone(TONE_SUMS, total),
        highlights: this.#tone(2 * TONE_SUMS, total),
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

  #tone(at: number, total: number): [number, number] | null {
    const weight = this.#tones[at]!;
    if (weight < 0.01 * total || weight === 0) return null;
    return [round(this.#tones[at + 1]! / weight), round(this.#tones[at + 2]! / weight)];
  }

  #skinFacts(total: number): ColourStatistics['skin'] {
    const share = this.#skin[0]! / total;
    if (share < 0.005) return null;
    const hueDegrees = (Math.atan2(this.#skin[2]!, this.#skin[1]!) * 180) / Math.PI;
    return { share: round(share), hueDegrees: round(hueDegrees) };
  }

  #neutral(cells: Float64Array): ColourStatistics['neutral'] {
    const { count, say, a, b, share } = this.#shots;
    if (count === 0) return castOf(cells);
    return say === 0 ? { a: 0, b: 0, share: 0 } : { a: a / say, b: b / say, share: share / count };
  }

  #ends([p5, p95]: readonly [number, number]): [number, number] {
    const { count, p5: sum5, p95: sum95 } = this.#shots;
    if (count === 0) return [round(p5), round(p95)];
    const mixed = (pooled: number, sum: number) => round(pooled + SHOTS_SHARE * (sum / count - pooled));
    return [mixed(p5, sum5), mixed(p95, sum95)];
  }
}

function endsOf(lightness: readonly number[]): [number, number] {
  return [lightness[1]!, lightness[19]!];
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
    found.push((bin + Math.max(0, wanted - below) / histogram[bin]!) * LIGHTNESS_STEP);
  }
  return found;
}

function round(value: number): number {
  return rounded(value, 3);
}
