import type { Picture } from '../../domain/footage.ts';
import { pixelsWithin } from '../bars/picture-area.ts';
import type { Box } from '../facts.ts';

/** Largest difference of neighbouring cells on a drawn ground, levels: after encoding one is left. */
const FLAT_LEVELS = 1;
/** Least difference of neighbouring cells at a hard edge, levels. Blur and grain have less. */
const HARD_LEVELS = 40;

export interface Flatness {
  /** 0..1: share of the cells that equal their neighbours to the right and below. */
  readonly flat: number;
  /** 0..1: share of the cells at a hard edge. */
  readonly hard: number;
}

/** The flatness of a grey picture of 14,400 cells inside `area`. In a finer grid small files are enlarged, and therefore flat. */
export function flatnessOf(picture: Picture, area: Box): Flatness {
  const { width, height, data } = picture;
  const box = pixelsWithin(area, picture) ?? { left: 0, top: 0, width, height };
  const [right, bottom] = [box.left + box.width - 1, box.top + box.height - 1];
  let [flat, hard, all] = [0, 0, 0];
  for (let y = box.top; y < bottom; y++) {
    for (let x = box.left; x < right; x++) {
      const at = y * width + x;
      const change = Math.max(Math.abs(data[at + 1] - data[at]), Math.abs(data[at + width] - data[at]));
      all += 1;
      if (change <= FLAT_LEVELS) flat += 1;
      else if (change >= HARD_LEVELS) hard += 1;
    }
  }
  return all === 0 ? { flat: 0, hard: 0 } : { flat: flat / all, hard: hard / all };
}
