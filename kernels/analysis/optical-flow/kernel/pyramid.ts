/** A picture and its coarse levels: smoothing, gradients, halving, high-pass filter. */
import { SAMPLE_BYTES, SUM_BYTES, sampleAt, VECTOR_BYTES, VECTOR_SAMPLES } from './samples';

/**
 * Smooths a grey picture of bytes by 1-2-1 both ways, which gives sixteenths of a level; edges are repeated. `line`
 * needs a row of 16-bit samples and one more beyond each end.
 */
export function smooth(grey: usize, width: usize, height: usize, line: usize, out: usize): void {
  for (let y: usize = 0; y < height; y++) {
    const above = y > 0 ? grey - width : grey;
    const below = y + 1 < height ? grey + width : grey;
    smoothDown(above, grey, below, width, line);
    const last = line + SAMPLE_BYTES * width;
    store<u16>(line, load<u16>(line, SAMPLE_BYTES));
    store<u16>(last, load<u16>(last), SAMPLE_BYTES);
    smoothAcross(line, width, out);
    grey += width;
    out += SAMPLE_BYTES * width;
  }
}

/** Writes a row of above + 2 × here + below, from the line's second sample on. */
function smoothDown(above: usize, here: usize, below: usize, width: usize, line: usize): void {
  let x: usize = 0;
  do {
    const middle = v128.load8x8_u(here + x);
    const sides = i16x8.add(v128.load8x8_u(above + x), v128.load8x8_u(below + x));
    v128.store(line + SAMPLE_BYTES * x, i16x8.add(sides, i16x8.add(middle, middle)), SAMPLE_BYTES);
    x += VECTOR_SAMPLES;
  } while (x < width);
}

/** Writes a row of left + 2 × here + right; the line begins with the sample to the left of the row. */
function smoothAcross(line: usize, width: usize, out: usize): void {
  const end = line + SAMPLE_BYTES * width;
  do {
    const middle = v128.load(line, SAMPLE_BYTES);
    const sides = i16x8.add(v128.load(line), v128.load(line, 2 * SAMPLE_BYTES));
    v128.store(out, i16x8.add(sides, i16x8.add(middle, middle)));
    line += VECTOR_BYTES;
    out += VECTOR_BYTES;
  } while (line < end);
}

/**
 * Twice the gradients of a picture, as pictures of its size: the difference of the samples on both sides. At an edge it
 * is the difference of the sample and its only neighbour.
 */
export function gradients(picture: usize, width: usize, height: usize, gx: usize, gy: usize): void {
  const stride = SAMPLE_BYTES * width;
  const last = stride - SAMPLE_BYTES;
  for (let y: usize = 0; y < height; y++) {
    const above = y > 0 ? picture - stride : picture;
    const below = y + 1 < height ? picture + stride : picture;
    let at: usize = 0;
    do {
      const right = v128.load(picture + at, SAMPLE_BYTES);
      const left = v128.load(picture + at - SAMPLE_BYTES);
      v128.store(gx + at, i16x8.sub(right, left));
      v128.store(gy + at, i16x8.sub(v128.load(below + at), v128.load(above + at)));
      at += VECTOR_BYTES;
    } while (at < stride);
    // The first and the last sample of the row were computed with neighbours outside the row.
    store<i16>(gx, sampleAt(picture + SAMPLE_BYTES) - sampleAt(picture));
    store<i16>(gx + last, sampleAt(picture + last) - sampleAt(picture + last - SAMPLE_BYTES));
    picture += stride;
    gx += stride;
    gy += stride;
  }
}

/**
 * Sums of 2×2 samples divided by 2 to the `shift`, as a picture of half the width and height. `width` and `height` are
 * those of the half.
 */
export function halve(
  picture: usize,
  stride: usize,
  width: usize,
  height: usize,
  shift: i32,
  out: usize,
): void {
  for (let y: usize = 0; y < height; y++) {
    let at: usize = 0;
    do {
      const from = picture + 2 * at;
      const left = i16x8.add(v128.load(from), v128.load(from + stride));
      const right = i16x8.add(v128.load(from, VECTOR_BYTES), v128.load(from + stride, VECTOR_BYTES));
      const low = i32x4.shr_s(i32x4.extadd_pairwise_i16x8_s(left), shift);
      const high = i32x4.shr_s(i32x4.extadd_pairwise_i16x8_s(right), shift);
      v128.store(out + at, i16x8.narrow_i32x4_s(low, high));
      at += VECTOR_BYTES;
    } while (at < SAMPLE_BYTES * width);
    picture += 2 * stride;
    out += SAMPLE_BYTES * width;
  }
}

/**
 * Subtracts from each sample the rounded mean of the samples up to `radius` away from it each way inside the
 * picture. Running sums go over columns, then over rows. `columns` needs a row of i32. Samples are 0 or more;
 * `out` is another picture.
 */
export function highPass(
  picture: usize,
  width: i32,
  height: i32,
  radius: i32,
  columns: usize,
  out: usize,
): void {
  const stride = SAMPLE_BYTES * <usize>width;
  memory.fill(columns, 0, SUM_BYTES * <usize>width);
  let rows = min(radius, height);
  for (let y = 0; y < rows; y++) addToColumns(columns, picture + <usize>y * stride, stride, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) {
      addToColumns(columns, picture + <usize>(y + radius) * stride, stride, 1);
      rows++;
    }
    if (y - radius > 0) {
      addToColumns(columns, picture + <usize>(y - radius - 1) * stride, stride, -1);
      rows--;
    }
    const row = <usize>y * stride;
    passRow(picture + row, width, radius, columns, rows, out + row);
  }
}

/** Filters one row, from the sums of its columns over `rows` rows. */
function passRow(picture: usize, width: i32, radius: i32, columns: usize, rows: i32, out: usize): void {
  let count = min(radius, width);
  let sum: i32 = 0;
  for (let x = 0; x < count; x++) sum += load<i32>(columns + SUM_BYTES * <usize>x);
  for (let x = 0; x < width; x++) {
    if (x + radius < width) {
      sum += load<i32>(columns + SUM_BYTES * <usize>(x + radius));
      count++;
    }
    if (x - radius > 0) {
      sum -= load<i32>(columns + SUM_BYTES * <usize>(x - radius - 1));
      count--;
    }
    const among = <u32>(count * rows);
    const mean = (2 * <u32>sum + among) / (2 * among);
    const at = SAMPLE_BYTES * <usize>x;
    store<i16>(out + at, <i16>(sampleAt(picture + at) - <i32>mean));
  }
}

/** Adds a row of samples, each times `sign` (1 or −1), to the sums of their columns. */
function addToColumns(columns: usize, row: usize, bytes: usize, sign: i16): void {
  const signs = i16x8.splat(sign);
  for (let at: usize = 0; at < bytes; at += VECTOR_BYTES) {
    const samples = v128.load(row + at);
    const sums = columns + 2 * at;
    v128.store(sums, i32x4.add(v128.load(sums), i32x4.extmul_low_i16x8_s(samples, signs)));
    v128.store(sums, i32x4.add(v128.load(sums, 16), i32x4.extmul_high_i16x8_s(samples, signs)), 16);
  }
}
