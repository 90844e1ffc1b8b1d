/**
 * Pictures divided into lines across a movement, and differences of the lines of two pictures. Memory layout:
 * `src/analysis/transitions/slide-axis.ts`.
 *
 * Values of a line are 16-bit; lines are padded with zeros to whole vectors. Sums are i32, enough for the squares of 229 differences of
 * three pixels (3060 each).
 */
import { sumOfIntegers } from '../../lanes';

const VECTOR_BYTES: usize = 16;
const VALUE_BYTES: usize = 2;
const SUM_BYTES: i32 = 4;
const RGB: usize = 3;

/**
 * Writes the lines of an RGB picture of bytes, one after the other, each `lineBytes` long. A value is the sum of
 * `thinning` adjacent pixels of a line, which has `across` values, weighted 1-2-1 along the movement; edges are
 * repeated. `along`: bytes from line to line; `aside`: bytes between the pixels of a line.
 */
export function cut(
  pixels: usize,
  lines: i32,
  along: usize,
  across: i32,
  aside: usize,
  thinning: i32,
  lineBytes: usize,
  out: usize,
): void {
  for (let line = 0; line < lines; line++) {
    const before = line > 0 ? pixels - along : pixels;
    const after = line + 1 < lines ? pixels + along : pixels;
    let from: usize = 0;
    let to = out;
    for (let i = 0; i < across; i++) {
      for (let channel: usize = 0; channel < RGB; channel++) {
        let sum: i32 = 0;
        let at = from + channel;
        for (let k = 0; k < thinning; k++) {
          sum += byteAt(before + at) + 2 * byteAt(pixels + at) + byteAt(after + at);
          at += aside;
        }
        store<i16>(to, sum);
        to += VALUE_BYTES;
      }
      from += <usize>thinning * aside;
    }
    pixels += along;
    out += lineBytes;
  }
}

/**
 * Writes the squared differences of all pairs of lines of two pictures, as a table with a row for each line of the
 * first.
 */
export function compare(picture: usize, other: usize, lines: i32, lineBytes: usize, table: usize): void {
  const end = other + <usize>lines * lineBytes;
  for (let line = 0; line < lines; line++) {
    for (let against = other; against < end; against += lineBytes) {
      store<i32>(table, squaredDifference(picture, against, lineBytes));
      table += SUM_BYTES;
    }
    picture += lineBytes;
  }
}

/** Sum of the squares of the differences of two lines. */
export function squaredDifference(a: usize, b: usize, lineBytes: usize): i32 {
  let sums = i32x4.splat(0);
  let at: usize = 0;
  do {
    const differences = i16x8.sub(v128.load(a + at), v128.load(b + at));
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(differences, differences));
    at += VECTOR_BYTES;
  } while (at < lineBytes);
  return sumOfIntegers(sums);
}

/** Sum of the absolute differences of two lines. */
export function absoluteDifference(a: usize, b: usize, lineBytes: usize): i32 {
  let sums = i32x4.splat(0);
  let at: usize = 0;
  do {
    const differences = i16x8.abs(i16x8.sub(v128.load(a + at), v128.load(b + at)));
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(differences));
    at += VECTOR_BYTES;
  } while (at < lineBytes);
  return sumOfIntegers(sums);
}

/**
 * The number of visible lines of the new picture that gives the least squared difference, by the tables of
 * `compare` with the old and the new picture. The difference is written as f64. The new picture enters at the
 * first line or, with `fromEnd`, at the last. Each of the two moves (1) or is still (0).
 */
export function bestShift(
  old: usize,
  fresh: usize,
  lines: i32,
  fromEnd: bool,
  oldMoves: i32,
  freshMoves: i32,
  least: usize,
): i32 {
  // If both pictures move, the next pair is on a diagonal of the table.
  const way: i32 = fromEnd ? -SUM_BYTES : SUM_BYTES;
  const diagonal = way * (lines + 1);
  const first = fromEnd ? SUM_BYTES * (lines * lines - 1) : 0;
  let best: i32 = 0;
  let leastLeft = i64.MAX_VALUE;
  for (let shift = 0; shift <= lines; shift++) {
    let left: i64 = 0;
    let inFresh = fresh + first + way * freshMoves * (lines - shift);
    let inOld = old + first - way * oldMoves * shift;
    for (let line = 0; line < lines && left < leastLeft; line++) {
      left += load<i32>(line < shift ? inFresh : inOld);
      inFresh += diagonal;
      inOld += diagonal;
    }
    if (left < leastLeft) {
      leastLeft = left;
      best = shift;
    }
  }
  store<f64>(least, <f64>leastLeft);
  return best;
}

function byteAt(address: usize): i32 {
  return load<u8>(address);
}
