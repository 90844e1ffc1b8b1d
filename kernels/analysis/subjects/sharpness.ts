/** Sharpness of the parts of a grey picture. Memory layout: `src/analysis/subjects/sharpness.ts`. */

const VECTOR_BYTES: usize = 16;
/** Samples processed at a time, and the bytes of their sums. */
const SAMPLES: usize = 8;
const SUM_BYTES: usize = 4;
/** Bytes of a part's result. */
const PART_BYTES: usize = 8;

/**
 * Writes to `out` the root of the energy of the Laplacian in each of `parts` × `parts` parts of a picture, row by row
 * (f64). The range is `left` to `right` and `top` to `bottom`, ends exclusive; all its pixels have four neighbours.
 * `sums` needs a number (i32) for each column.
 */
export function measure(
  grey: usize,
  width: usize,
  height: usize,
  left: usize,
  top: usize,
  right: usize,
  bottom: usize,
  parts: usize,
  sums: usize,
  out: usize,
): void {
  memory.fill(out, 0, PART_BYTES * parts * parts);
  memory.fill(sums, 0, SUM_BYTES * width);
  for (let y = top; y < bottom; y++) {
    addSquares(grey + y * width, width, left, right, sums);
    const row = partNumber(y, height, parts);
    // A square is at most 1020², so that the sums of a part's columns fit in 32 bits up to 2,064 rows.
    if (y + 1 < bottom && partNumber(y + 1, height, parts) === row) continue;
    for (let x = left; x < right; x++) {
      const part = out + PART_BYTES * (parts * row + partNumber(x, width, parts));
      store<f64>(part, load<f64>(part) + (load<i32>(sums + SUM_BYTES * x) as f64));
    }
    memory.fill(sums, 0, SUM_BYTES * width);
  }
  const end = out + PART_BYTES * parts * parts;
  for (let part = out; part < end; part += PART_BYTES) store<f64>(part, sqrt(load<f64>(part)));
}

/**
 * Adds the squares of the Laplacian of a row's pixels from `left` to `right` to the sums of their columns
 * (i32). The Laplacian is 4 × a pixel less its four neighbours. A vector may extend beyond. `grey` is the
 * row's first pixel; the rows above and below it exist.
 */
function addSquares(grey: usize, width: usize, left: usize, right: usize, sums: usize): void {
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

/** Number of the part that contains the middle of a pixel. */
function partNumber(pixel: usize, pixels: usize, parts: usize): usize {
  return floor(((parts as f64) * ((pixel as f64) + 0.5)) / (pixels as f64)) as usize;
}
