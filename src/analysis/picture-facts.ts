/**
 * Appearance of the picture over time: about three samples a second, inside black bars. Inputs of `materialOf`. Lists
 * have one entry per sample unless noted.
 */
export interface PictureFacts {
  readonly timesSeconds: readonly number[];
  /**
   * Of the sharpest tenth of the picture, independent of contrast and of the file's size: `PictureStructure`. Sharp pictures have .5 to
   * 1, soft ones .45, a blur of .4 % of the width leaves .3 to .43, of 2 % .2; pictures without structure have 0.
   */
  readonly sharpness: readonly number[];
  /** Standard deviation of the noise in a picture of 160 pixels of width, grey levels. */
  readonly noise: readonly number[];
  /** Share of pixels with fine structure. */
  readonly detail: readonly number[];
  /** Shares of cells that equal their neighbours, and at hard edges: `Flatness`. */
  readonly flat: readonly number[];
  readonly hard: readonly number[];
  /** Standard deviation of luma over 255. */
  readonly contrast: readonly number[];
  /** Mean CIELAB lightness, 0..100. */
  readonly lightness: readonly number[];
  /** Shares of pixels at the ends of the range. */
  readonly black: readonly number[];
  readonly white: readonly number[];
  /** Luma exceeded by 2 % of the pixels, 0..255. */
  readonly highlight: readonly number[];
  /** How far the colors lie apart, 0..1: `colorSpreadOf`. */
  readonly colorSpread: readonly number[];
  /** Change between samples relative to noise, in the busiest 5 % of the picture; null: not measured. */
  readonly change: readonly (number | null)[];
  /** Root mean square of the same change, share of the range of grey levels. Null: not measured. */
  readonly difference: readonly (number | null)[];
  /** About one a second, with their own times: 64 bytes each, in Base64. */
  readonly viewTimesSeconds: readonly number[];
  readonly views: string;
  /** Sudden changes of motion: time of the last frame before, strength in diagonals per second over the whole picture. */
  readonly jolts: readonly { readonly timeSeconds: number; readonly strength: number }[];
}
