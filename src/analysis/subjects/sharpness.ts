import type { Picture } from '../../footage.ts';
import type { PixelBox } from '../bars/picture-area.ts';
import { PROFILE_PARTS } from './shot-samples.ts';

/**
 * Root of the energy of the Laplacian in each part of a grey picture, `PROFILE_PARTS` rows of as many: a single hard edge counts less than
 * texture. Nothing outside `box`.
 */
export function partSharpness({ data, width, height }: Picture, box: PixelBox): Float64Array {
  const energy = new Float64Array(PROFILE_PARTS * PROFILE_PARTS);
  for (let y = box.top + 1; y < box.top + box.height - 1; y++) {
    const row = PROFILE_PARTS * Math.floor((PROFILE_PARTS * (y + 0.5)) / height);
    for (let x = box.left + 1; x < box.left + box.width - 1; x++) {
      const at = y * width + x;
      const around = data[at - 1]! + data[at + 1]! + data[at - width]! + data[at + width]!;
      energy[row + Math.floor((PROFILE_PARTS * (x + 0.5)) / width)]! += (4 * data[at]! - around) ** 2;
    }
  }
  return energy.map(Math.sqrt);
}
