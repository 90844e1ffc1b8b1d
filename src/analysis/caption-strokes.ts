export type Polarity = 'bright' | 'dark';

/** Widest stroke that counts as ink, for a picture of 640×360; other sizes by the root of their area. */
const WIDEST_STROKE = 20;
const REFERENCE_SIDE = 480;
/** How far a stroke stands out from both of its sides, grey levels. */
const LEAST_CONTRAST = 48;
/** Text that people are meant to read is nearly white or nearly black. */
const BRIGHT_LEVEL = 135;
const DARK_LEVEL = 90;

/**
 * Marks the pixels of narrow strokes: brighter (or darker) than some pixel close by on the left and than some
 * pixel close by on the right. The running minima come from one pass of van Herk's decomposition (1992).
 */
export class StrokeFinder {
  readonly #reach: number;
  readonly #width: number;
  readonly #height: number;
  /** The row between two stretches of 255, and its prefix and suffix minima in windows of `reach`. */
  readonly #row: Uint8Array;
  readonly #prefix: Uint8Array;
  readonly #suffix: Uint8Array;

  /** `side`: root of the whole picture's area in pixels; rows may have been left out. */
  constructor(width: number, height: number, side: number) {
    this.#width = width;
    this.#height = height;
    this.#reach = Math.max(2, Math.round((WIDEST_STROKE / 2) * (side / REFERENCE_SIDE)));
    const windows = Math.ceil((width + 2 * this.#reach) / this.#reach);
    this.#row = new Uint8Array(windows * this.#reach).fill(255);
    this.#prefix = new Uint8Array(this.#row.length);
    this.#suffix = new Uint8Array(this.#row.length);
  }

  /** Writes 1 for ink, 0 for the rest into `out`, one byte per pixel of `grey`. */
  find(grey: Uint8Array, polarity: Polarity, out: Uint8Array): void {
    const width = this.#width;
    const reach = this.#reach;
    const flip = polarity === 'dark' ? 255 : 0;
    const least = polarity === 'dark' ? 255 - DARK_LEVEL : BRIGHT_LEVEL;
    const row = this.#row;
    const prefix = this.#prefix;
    const suffix = this.#suffix;
    for (let y = 0; y < this.#height; y++) {
      const start = y * width;
      let brightest = 0;
      for (let x = 0; x < width; x++) {
        const value = grey[start + x] ^ flip;
        row[x + reach] = value;
        if (value > brightest) brightest = value;
      }
      out.fill(0, start, start + width);
      if (brightest < least) continue;
      this.#minima();
      for (let x = 0; x < width; x++) {
        const value = row[x + reach];
        if (value < least) continue;
        // The `reach` pixels before x and those after it, each pieced together from two windows.
        const left = Math.min(suffix[x], prefix[x + reach - 1]);
        const right = Math.min(suffix[x + reach + 1], prefix[x + 2 * reach]);
        if (value - left >= LEAST_CONTRAST && value - right >= LEAST_CONTRAST) out[start + x] = 1;
      }
    }
  }

  #minima(): void {
    const row = this.#row;
    const reach = this.#reach;
    for (let window = 0; window < row.length; window += reach) {
      let least = 255;
      for (let i = window; i < window + reach; i++) {
        if (row[i] < least) least = row[i];
        this.#prefix[i] = least;
      }
      least = 255;
      for (let i = window + reach - 1; i >= window; i--) {
        if (row[i] < least) least = row[i];
        this.#suffix[i] = least;
      }
    }
  }
}
