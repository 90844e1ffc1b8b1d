import type { Picture, Size } from '../../domain/footage.ts';
import type { LumaWeights } from '../av/luma-weights.ts';
import { AreaMeans, type BytePlane } from './area-means.ts';

const GREY_PIXELS = 160 * 90;
const COLOR_PIXELS = 48 * 27;
/** Cells of the detailed grid in one cell of the grey grid, horizontally and vertically. */
export const DETAIL_FACTOR = 4;
/** 8-bit limited range (ITU-R BT.709-6, section 4): black, steps from black to white, steps of chroma. */
const BLACK = 16;
const LUMA_STEPS = 219;
const CHROMA_STEPS = 224;
const NEUTRAL = 128;
const WHITE = 255;

export interface GridSizes {
  readonly grey: Size;
  readonly color: Size;
  readonly detail: Size;
}

/** Sizes of the analysis grids for a display ratio (width / height): constant area, ratio clamped to 1:16. */
export function gridSizes(ratio: number): GridSizes {
  const bounded = Math.min(Math.max(ratio, 1 / 16), 16);
  const fit = (area: number) => {
    const height = Math.max(4, Math.round(Math.sqrt(area / bounded)));
    return { width: Math.max(4, Math.round(height * bounded)), height };
  };
  const grey = fit(GREY_PIXELS);
  const detail = { width: grey.width * DETAIL_FACTOR, height: grey.height * DETAIL_FACTOR };
  return { grey, color: fit(COLOR_PIXELS), detail };
}

/** Sizes and color coding of 8-bit planes. */
export interface PlaneFormat {
  readonly luma: Size;
  readonly chroma: Size;
  readonly weights: LumaWeights;
  readonly fullRange: boolean;
}

/** Computes the grids for pictures of one format. A cell is the mean of its pixels, exact to rounding. Colors are converted after averaging. */
export class PlaneGrids {
  readonly #sizes: GridSizes;
  readonly #weights: LumaWeights;
  readonly #lumaGain: number;
  readonly #lumaOffset: number;
  readonly #chromaGain: number;
  readonly #grey: AreaMeans;
  readonly #greyCells: AreaMeans;
  readonly #blue: AreaMeans;
  readonly #red: AreaMeans;
  readonly #luma: Size;
  /** Created for the first detailed picture. */
  #detail: AreaMeans | null = null;

  constructor({ luma, chroma, weights, fullRange }: PlaneFormat, sizes: GridSizes) {
    this.#sizes = sizes;
    this.#weights = weights;
    this.#lumaGain = fullRange ? 1 : WHITE / LUMA_STEPS;
    this.#lumaOffset = fullRange ? 0 : -BLACK * this.#lumaGain;
    this.#chromaGain = fullRange ? 1 : WHITE / CHROMA_STEPS;
    this.#grey = new AreaMeans(luma, sizes.grey);
    this.#greyCells = new AreaMeans(sizes.grey, sizes.color);
    this.#blue = new AreaMeans(chroma, sizes.color);
    this.#red = new AreaMeans(chroma, sizes.color);
    this.#luma = luma;
  }

  /**
   * Luma with the picture's own weights, full range; `withDetail`: also on the detailed grid. Both grids are measured band by band, so that a
   * band is read from memory once.
   */
  lumaGrids(
    luma: BytePlane,
    withDetail: boolean,
  ): { readonly grey: Picture; readonly detail: Picture | null } {
    const { grey, detail } = this.#sizes;
    if (withDetail) this.#detail ??= new AreaMeans(this.#luma, detail);
    const band = this.#grey.rowsPerBand(luma.stride);
    for (let row = 0; row < grey.height; row += band) {
      const rows = Math.min(band, grey.height - row);
      this.#grey.measureRows(luma, row, rows);
      if (withDetail) this.#detail!.measureRows(luma, DETAIL_FACTOR * row, DETAIL_FACTOR * rows);
    }
    const picture = (size: Size, means: AreaMeans): Picture => ({
      ...size,
      channels: 1,
      data: means.levelsAt(this.#lumaGain, this.#lumaOffset),
    });
    return {
      grey: picture(grey, this.#grey),
      detail: withDetail ? picture(detail, this.#detail!) : null,
    };
  }

  /** RGB from the grey picture of `lumaGrids` and the two chroma planes, Cb and Cr (ITU-T H.273, equations 38 to 40). */
  color({ data, width }: Picture, blue: BytePlane, red: BytePlane): Picture {
    const levels = this.#greyCells.over({ data, stride: width });
    const cbs = this.#blue.over(blue);
    const crs = this.#red.over(red);
    const { red: kr, blue: kb } = this.#weights;
    const kg = 1 - kr - kb;
    const redGain = 2 * (1 - kr) * this.#chromaGain;
    const blueGain = 2 * (1 - kb) * this.#chromaGain;
    const rounded = new Uint8ClampedArray(levels.length * 3);
    for (let i = 0, o = 0; i < levels.length; i++, o += 3) {
      const level = levels[i];
      const toRed = redGain * (crs[i] - NEUTRAL);
      const toBlue = blueGain * (cbs[i] - NEUTRAL);
      rounded[o] = level + toRed;
      rounded[o + 1] = level - (kr * toRed + kb * toBlue) / kg;
      rounded[o + 2] = level + toBlue;
    }
    return { ...this.#sizes.color, channels: 3, data: new Uint8Array(rounded.buffer) };
  }
}
