/** Structure of a picture at three scales, and change of blocks over time. `src/analysis/picture/picture-kernel.ts` lays out the memory. */
import { sumOfIntegers } from '../../lanes';

const SAMPLES: usize = 8;
const SAMPLE_BYTES: usize = 2;
const VECTOR_BYTES: usize = 16;
const NUMBER_BYTES: usize = 8;
/** Side of a block of the grey picture, pixels. */
const BLOCK: usize = 8;

/**
 * Copies `width` × `height` bytes to samples (i16) and repeats the edge samples once on all sides; a row has `stride`
 * bytes.
 */
export function widen(grey: usize, width: usize, height: usize, stride: usize, out: usize): void {
  for (let y: usize = 0; y < height; y++) {
    const from = grey + y * width;
    const to = out + (y + 1) * stride + SAMPLE_BYTES;
    for (let x: usize = 0; x < width; x += SAMPLES)
      v128.store(to + SAMPLE_BYTES * x, v128.load8x8_u(from + x));
  }
  repeatEdge(out, width, height, stride);
}

/**
 * Sums of 2 × 2 samples, shifted right by `shift`, with repeated edges as above. `width` and `height` are those of the
 * result.
 */
export function halve(
  picture: usize,
  stride: usize,
  width: usize,
  height: usize,
  shift: i32,
  outStride: usize,
  out: usize,
): void {
  const ones = i16x8.splat(1);
  for (let y: usize = 0; y < height; y++) {
    const upper = picture + (2 * y + 1) * stride + SAMPLE_BYTES;
    const to = out + (y + 1) * outStride + SAMPLE_BYTES;
    for (let x: usize = 0; x < width; x += SAMPLES) {
      const at = upper + 2 * SAMPLE_BYTES * x;
      const first = i16x8.add(v128.load(at), v128.load(at + stride));
      const second = i16x8.add(v128.load(at + VECTOR_BYTES), v128.load(at + stride + VECTOR_BYTES));
      const sums = i16x8.narrow_i32x4_s(i32x4.dot_i16x8_s(first, ones), i32x4.dot_i16x8_s(second, ones));
      v128.store(to + SAMPLE_BYTES * x, i16x8.shr_s(sums, shift));
    }
  }
  repeatEdge(out, width, height, outStride);
}

function repeatEdge(picture: usize, width: usize, height: usize, stride: usize): void {
  for (let y: usize = 1; y <= height; y++) {
    const row = picture + y * stride;
    store<i16>(row, load<i16>(row + SAMPLE_BYTES));
    store<i16>(row + SAMPLE_BYTES * (width + 1), load<i16>(row + SAMPLE_BYTES * width));
  }
  memory.copy(picture, picture + stride, SAMPLE_BYTES * (width + 2));
  memory.copy(picture + (height + 1) * stride, picture + height * stride, SAMPLE_BYTES * (width + 2));
}

/**
 * Into `energies` (f64, one per tile, row by row): the energy of the Laplacian over tiles of `side` (a multiple of 8) samples. Into `counts`
 * (f64): how many of its samples exceed `limit` in magnitude. Values are bounded by the caller so that a tile's sums fit in 32 bits.
 */
export function tileEnergies(
  picture: usize,
  stride: usize,
  side: usize,
  columns: usize,
  rows: usize,
  limit: i32,
  energies: usize,
  counts: usize,
): void {
  const least = i16x8.splat(limit as i16);
  for (let row: usize = 0; row < rows; row++) {
    for (let column: usize = 0; column < columns; column++) {
      let sum = i32x4.splat(0);
      let count: i32 = 0;
      for (let y: usize = 0; y < side; y++) {
        const start = picture + (row * side + y + 1) * stride + SAMPLE_BYTES * (column * side + 1);
        for (let x: usize = 0; x < side; x += SAMPLES) {
          const at = start + SAMPLE_BYTES * x;
          const across = i16x8.add(v128.load(at - SAMPLE_BYTES), v128.load(at + SAMPLE_BYTES));
          const down = i16x8.add(v128.load(at - stride), v128.load(at + stride));
          const bend = i16x8.sub(i16x8.shl(v128.load(at), 2), i16x8.add(across, down));
          sum = i32x4.add(sum, i32x4.dot_i16x8_s(bend, bend));
          count += popcnt(i16x8.bitmask(i16x8.gt_s(i16x8.abs(bend), least)));
        }
      }
      const tile = NUMBER_BYTES * (row * columns + column);
      store<f64>(energies + tile, sumOfIntegers(sum) as f64);
      store<f64>(counts + tile, count as f64);
    }
  }
}

/**
 * Of each tile of `side` (a multiple of 8) samples: the greatest less the least sample into `ranges` (f64), and the steepest slope
 * between the neighbors on both sides of a sample, twice a slope per sample, into `slopes` (f64).
 */
export function tileSlopes(
  picture: usize,
  stride: usize,
  side: usize,
  columns: usize,
  rows: usize,
  ranges: usize,
  slopes: usize,
): void {
  for (let row: usize = 0; row < rows; row++) {
    for (let column: usize = 0; column < columns; column++) {
      let least = i16x8.splat(i16.MAX_VALUE);
      let most = i16x8.splat(i16.MIN_VALUE);
      let steepest = i16x8.splat(0);
      for (let y: usize = 0; y < side; y++) {
        const start = picture + (row * side + y + 1) * stride + SAMPLE_BYTES * (column * side + 1);
        for (let x: usize = 0; x < side; x += SAMPLES) {
          const at = start + SAMPLE_BYTES * x;
          const samples = v128.load(at);
          least = i16x8.min_s(least, samples);
          most = i16x8.max_s(most, samples);
          const across = i16x8.abs(i16x8.sub(v128.load(at + SAMPLE_BYTES), v128.load(at - SAMPLE_BYTES)));
          const down = i16x8.abs(i16x8.sub(v128.load(at + stride), v128.load(at - stride)));
          const longer = i16x8.max_s(across, down);
          const shorter = i16x8.min_s(across, down);
          // The length of (across, down) within 7 %.
          const length = i16x8.add(longer, i16x8.sub(i16x8.shr_s(shorter, 1), i16x8.shr_s(shorter, 3)));
          steepest = i16x8.max_s(steepest, length);
        }
      }
      const tile = NUMBER_BYTES * (row * columns + column);
      store<f64>(ranges + tile, (greatest(most) + greatest(i16x8.neg(least))) as f64);
      store<f64>(slopes + tile, greatest(steepest) as f64);
    }
  }
}

/** Of eight integers. */
function greatest(lanes: v128): i32 {
  const halves = i16x8.max_s(
    lanes,
    i8x16.shuffle(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7),
  );
  const pairs = i16x8.max_s(
    halves,
    i8x16.shuffle(halves, halves, 4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15),
  );
  const one = i16x8.extract_lane_s(pairs, 0) as i32;
  const other = i16x8.extract_lane_s(pairs, 1) as i32;
  return one > other ? one : other;
}

/** Adds the picture's bytes to `sums` (u16), and to `changes` (f64, one per block) the squared difference from the picture before. */
export function addFrame(
  grey: usize,
  before: usize,
  width: usize,
  height: usize,
  sums: usize,
  changes: usize,
): void {
  for (let at: usize = 0; at < width * height; at += SAMPLES) {
    const sum = sums + SAMPLE_BYTES * at;
    v128.store(sum, i16x8.add(v128.load(sum), v128.load8x8_u(grey + at)));
  }
  const columns = width / BLOCK;
  const rows = height / BLOCK;
  for (let row: usize = 0; row < rows; row++) {
    for (let column: usize = 0; column < columns; column++) {
      let sum = i32x4.splat(0);
      for (let y: usize = 0; y < BLOCK; y++) {
        const at = (row * BLOCK + y) * width + column * BLOCK;
        const difference = i16x8.sub(v128.load8x8_u(grey + at), v128.load8x8_u(before + at));
        sum = i32x4.add(sum, i32x4.dot_i16x8_s(difference, difference));
      }
      const change = changes + NUMBER_BYTES * (row * columns + column);
      store<f64>(change, load<f64>(change) + (sumOfIntegers(sum) as f64));
    }
  }
}
