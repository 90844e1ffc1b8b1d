/** The correlation by which jumps in scale are found. */
import { SAMPLE_BYTES, sampleAt } from './samples';

/** A `Place`: byte offset from the row's first sample (u32), and the share of the next sample (f64). */
const PLACE_BYTES: usize = 16;
const PLACE_SHARE: usize = 8;

/**
 * Correlation coefficient of a picture and the part of another one that it would show, on every `step`th row and
 * column. NaN if there is no overlap, 0 for plain pictures. The part is `shrink` times as wide and high; its middle,
 * after scaling, is `shiftX` and `shiftY` samples from the other's. `places` needs a `Place` for each column.
 */
export function correlate(
  wide: usize,
  tight: usize,
  width: i32,
  height: i32,
  shrink: f64,
  shiftX: f64,
  shiftY: f64,
  step: i32,
  places: usize,
): f64 {
  const stride = SAMPLE_BYTES * <usize>width;
  // The columns whose place is in the picture are adjacent.
  let first: i32 = -1;
  let placesEnd = places;
  for (let x = 0; x < width; x += step) {
    const from = placeOf(x, width, shrink, shiftX);
    const before = Math.floor(from);
    if (before < 0 || before + 1 >= <f64>width) continue;
    if (first < 0) first = x;
    store<u32>(placesEnd, <u32>(SAMPLE_BYTES * <usize>before));
    store<f64>(placesEnd, from - before, PLACE_SHARE);
    placesEnd += PLACE_BYTES;
  }
  let n: f64 = 0;
  let a: f64 = 0;
  let b: f64 = 0;
  let aa: f64 = 0;
  let ab: f64 = 0;
  let bb: f64 = 0;
  for (let y = 0; y < height; y += step) {
    const from = placeOf(y, height, shrink, shiftY);
    const before = Math.floor(from);
    if (before < 0 || before + 1 >= <f64>height) continue;
    const share = from - before;
    const row = wide + stride * <usize>before;
    let at = tight + stride * <usize>y + SAMPLE_BYTES * <usize>first;
    for (let place = places; place < placesEnd; place += PLACE_BYTES) {
      const here = row + <usize>load<u32>(place);
      const right = load<f64>(place, PLACE_SHARE);
      const upper = between(here, right);
      const p = upper + share * (between(here + stride, right) - upper);
      const q = <f64>sampleAt(at);
      at += SAMPLE_BYTES * <usize>step;
      n += 1;
      a += p;
      b += q;
      aa += p * p;
      ab += p * q;
      bb += q * q;
    }
  }
  const spread = Math.sqrt(Math.max(0, aa - (a * a) / n) * Math.max(0, bb - (b * b) / n));
  // Pictures that vary by less than a unit, a quarter of a grey level, are flat: their correlation is that of rounding
  // errors.
  return spread <= n ? 0 : (ab - (a * b) / n) / spread;
}

/** Position in the other picture of a column or row. */
function placeOf(line: i32, lines: i32, shrink: f64, shift: f64): f64 {
  const middle = <f64>lines / 2;
  return (<f64>line + 0.5 - middle + shift) * shrink + middle - 0.5;
}

/** Interpolates between a sample and its right neighbour. */
function between(at: usize, share: f64): f64 {
  const sample = sampleAt(at);
  return <f64>sample + share * <f64>(sampleAt(at + SAMPLE_BYTES) - sample);
}
