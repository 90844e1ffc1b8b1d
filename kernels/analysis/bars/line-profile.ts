/**
 * How far the lines of a grey picture are off a tone. `src/analysis/bars/line-profile.ts` lays out the memory.
 *
 * Pictures are of bytes without padding. Of each line two sums are written (i32): twice the distances of its pixels from the tone, and how
 * many of them are farther from it than the noise. `tone` and `noise` are twice the levels, so that half a level is whole. Whole vectors are
 * read and written: up to 15 bytes beyond the end of a picture, and up to 28 beyond the sums.
 */
import { sumOfIntegers } from '../../lanes';

const SUM_BYTES: usize = 4;
const VECTOR_BYTES: usize = 16;
/** Columns that are summed at a time. */
const COLUMNS: usize = 8;
/** Every fourth pixel of a row, or of a column, is taken: the first of each four bytes. */
const STEP: usize = 4;
const FIRST_BYTES: i32 = 0xff;

/** Sums of so many rows, over their pixels from `from` to `to`. */
export function profileRows(
  picture: usize,
  width: usize,
  rows: usize,
  from: usize,
  to: usize,
  tone: i32,
  noise: i32,
  distances: usize,
  counts: usize,
): void {
  const tones = i32x4.splat(tone);
  const noises = i32x4.splat(noise);
  const firstBytes = i32x4.splat(FIRST_BYTES);
  for (let row: usize = 0; row < rows; row++) {
    const end = picture + to;
    let at = picture + from;
    let distance = i32x4.splat(0);
    let count = i32x4.splat(0);
    for (; at + VECTOR_BYTES - STEP < end; at += VECTOR_BYTES) {
      const levels = i32x4.shl(v128.and(v128.load(at), firstBytes), 1);
      const off = i32x4.abs(i32x4.sub(levels, tones));
      distance = i32x4.add(distance, off);
      // What is true is −1.
      count = i32x4.sub(count, i32x4.gt_s(off, noises));
    }
    let distanceLeft: i32 = 0;
    let countLeft: i32 = 0;
    for (; at < end; at += STEP) {
      const off = abs(2 * <i32>load<u8>(at) - tone);
      distanceLeft += off;
      if (off > noise) countLeft++;
    }
    store<i32>(distances + SUM_BYTES * row, sumOfIntegers(distance) + distanceLeft);
    store<i32>(counts + SUM_BYTES * row, sumOfIntegers(count) + countLeft);
    picture += width;
  }
}

/** Sums of all columns, over their pixels from row `from` to row `to`. */
export function profileColumns(
  picture: usize,
  width: usize,
  from: usize,
  to: usize,
  tone: i32,
  noise: i32,
  distances: usize,
  counts: usize,
): void {
  const tones = i16x8.splat(<i16>tone);
  const noises = i16x8.splat(<i16>noise);
  const end = picture + width * to;
  for (let column: usize = 0; column < width; column += COLUMNS) {
    let low = i32x4.splat(0);
    let high = i32x4.splat(0);
    let count = i16x8.splat(0);
    for (let at = picture + width * from; at < end; at += STEP * width) {
      const levels = i16x8.shl(v128.load8x8_u(at + column), 1);
      const off = i16x8.abs(i16x8.sub(levels, tones));
      low = i32x4.add(low, i32x4.extend_low_i16x8_u(off));
      high = i32x4.add(high, i32x4.extend_high_i16x8_u(off));
      count = i16x8.sub(count, i16x8.gt_s(off, noises));
    }
    const sums = SUM_BYTES * column;
    v128.store(distances + sums, low);
    v128.store(distances + sums, high, VECTOR_BYTES);
    v128.store(counts + sums, i32x4.extend_low_i16x8_u(count));
    v128.store(counts + sums, i32x4.extend_high_i16x8_u(count), VECTOR_BYTES);
  }
}
