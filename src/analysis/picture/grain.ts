import type { Picture } from '../../domain/footage.ts';
import type { PixelBox } from '../bars/picture-area.ts';

/** Every so many rows of blocks: a picture has thousands of blocks in a row of tiles. */
const ROW_STEP = 6;
const MAX_DIAGONAL = 2 * 255;
/** Median magnitude of a normal distribution with a standard deviation of 1. */
const NORMAL_MEDIAN = 0.6745;

/**
 * Standard deviation of white noise in grey levels, from the median diagonal detail of blocks of 2 × 2 pixels (Donoho and Johnstone 1994):
 * edges are few, and textures have little diagonal detail. Enlarged pictures have none: 0.
 */
export function grainOf({ data, width }: Picture, box: PixelBox): number {
  const counts = new Uint32Array(MAX_DIAGONAL + 1);
  let total = 0;
  for (let y = box.top; y + 1 < box.top + box.height; y += ROW_STEP) {
    for (let x = box.left; x + 1 < box.left + box.width; x += 2) {
      const at = y * width + x;
      counts[Math.abs(data[at] - data[at + 1] - data[at + width] + data[at + width + 1])] += 1;
      total += 1;
    }
  }
  return interpolatedMedian(counts, total) / 2 / NORMAL_MEDIAN;
}

/** Integers are the middles of their ranges; 0 is half as wide, because values are magnitudes. */
function interpolatedMedian(counts: Uint32Array, total: number): number {
  let below = 0;
  for (let value = 0; value < counts.length; value++) {
    if (below + counts[value] >= total / 2) {
      const within = counts[value] === 0 ? 0 : (total / 2 - below) / counts[value];
      return value === 0 ? 0 : value - 0.5 + within;
    }
    below += counts[value];
  }
  return 0;
}
