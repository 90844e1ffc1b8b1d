import { type Picture, RGB, type Size } from '../../domain/footage.ts';
import { luma709 } from '../../signal/color-space.ts';
import { pixelsWithin } from '../bars/picture-area.ts';
import type { Box } from '../facts.ts';
import { SKETCH } from '../frames/sketch.ts';

/** Unit of shares of a picture. */
export const TWENTIETHS = 20;

/** A part of the grid, in pixels; right and bottom are exclusive. */
export interface Window {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Every second pixel of a small RGB picture in a quincunx: row y starts at x = y mod 2. Samples hold three bytes a
 * sampled pixel, row by row.
 */
export class ColorGrid {
  readonly width: number;
  readonly height: number;
  /** Sampled pixels before each row, and in all. */
  readonly #rowStarts: Int32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#rowStarts = new Int32Array(height + 1);
    for (let y = 0; y < height; y++) {
      this.#rowStarts[y + 1] = this.#rowStarts[y] + ((width + 1 - (y & 1)) >> 1);
    }
  }

  get whole(): Window {
    return { left: 0, top: 0, right: this.width, bottom: this.height };
  }

  sample(picture: Picture): Uint8Array {
    const { width, height, data } = picture;
    const sampled = new Uint8Array(this.#rowStarts[height] * 3);
    let at = 0;
    for (let y = 0; y < height; y++) {
      const end = (y + 1) * width * 3;
      for (let from = (y * width + (y & 1)) * 3; from < end; from += 2 * RGB, at += RGB) {
        sampled[at] = data[from];
        sampled[at + 1] = data[from + 1];
        sampled[at + 2] = data[from + 2];
      }
    }
    return sampled;
  }

  /** A sample as a picture of half the width and height: of each four pixels the mean of the two that are sampled. */
  halved(pixels: Uint8Array): Uint8Array {
    const { width, height } = this.halvedSize;
    const out = new Uint8Array(3 * width * height);
    for (let y = 0; y < height; y++) {
      const upper = 3 * this.#rowStarts[2 * y];
      // The last row may have none below, and the last column none beside.
      const [lower, lowerEnd] = [2 * y + 1, 2 * y + 2].map(
        (row) => 3 * this.#rowStarts[Math.min(row, this.height)],
      );
      for (let k = 0; k < 3 * width; k++) {
        const one = pixels[upper + k];
        const other = lower + k < lowerEnd ? pixels[lower + k] : one;
        out[3 * width * y + k] = (one + other + 1) >> 1;
      }
    }
    return out;
  }

  get halvedSize(): Size {
    return { width: (this.width + 1) >> 1, height: (this.height + 1) >> 1 };
  }

  /** Marks the sampled pixels of a window with 1, except those whose middle lies in one of the boxes. */
  marks(window: Window, boxes: readonly Box[]): Uint8Array {
    const marked = new Uint8Array(this.#rowStarts[this.height]);
    this.#fill(marked, window, 1);
    const limit = (share: number, size: number) => Math.max(0, Math.min(size, Math.ceil(share * size - 0.5)));
    for (const box of boxes) {
      const covered = {
        left: limit(box.x, this.width),
        top: limit(box.y, this.height),
        right: limit(box.x + box.width, this.width),
        bottom: limit(box.y + box.height, this.height),
      };
      this.#fill(marked, covered, 0);
    }
    return marked;
  }

  #fill(marked: Uint8Array, { left, top, right, bottom }: Window, value: 0 | 1): void {
    for (let y = top; y < bottom; y++) {
      const odd = y & 1;
      const start = this.#rowStarts[y];
      marked.fill(value, start + ((left + 1 - odd) >> 1), start + ((right + 1 - odd) >> 1));
    }
  }

  /** A window as shares of the picture. */
  shareOf({ left, top, right, bottom }: Window): Box {
    const { width, height } = this;
    return {
      x: left / width,
      y: top / height,
      width: (right - left) / width,
      height: (bottom - top) / height,
    };
  }

  /** The pixels wholly inside the box. */
  windowOf(box: Box): Window {
    const inside = pixelsWithin(box, this);
    if (inside === null) return this.whole;
    const { left, top, width, height } = inside;
    return { left, top, right: left + width, bottom: top + height };
  }
}

/** Whether all but the brightest twentieth is black. */
export function isBlack(pixels: Uint8Array): boolean {
  let bright = 0;
  for (let at = 0; at < pixels.length; at += 3) {
    const luma = luma709(pixels[at], pixels[at + 1], pixels[at + 2]);
    if (luma > SKETCH.PLAIN_LEVEL) bright++;
  }
  return bright * TWENTIETHS < pixels.length / 3;
}
