import type { Picture } from '../../footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { PixelBox } from '../bars/picture-area.ts';
import { PROFILE_PARTS } from './shot-samples.ts';

/** Sizes and columns, and addresses: `kernels/analysis/subjects/sharpness.ts` says what lies there. */
interface SharpnessExports extends KernelExports {
  addSquares(grey: number, width: number, left: number, right: number, sums: number): void;
}

const SUM_BYTES = Int32Array.BYTES_PER_ELEMENT;
let kernel: SharpnessExports | null = null;

/**
 * Root of the energy of the Laplacian in each part of a grey picture, `PROFILE_PARTS` rows of as many: a single hard edge counts less than
 * texture. Nothing outside `box`.
 */
export function partSharpness({ data, width, height }: Picture, box: PixelBox): Float64Array {
  kernel ??= instantiateKernel<SharpnessExports>(new URL('sharpness.wasm', import.meta.url));
  const layout = new KernelLayout();
  const [grey, columns] = [layout.take(data.length), layout.take(SUM_BYTES * width)];
  reserveBytes(kernel.memory, layout.bytes);
  new Uint8Array(kernel.memory.buffer).set(data, grey);
  const sums = new Int32Array(kernel.memory.buffer, columns, width).fill(0);
  const energy = new Float64Array(PROFILE_PARTS * PROFILE_PARTS);
  const [left, right] = [box.left + 1, box.left + box.width - 1];
  const bottom = box.top + box.height - 1;
  for (let y = box.top + 1; y < bottom; y++) {
    kernel.addSquares(grey + y * width, width, left, right, columns);
    const row = partNumber(y, height);
    // A square is at most 1020², so that the sums of a part's columns fit in 32 bits up to 2,064 rows.
    if (y + 1 < bottom && partNumber(y + 1, height) === row) continue;
    for (let x = left; x < right; x++) energy[PROFILE_PARTS * row + partNumber(x, width)]! += sums[x]!;
    sums.fill(0);
  }
  return energy.map(Math.sqrt);
}

/** In which part the middle of a pixel lies. */
function partNumber(pixel: number, pixels: number): number {
  return Math.floor((PROFILE_PARTS * (pixel + 0.5)) / pixels);
}
