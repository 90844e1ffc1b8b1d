import { LUMA_WEIGHTS_709 } from '../../signal/colour-space.ts';

/** Strokes are blurred: a colour difference of fewer levels is not believed, and levels this close to the ends of the range are taken for the ends. */
const BLUR_LEVELS = 45;

/**
 * Colour of ink that is thinner than the cells of the colour grid: the colour differences R−G and B−G of the
 * cells regressed on the share of each cell that the ink covers, read off at full cover. A black or white
 * outline covers the ground in step with the ink and has no colour; what it hides is put back.
 */
export class InkColour {
  #count = 0;
  #cover = 0;
  #coverSquared = 0;
  readonly #red = new Float64Array(2);
  readonly #blue = new Float64Array(2);

  #ink = 0;
  #outline = 0;

  /** Pixels of the ink, and of strokes of the other tone around it. */
  addOutline(inkPixels: number, outlinePixels: number): void {
    this.#ink += inkPixels;
    this.#outline += outlinePixels;
  }

  add(coverage: number, red: number, green: number, blue: number): void {
    this.#count++;
    this.#cover += coverage;
    this.#coverSquared += coverage * coverage;
    accumulate(this.#red, coverage, red - green);
    accumulate(this.#blue, coverage, blue - green);
  }

  /** Adds what another has seen of the same ink. */
  merge(other: InkColour): void {
    this.#count += other.#count;
    this.#cover += other.#cover;
    this.#coverSquared += other.#coverSquared;
    for (let i = 0; i < this.#red.length; i++) {
      this.#red[i] += other.#red[i];
      this.#blue[i] += other.#blue[i];
    }
    this.#ink += other.#ink;
    this.#outline += other.#outline;
  }

  /** `#rrggbb` of ink with this luma; grey unless a colour is sure. */
  hex(luma: number): string {
    const redness = this.#atFullCover(this.#red);
    const blueness = this.#atFullCover(this.#blue);
    const green = luma - LUMA_WEIGHTS_709.red * redness - LUMA_WEIGHTS_709.blue * blueness;
    return `#${[green + redness, green, green + blueness].map(toHex).join('')}`;
  }

  #atFullCover(sums: Float64Array): number {
    const n = this.#count;
    const spread = this.#coverSquared - (this.#cover * this.#cover) / n;
    if (!(spread > 0)) return 0;
    const slope = (sums[1] - (sums[0] * this.#cover) / n) / spread;
    const mean = sums[0] / n - (slope * this.#cover) / n;
    const outline = this.#ink === 0 ? 0 : this.#outline / this.#ink;
    const value = Math.max(-255, Math.min(255, slope + mean * (1 + outline)));
    return Math.abs(value) >= BLUR_LEVELS ? value : 0;
  }
}

function accumulate(sums: Float64Array, coverage: number, value: number): void {
  sums[0] += value;
  sums[1] += coverage * value;
}

function toHex(level: number): string {
  const snapped = level > 255 - BLUR_LEVELS ? 255 : level < BLUR_LEVELS ? 0 : Math.round(level);
  return snapped.toString(16).padStart(2, '0');
}
