import type { Picture } from '../../footage.ts';
import type { PixelBox } from '../bars/picture-area.ts';
import { PROFILE_PARTS } from './shot-samples.ts';

/**
 * Root of the energy of the Laplacian in each part of a grey picture, `PROFILE_PARTS` rows of as many: a single hard edge counts less than
 * texture. Nothing outside `box`.
 */
export function partSharpness({ data, width, height }: Picture, box: PixelBox): Float64Array {
  const energy = new Float64Array(PROFILE_PARTS * PROFILE_PARTS);
  const [right, bottom] = [box.left + box.width - 1, box.top + box.height - 1];
  const columns = Int32Array.from({ length: width }, (_, x) => partOf(x, width));
  for (let y = box.top + 1; y < bottom; y++) {
    const row = PROFILE_PARTS * partOf(y, height);
    const start = y * width;
    for (let x = box.left + 1; x < right; ) {
      // The pixels of one part add up to a whole number.
      const column = columns[x]!;
      let sum = 0;
      for (; x < right && columns[x] === column; x++) {
        const at = start + x;
        const bend = 4 * data[at]! - data[at - 1]! - data[at + 1]! - data[at - width]! - data[at + width]!;
        sum += bend * bend;
      }
      energy[row + column]! += sum;
    }
  }
  return energy.map(Math.sqrt);
}

/** Which part the middle of a pixel lies in. */
function partOf(pixel: number, pixels: number): number {
  return Math.floor((PROFILE_PARTS * (pixel + 0.5)) / pixels);
}
