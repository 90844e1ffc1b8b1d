export type Polarity = 'bright' | 'dark';

/** Widest stroke that counts as ink, for a picture of 640×360; other sizes by the root of their area. */
const WIDEST_STROKE = 20;
const REFERENCE_SIDE = 480;
/** How far a stroke stands out from both of its sides, grey levels. */
const LEAST_CONTRAST = 48;
/** Within so many pixels beyond its ends (of 640×360) a stroke has fallen by this much from its extreme: letters are sharp. */
const EDGE_REACH = 4;
const EDGE_LEVELS = 60;
/** Text that people are meant to read is nearly white or nearly black. */
const BRIGHT_LEVEL = 135;
const DARK_LEVEL = 90;

/**
 * Marks the pixels of narrow strokes: those that stand out from the valleys (or peaks) on both of their sides.
 * Each row is split once into rises and falls of at least the contrast asked for (a zigzag with hysteresis), so
 * that plain stretches cost one comparison a pixel, and both polarities come from the same pass.
 */
export class StrokeFinder {
  readonly #width: number;
  readonly #height: number;
  readonly #widest: number;
  readonly #edgeReach: number;

  /** `side`: root of the whole picture's area in pixels; rows may have been left out. */
  constructor(width: number, height: number, side: number) {
    this.#width = width;
    this.#height = height;
    this.#widest = Math.max(4, Math.round(WIDEST_STROKE * (side / REFERENCE_SIDE)));
    this.#edgeReach = Math.max(2, Math.round(EDGE_REACH * (side / REFERENCE_SIDE)));
  }

  /** Writes 1 for ink, 0 for the rest, one byte per pixel of `grey`. */
  find(grey: Uint8Array, bright: Uint8Array, dark: Uint8Array): void {
    bright.fill(0);
    dark.fill(0);
    for (let y = 0; y < this.#height; y++) this.#row(grey, y * this.#width, bright, dark);
  }

  #row(grey: Uint8Array, start: number, bright: Uint8Array, dark: Uint8Array): void {
    const end = start + this.#width;
    let i = start + 1;
    let high = start;
    let low = start;
    // Until the first swing there is no telling a peak from a valley.
    for (; i < end; i++) {
      if (grey[i] > grey[high]) high = i;
      else if (grey[i] < grey[low]) low = i;
      if (grey[high] - grey[low] >= LEAST_CONTRAST) break;
    }
    if (i >= end) return;
    let rising = high > low;
    let before = -1;
    let last = rising ? low : high;
    while (i < end) {
      let extremeAt = i;
      let extreme = grey[i];
      if (rising) {
        for (i++; i < end; i++) {
          const value = grey[i];
          if (value > extreme) {
            extreme = value;
            extremeAt = i;
          } else if (extreme - value >= LEAST_CONTRAST) break;
        }
      } else {
        for (i++; i < end; i++) {
          const value = grey[i];
          if (value < extreme) {
            extreme = value;
            extremeAt = i;
          } else if (value - extreme >= LEAST_CONTRAST) break;
        }
      }
      // The extreme is a turn, or the row's end: the turn before it now has both of its sides.
      if (before >= 0) this.#mark(grey, before, last, extremeAt, rising ? dark : bright, rising);
      before = last;
      last = extremeAt;
      rising = !rising;
    }
  }

  /** Marks what stands out around the turn at `at` from both of its neighbours, unless it is too wide. */
  #mark(
    grey: Uint8Array,
    before: number,
    at: number,
    after: number,
    out: Uint8Array,
    isValley: boolean,
  ): void {
    let first = at;
    let end = at + 1;
    if (isValley) {
      const most = Math.min(grey[before] - LEAST_CONTRAST, grey[after] - LEAST_CONTRAST, DARK_LEVEL);
      if (grey[at] > most) return;
      while (grey[first - 1] <= most) first--;
      while (grey[end] <= most) end++;
    } else {
      const least = Math.max(grey[before] + LEAST_CONTRAST, grey[after] + LEAST_CONTRAST, BRIGHT_LEVEL);
      if (grey[at] < least) return;
      while (grey[first - 1] >= least) first--;
      while (grey[end] >= least) end++;
    }
    if (end - first > this.#widest) return;
    if (this.#isSharp(grey, at, first, -1) && this.#isSharp(grey, at, end - 1, 1)) out.fill(1, first, end);
  }

  #isSharp(grey: Uint8Array, at: number, edge: number, direction: number): boolean {
    const level = grey[at];
    for (let step = 1; step <= this.#edgeReach; step++) {
      const beyond = grey[edge + step * direction];
      if (level - beyond >= EDGE_LEVELS || beyond - level >= EDGE_LEVELS) return true;
    }
    return false;
  }
}
