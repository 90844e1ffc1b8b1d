/** How sharp the parts of a grey picture are. `src/analysis/subjects/sharpness.ts` lays out the memory. */

const VECTOR_BYTES: usize = 16;
/** Samples that are worked on at a time, and the bytes of their sums. */
const SAMPLES: usize = 8;
const SUM_BYTES: usize = 4;

/**
 * Adds the squares of the Laplacian (4 × a pixel less its four neighbours) at each pixel of a row to the sums of its columns (i32), from `left`
 * to `right`; a vector may go beyond. `grey` is the row's first pixel; the rows above and below it are there.
 */
export function addSquares(grey: usize, width: usize, left: usize, right: usize, sums: usize): void {
  for (let x = left; x < right; x += SAMPLES) {
    const at = grey + x;
    const middle = i16x8.shl(v128.load8x8_u(at), 2);
    const across = i16x8.add(v128.load8x8_u(at - 1), v128.load8x8_u(at + 1));
    const down = i16x8.add(v128.load8x8_u(at - width), v128.load8x8_u(at + width));
    const bend = i16x8.sub(middle, i16x8.add(across, down));
    const sum = sums + SUM_BYTES * x;
    v128.store(sum, i32x4.add(v128.load(sum), i32x4.extmul_low_i16x8_s(bend, bend)));
    const next = sum + VECTOR_BYTES;
    v128.store(next, i32x4.add(v128.load(next), i32x4.extmul_high_i16x8_s(bend, bend)));
  }
}
