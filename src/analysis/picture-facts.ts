/**
 * Appearance of the picture over time: about three samples a second, inside black bars. Inputs of `materialOf`. Lists
 * have one entry per sample unless noted.
 */
export interface PictureFacts {
  readonly timesSeconds: readonly number[];
  /**
   * Decrease of structure towards fine scales in the sharpest tenth of the picture, from 320 to 640 and from
   * 160 to 320 pixels of width. Hard edges have 1, wide ones .25, fine texture up to 4, pictures without
   * structure 0.
   */
  readonly fine: readonly number[];
  readonly medium: readonly number[];
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
  /** Change between samples relative to noise, in the busiest 5 % of the picture; null: not measured. */
  readonly change: readonly (number | null)[];
  /** About one a second, with their own times: 64 bytes each, in Base64. */
  readonly viewTimesSeconds: readonly number[];
  readonly views: string;
  /** Sudden changes of motion: time of the last frame before, strength in diagonals per second over the whole picture. */
  readonly jolts: readonly { readonly timeSeconds: number; readonly strength: number }[];
}
