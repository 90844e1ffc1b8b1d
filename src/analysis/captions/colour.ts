import { LUMA_WEIGHTS_709 } from '../../signal/colour-space.ts';

/** Strokes are blurred: a colour difference of fewer levels is not believed, and levels this close to the ends of the range are taken for the ends. */
const BLUR_LEVELS = 45;

/**
 * Colour of ink that is thinner than the cells of the colour grid: the colour differences R−G and B−G of the
 * cells regressed on the share of each cell that the ink covers, read off at full cover. A black or white
 * outline covers the ground in step with the ink and has no colour; what it hides is put back.
 */
export class InkColour {
  /**
   * Sums over cells, which `PatchKernel` adds to: their number, the share of each that the ink covers, its square, R−G, R−G times the share, B−G, B−G times the
   * share.
   */
  readonly sums = new Float64Array(7);

  #ink = 0;
  #outline = 0;

  /** Pixels of the ink, and of strokes of the other tone around it. */
  addOutline(inkPixels: number, outlinePixels: number): void {
    this.#ink += inkPixels;
    this.#outline += outlinePixels;
  }

  /** Adds what another has seen of the same ink. */
  merge(other: InkColour): void {
    for (let i = 0; i < this.sums.length; i++) this.sums[i] += other.sums[i];
    this.#ink += other.#ink;
    this.#outline += other.#outline;
  }

  /** `#rrggbb` of ink with this luma; grey unless a colour is sure. */
  hex(luma: number): string {
    const [, , , red, redCovered, blue, blueCovered] = this.sums;
    const redness = this.#atFullCover(red!, redCovered!);
    const blueness = this.#atFullCover(blue!, blueCovered!);
    const green = luma - LUMA_WEIGHTS_709.red * redness - LUMA_WEIGHTS_709.blue * blueness;
    return `#${[green + redness, green, green + blueness].map(toHex).join('')}`;
  }

  /** A colour difference, by its sum over the cells and that of its products with their cover. */
  #atFullCover(sum: number, covered: number): number {
    const [n, cover, coverSquared] = this.sums as unknown as [number, number, number];
    const spread = coverSquared - (cover * cover) / n;
    if (!(spread > 0)) return 0;
    const slope = (covered - (sum * cover) / n) / spread;
    const mean = sum / n - (slope * cover) / n;
    const outline = this.#ink === 0 ? 0 : this.#outline / this.#ink;
    const value = Math.max(-255, Math.min(255, slope + mean * (1 + outline)));
    return Math.abs(value) >= BLUR_LEVELS ? value : 0;
  }
}

function toHex(level: number): string {
  const snapped = level > 255 - BLUR_LEVELS ? 255 : level < BLUR_LEVELS ? 0 : Math.round(level);
  return snapped.toString(16).padStart(2, '0');
}
