import type { Picture } from '../../domain/footage.ts';
import type { PixelBox } from '../bars/picture-area.ts';

/** Largest difference of neighbours on a drawn ground, levels: after encoding one is left. */
const FLAT_LEVELS = 1;
/** Every second pixel of every second row gives the same share within .01. */
const STEP = 2;

/**
 * 0..1: share of the pixels of a grey picture that equal their neighbours to the right and below. Pages, titles and drawings have .83 and more,
 * pictures of a camera with a wall or sky up to .80, dark ones more.
 */
export function flatShare({ width, data }: Picture, box: PixelBox): number {
  const [right, bottom] = [box.left + box.width - 1, box.top + box.height - 1];
  let [flat, all] = [0, 0];
  for (let y = box.top; y < bottom; y += STEP) {
    for (let x = box.left; x < right; x += STEP) {
      const at = y * width + x;
      const level = data[at];
      all += 1;
      if (Math.abs(data[at + 1] - level) <= FLAT_LEVELS && Math.abs(data[at + width] - level) <= FLAT_LEVELS)
        flat += 1;
    }
  }
  return all === 0 ? 0 : flat / all;
}
