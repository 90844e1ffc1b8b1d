import type { ColourStatistics } from './facts.ts';

const LIGHTNESS_STEP = 0.5;
const LIGHTNESS_BINS = 200;
const CHROMA_BINS = 300;
/** Half width, in Lab units, of the map of mid-tone (a, b) in which the neutral is sought. */
const NEUTRAL_REACH = 60;
const NEUTRAL_SIDE = 2 * NEUTRAL_REACH + 1;
const NEUTRAL_KERNEL = 25;

/** The sector of CIELAB in which human skin of every tone lies (hue 30..75°), chroma and lightness apart. */
export const SKIN = { hueDegrees: [28, 78], chroma: [10, 48], lightness: [25, 92] } as const;

/**
 * Adds up the colours of a shot or clip in constant space. Two tallies of equal weight can be merged, which
 * is how a clip's figures give each shot the same say.
 */
export class ColourTally {
  #weight = 0;
  readonly #lightness = new Float64Array(LIGHTNESS_BINS);
  readonly #chroma = new Float64Array(CHROMA_BINS);
  readonly #midtones = new Float64Array(NEUTRAL_SIDE * NEUTRAL_SIDE);
  /** a, b, aa, ab, bb. */
  readonly #moments = new Float64Array(5);
  /** Weight, a, b of shadows, mid-tones, highlights. */
  readonly #tones = new Float64Array(9);
  /** Weight, sum of cosines, sum of sines of the skin sector's hues. */
  readonly #skin = new Float64Array(3);
  readonly #clipped = new Float64Array(2);

  get weight(): number {
    return this.#weight;
  }

  /** One pixel: its Lab values, and which end of the range it lies at or beyond. */
  add(lightness: number, a: number, b: number, end: 'black' | 'white' | null): void {
    this.#weight++;
    this.#lightness[binOf(lightness / LIGHTNESS_STEP, LIGHTNESS_BINS)]!++;
    const chroma = Math.hypot(a, b);
    this.#chroma[binOf(chroma / LIGHTNESS_STEP, CHROMA_BINS)]!++;
    this.#moments[0]! += a;
    this.#moments[1]! += b;
    this.#moments[2]! += a * a;
    this.#moments[3]! += a * b;
    this.#moments[4]! += b * b;
    const tone = lightness < 35 ? 0 : lightness > 70 ? 6 : 3;
    this.#tones[tone]!++;
    this.#tones[tone + 1]! += a;
    this.#tones[tone + 2]! += b;
    if (lightness > 20 && lightness < 85 && Math.abs(a) < NEUTRAL_REACH && Math.abs(b) < NEUTRAL_REACH) {
      const row = Math.round(b) + NEUTRAL_REACH;
      this.#midtones[row * NEUTRAL_SIDE + Math.round(a) + NEUTRAL_REACH]!++;
    }
    if (chroma >= SKIN.chroma[0] && chroma <= SKIN.chroma[1]) this.#addSkin(lightness, chroma, a, b);
    if (end !== null) this.#clipped[end === 'black' ? 0 : 1]!++;
  }

  /** Adds `other` as if it had a total weight of 1. */
  merge(other: ColourTally): void {
    if (other.#weight === 0) return;
    const scale = 1 / other.#weight;
    this.#weight += 1;
    addScaled(this.#lightness, other.#lightness, scale);
    addScaled(this.#chroma, other.#chroma, scale);
    addScaled(this.#midtones, other.#midtones, scale);
    addScaled(this.#moments, other.#moments, scale);
    addScaled(this.#tones, other.#tones, scale);
    addScaled(this.#skin, other.#skin, scale);
    addScaled(this.#clipped, other.#clipped, scale);
  }

  statistics(): ColourStatistics {
    const total = Math.max(this.#weight, Number.MIN_VALUE);
    const moments = this.#moments.map((sum) => sum / total);
    const [meanA, meanB] = [moments[0]!, moments[1]!];
    return {
      lightnessPercentiles: percentiles(this.#lightness, 21).map((bin) => round(bin * LIGHTNESS_STEP)),
      meanA: round(meanA),
      meanB: round(meanB),
      covariance: [
        round(Math.max(0, moments[2]! - meanA * meanA)),
        round(moments[3]! - meanA * meanB),
        round(Math.max(0, moments[4]! - meanB * meanB)),
      ],
      tones: {
        shadows: this.#tone(0, total),
        midtones: this.#tone(3, total),
        highlights: this.#tone(6, total),
      },
      neutral: this.#neutral(total),
      medianChroma: round(percentiles(this.#chroma, 3)[1]! * LIGHTNESS_STEP),
      skin: this.#skinFacts(total),
      clipped: [round(this.#clipped[0]! / total), round(this.#clipped[1]! / total)],
    };
  }

  #addSkin(lightness: number, chroma: number, a: number, b: number): void {
    if (lightness < SKIN.lightness[0] || lightness > SKIN.lightness[1]) return;
    const hue = (Math.atan2(b, a) * 180) / Math.PI;
    if (hue < SKIN.hueDegrees[0] || hue > SKIN.hueDegrees[1]) return;
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

  /**
   * Where the greys of the mid-tones lie: the mean under a wide Gaussian about the true neutral. The kernel does
   * not follow a mode: one that does runs after a blue sky, and then a warmer grade measures colder.
   */
  #neutral(total: number): ColourStatistics['neutral'] {
    let [sum, sumA, sumB] = [0, 0, 0];
    for (let at = 0; at < this.#midtones.length; at++) {
      const count = this.#midtones[at]!;
      if (count === 0) continue;
      const a = (at % NEUTRAL_SIDE) - NEUTRAL_REACH;
      const b = Math.floor(at / NEUTRAL_SIDE) - NEUTRAL_REACH;
      const weight = count * Math.exp(-(a * a + b * b) / (2 * NEUTRAL_KERNEL ** 2));
      sum += weight;
      sumA += weight * a;
      sumB += weight * b;
    }
    if (sum <= 0) return { a: 0, b: 0, share: 0 };
    return { a: round(sumA / sum), b: round(sumB / sum), share: round(Math.min(1, sum / total)) };
  }
}

function binOf(position: number, bins: number): number {
  return Math.max(0, Math.min(bins - 1, Math.floor(position)));
}

function addScaled(to: Float64Array, from: Float64Array, scale: number): void {
  for (let at = 0; at < to.length; at++) to[at]! += from[at]! * scale;
}

/** `count` percentiles evenly from 0 to 100, in bins, linear within a bin; zeros for an empty histogram. */
function percentiles(histogram: Float64Array, count: number): number[] {
  const total = histogram.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return new Array<number>(count).fill(0);
  const found: number[] = [];
  let [bin, below] = [0, 0];
  for (let index = 0; index < count; index++) {
    // Never past the last occupied bin by rounding.
    const wanted = Math.min((index / (count - 1)) * total, total * (1 - 1e-12));
    while (histogram[bin] === 0 || below + histogram[bin]! < wanted) below += histogram[bin++]!;
    found.push(bin + Math.max(0, wanted - below) / histogram[bin]!);
  }
  return found;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000 + 0;
}
