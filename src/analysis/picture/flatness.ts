import type { Picture } from '../../domain/footage.ts';
import type { PixelBox } from '../bars/picture-area.ts';

/** Largest difference of neighbours on a drawn ground, levels: after encoding one is left. */
const FLAT_LEVELS = 1;
/** Least difference of neighbours at a hard edge, levels. Blur and grain have less. */
const HARD_LEVELS = 40;
/** Every second pixel of every second row gives the same shares within .01. */
const STEP = 2;

export interface Flatness {
  /** 0..1: share of the pixels that equal their neighbours to the right and below. */
  readonly flat: number;
  /** 0..1: share of the pixels at a hard edge. */
  readonly hard: number;
}

/** How much of a grey picture is flat, and how much is hard edges, inside `box`. */
export function flatnessOf({ width, data }: Picture, box: PixelBox): Flatness {
  const [right, bottom] = [box.left + box.width - 1, box.top + box.height - 1];
  let [flat, hard, all] = [0, 0, 0];
  for (let y = box.top; y < bottom; y += STEP) {
    for (let x = box.left; x < right; x += STEP) {
      const at = y * width + x;
      const change = Math.max(Math.abs(data[at + 1] - data[at]), Math.abs(data[at + width] - data[at]));
      all += 1;
      if (change <= FLAT_LEVELS) flat += 1;
      else if (change >= HARD_LEVELS) hard += 1;
    }
  }
  return all === 0 ? { flat: 0, hard: 0 } : { flat: flat / all, hard: hard / all };
}
