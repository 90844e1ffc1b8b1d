import { clamp } from '../../signal/interpolation.ts';
import type { FrameSketch } from '../frames/sketch.ts';
import type { Banding } from './banding.ts';

/** Noise gives shares beyond 0 and 1: they are clamped to this much. */
const OVERSHOOT = 0.2;
/** Bands whose pixels change by less than this share of the picture's mean change do not count. */
const MIN_ENERGY_SHARE = 0.1;

/** The old picture A, the new one B, and a picture F between them. Per pixel, summed over colors. */
export class Comparison {
  /** (B − A)². */
  readonly energy: Float64Array;
  /** (F − A)(B − A), of the last F. */
  readonly dot: Float64Array;
  /** (F − A)², of the last F. */
  readonly own: Float64Array;
  readonly #a: Float32Array;
  readonly #b: Float32Array;

  constructor(a: FrameSketch, b: FrameSketch) {
    this.#a = a.small;
    this.#b = b.small;
    const pixels = a.small.length / 3;
    this.energy = new Float64Array(pixels);
    this.dot = new Float64Array(pixels);
    this.own = new Float64Array(pixels);
    for (let i = 0; i < a.small.length; i++) this.energy[Math.floor(i / 3)] += (b.small[i] - a.small[i]) ** 2;
  }

  /** Sets F. */
  compare({ small: f }: FrameSketch): void {
    const [a, b, dot, own] = [this.#a, this.#b, this.dot, this.own];
    for (let p = 0, i = 0; i < a.length; p++, i += 3) {
      const x = f[i] - a[i];
      const y = f[i + 1] - a[i + 1];
      const z = f[i + 2] - a[i + 2];
      dot[p] = x * (b[i] - a[i]) + y * (b[i + 1] - a[i + 1]) + z * (b[i + 2] - a[i + 2]);
      own[p] = x * x + y * y + z * z;
    }
  }
}

/** Least-squares fit F = A + α (B − A) with one share α per band. */
export class Mixture {
  /** α of the last picture. */
  readonly shares: Float64Array;
  /** Energy of B − A per band. */
  readonly energies: Float64Array;
  readonly #banding: Banding;
  readonly #dot: Float64Array;
  readonly #own: Float64Array;
  readonly #sumOfShares: Float64Array;
  readonly #energy: number;
  #left = 0;
  #count = 0;

  constructor({ energy }: Comparison, banding: Banding) {
    this.#banding = banding;
    this.shares = new Float64Array(banding.count);
    this.energies = new Float64Array(banding.count);
    this.#dot = new Float64Array(banding.count);
    this.#own = new Float64Array(banding.count);
    this.#sumOfShares = new Float64Array(banding.count);
    let all = 0;
    for (let p = 0; p < energy.length; p++) {
      this.energies[banding.of[p]] += energy[p];
      all += energy[p];
    }
    this.#energy = all;
  }

  /** Sets `shares` for this picture; `counted` ones enter the residual and the switch times. */
  add({ dot, own }: Comparison, counted: boolean): void {
    const { energies, shares } = this;
    const [dots, owns, sumOfShares] = [this.#dot.fill(0), this.#own.fill(0), this.#sumOfShares];
    addByBand(dot, own, this.#banding.of, dots, owns);
    let left = this.#left;
    for (let band = 0; band < shares.length; band++) {
      const energy = energies[band];
      const share = energy > 0 ? clamp(dots[band] / energy, -OVERSHOOT, 1 + OVERSHOOT) : 0;
      shares[band] = share;
      if (!counted) continue;
      left += owns[band] - 2 * share * dots[band] + share * share * energy;
      sumOfShares[band] += clamp(share, 0, 1);
    }
    this.#left = left;
    if (counted) this.#count += 1;
  }

  /** Mean of the last picture's shares over the bands in which the two pictures differ. */
  meanShare(): number {
    const least = (MIN_ENERGY_SHARE * this.#energy) / this.#banding.of.length;
    let sum = 0;
    let count = 0;
    for (let band = 0; band < this.shares.length; band++) {
      if (this.energies[band] <= least * this.#banding.sizes[band]) continue;
      sum += this.shares[band];
      count += 1;
    }
    return count === 0 ? 0 : sum / count;
  }

  /** Root of the residual energy over that of B − A, per counted picture. */
  get residual(): number {
    if (this.#energy === 0 || this.#count === 0) return 0;
    return Math.sqrt(Math.max(0, this.#left) / (this.#energy * this.#count));
  }

  get difference(): number {
    return Math.sqrt(this.#energy / (3 * this.#banding.of.length));
  }

  /** Mean switch time of a band, 0..1 of the counted span. */
  switchTime(band: number): number {
    return 1 - this.#sumOfShares[band] / Math.max(1, this.#count);
  }
}

/** Sums two values of each pixel over the bands. */
function addByBand(
  dot: Float64Array,
  own: Float64Array,
  bands: Uint16Array,
  dots: Float64Array,
  owns: Float64Array,
): void {
  for (let p = 0; p < dot.length; p++) {
    const band = bands[p];
    dots[band] += dot[p];
    owns[band] += own[p];
  }
}
