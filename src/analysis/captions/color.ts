import { LUMA_WEIGHTS_709 } from '../../signal/color-space.ts';

/**
 * Strokes are blurred: smaller color differences, in levels, are ignored, and levels this close to the ends of
 * the range are set to the ends.
 */
const BLUR_LEVELS = 45;

/**
 * Color of ink that is thinner than the cells of the color grid. It regresses the cells' differences R−G
 * and B−G on the share of each cell that the ink covers, and evaluates at full cover. A black or white
 * outline covers background in proportion to the ink and has no color: the part that it hides is added.
 */
export class InkColor {
  /**
   * Sums over cells, which `PatchKernel` adds to. In order: their number, the share of each that the ink
   * covers (cover), cover squared, R−G, R−G times cover, B−G, B−G times cover.
   */
  readonly sums = new Float64Array(7);

  #ink = 0;
  #outline = 0;

  /** Counts of ink pixels, and of stroke pixels of the other tone around them. */
  addOutline(inkPixels: number, outlinePixels: number): void {
    this.#ink += inkPixels;
    this.#outline += outlinePixels;
  }

  /** Adds the sums of another sample of the same ink. */
  merge(other: InkColor): void {
    for (let i = 0; i < this.sums.length; i++) this.sums[i] += other.sums[i];
    this.#ink += other.#ink;
    this.#outline += other.#outline;
  }

  /** `#rrggbb` of ink with this luma; grey unless a color is certain. */
  hex(luma: number): string {
    const [, , , red, redCovered, blue, blueCovered] = this.sums;
    const redness = this.#atFullCover(red!, redCovered!);
    const blueness = this.#atFullCover(blue!, blueCovered!);
    const green = luma - LUMA_WEIGHTS_709.red * redness - LUMA_WEIGHTS_709.blue * blueness;
    return `#${[green + redness, green, green + blueness].map(toHex).join('')}`;
  }

  /** Color difference at full cover, from its sum over the cells and the sum of its products with their cover. */
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
