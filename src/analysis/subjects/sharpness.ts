import type { Picture } from '../../domain/footage.ts';
import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { PixelBox } from '../bars/picture-area.ts';
import { PROFILE_PARTS } from './shot-samples.ts';

/** Sizes, rows and columns, and addresses; `kernels/analysis/subjects/sharpness.ts` describes the memory. */
interface SharpnessExports extends KernelExports {
  measure(
    grey: number,
    width: number,
    height: number,
    left: number,
    top: number,
    right: number,
    bottom: number,
    parts: number,
    sums: number,
    out: number,
  ): void;
}

const SUM_BYTES = Int32Array.BYTES_PER_ELEMENT;
const PARTS = PROFILE_PARTS * PROFILE_PARTS;
let kernel: SharpnessExports | null = null;

/**
 * Root of the energy of the Laplacian in each part of a grey picture, `PROFILE_PARTS` rows of as many. The
 * root makes a single hard edge count less than texture. 0 outside `box`.
 */
export function partSharpness({ data, width, height }: Picture, box: PixelBox): Float64Array {
  kernel ??= instantiateKernel<SharpnessExports>(new URL('sharpness.wasm', import.meta.url));
  const layout = new KernelLayout();
  const grey = layout.take(data.length);
  const sums = layout.take(SUM_BYTES * width);
  const energy = layout.take(Float64Array.BYTES_PER_ELEMENT * PARTS);
  reserveBytes(kernel.memory, layout.bytes);
  new Uint8Array(kernel.memory.buffer).set(data, grey);
  const { left, top } = box;
  // Pixels at the edge of the box lack a neighbour inside it.
  const [right, bottom] = [left + box.width - 1, top + box.height - 1];
  kernel.measure(grey, width, height, left + 1, top + 1, right, bottom, PROFILE_PARTS, sums, energy);
  return new Float64Array(kernel.memory.buffer, energy, PARTS).slice();
}
