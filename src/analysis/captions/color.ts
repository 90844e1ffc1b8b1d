import { LUMA_WEIGHTS_709 } from '../../signal/color-space.ts';
import { clamp } from '../../signal/interpolation.ts';

/** Blur of strokes, levels: smaller color differences are ignored, and levels this close to black or full become that. */
const BLUR_LEVELS = 45;

/** Sums over cells of the color grid, in the order of the kernel. `cover`: share of a cell that the ink covers. */
const SUMS = [
  'cells',
  'cover',
  'coverSquared',
  'redMinusGreen',
  'redMinusGreenTimesCover',
  'blueMinusGreen',
  'blueMinusGreenTimesCover',
] as const;
type CellSums = Readonly<Record<(typeof SUMS)[number], number>>;
/** Largest difference of two channels, levels. */
const MAX_DIFFERENCE = 255;

/**
 * Color of ink that is thinner than the cells of the color grid. It regresses the cells' differences R−G
 * and B−G on their cover, and evaluates at full cover. A black or white outline covers background in proportion
 * to the ink and has no color: the part that it hides is added.
 */
export class InkColor {
  /** `SUMS`, which `PatchKernel` adds to. */
  readonly sums = new Float64Array(SUMS.length);

  #inkPixels = 0;
  #outlinePixels = 0;

  /** Counts of ink pixels, and of stroke pixels of the other tone around them. */
  addOutline(inkPixels: number, outlinePixels: number): void {
    this.#inkPixels += inkPixels;
    this.#outlinePixels += outlinePixels;
  }

  /** Adds the sums of another sample of the same ink. */
  merge(other: InkColor): void {
    for (let i = 0; i < this.sums.length; i++) this.sums[i] += other.sums[i];
    this.#inkPixels += other.#inkPixels;
    this.#outlinePixels += other.#outlinePixels;
  }

  /** `#rrggbb` of ink with this luma; grey unless a color is certain. */
  hex(luma: number): string {
    const sums = Object.fromEntries(SUMS.map((name, at) => [name, this.sums[at]])) as CellSums;
    const redness = this.#atFullCover(sums, sums.redMinusGreen, sums.redMinusGreenTimesCover);
    const blueness = this.#atFullCover(sums, sums.blueMinusGreen, sums.blueMinusGreenTimesCover);
    const green = luma - LUMA_WEIGHTS_709.red * redness - LUMA_WEIGHTS_709.blue * blueness;
    return `#${[green + redness, green, green + blueness].map(toHex).join('')}`;
  }

  /** A color difference at full cover: the line through the cells, from the sums of the difference and of its products with the cover. */
  #atFullCover({ cells, cover, coverSquared }: CellSums, sum: number, sumTimesCover: number): number {
    const spread = coverSquared - (cover * cover) / cells;
    if (!(spread > 0)) return 0;
    const slope = (sumTimesCover - (sum * cover) / cells) / spread;
    const background = sum / cells - (slope * cover) / cells;
    const hiddenShare = this.#inkPixels === 0 ? 0 : this.#outlinePixels / this.#inkPixels;
    const difference = clamp(slope + background * (1 + hiddenShare), -MAX_DIFFERENCE, MAX_DIFFERENCE);
    return Math.abs(difference) >= BLUR_LEVELS ? difference : 0;
  }
}

function toHex(level: number): string {
  const snapped = level > 255 - BLUR_LEVELS ? 255 : level < BLUR_LEVELS ? 0 : Math.round(level);
  return snapped.toString(16).padStart(2, '0');
}
