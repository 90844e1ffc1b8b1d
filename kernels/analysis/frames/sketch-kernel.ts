/**
 * Features of a small RGB picture for shot detection, and differences of two pictures. Memory layout: `src/analysis/frames/sketch-kernel.ts`.
 *
 * Pictures of means are f32, sums are f64 in the order of the pixels.
 */

const RGB: usize = 3;
const FLOAT_BYTES: usize = 4;
const DOUBLE_BYTES: usize = 8;
const CELL_BYTES: usize = 12;
const PLACE_BYTES: usize = 2;

/**
 * Writes the mean of each cell, and two sums over all values (f64): of the values and of their squares. `places`: index
 * of each pixel's cell value (u16). `shares`: one over the number of pixels of each cell (f32).
 */
export function summarise(
  pixels: usize,
  count: usize,
  places: usize,
  shares: usize,
  cells: usize,
  coarse: usize,
  sums: usize,
): void {
  memory.fill(coarse, 0, CELL_BYTES * cells);
  let sum: f64 = 0;
  let squares: f64 = 0;
  const end = pixels + RGB * count;
  for (; pixels < end; pixels += RGB) {
    const cell = coarse + FLOAT_BYTES * <usize>load<u16>(places);
    const red: i32 = load<u8>(pixels);
    const green: i32 = load<u8>(pixels, 1);
    const blue: i32 = load<u8>(pixels, 2);
    addTo(cell, red);
    addTo(cell + FLOAT_BYTES, green);
    addTo(cell + 2 * FLOAT_BYTES, blue);
    sum += <f64>(red + green + blue);
    squares += <f64>(red * red + green * green + blue * blue);
    places += PLACE_BYTES;
  }
  store<f64>(sums, sum);
  store<f64>(sums, squares, DOUBLE_BYTES);
  for (let cell: usize = 0; cell < cells; cell++) {
    const share = load<f32>(shares + FLOAT_BYTES * cell);
    store<f32>(coarse, share * load<f32>(coarse));
    store<f32>(coarse, share * load<f32>(coarse, FLOAT_BYTES), FLOAT_BYTES);
    store<f32>(coarse, share * load<f32>(coarse, 2 * FLOAT_BYTES), 2 * FLOAT_BYTES);
    coarse += CELL_BYTES;
  }
}

function addTo(at: usize, level: i32): void {
  store<f32>(at, load<f32>(at) + <f32>level);
}

/** Writes the means of 2×2 pixels. An odd last row or column is dropped, but a picture's only one is used twice. */
export function halve(pixels: usize, width: usize, height: usize, out: usize): void {
  const right = width > 1 ? RGB : 0;
  const down = height > 1 ? RGB * width : 0;
  const rows = max<usize>(1, height >> 1);
  const values = RGB * max<usize>(1, width >> 1);
  for (let y: usize = 0; y < rows; y++) {
    let at = pixels;
    for (let value: usize = 0; value < values; value += RGB) {
      for (let channel: usize = 0; channel < RGB; channel++) {
        const upper = <i32>load<u8>(at) + <i32>load<u8>(at + right);
        const lower = <i32>load<u8>(at + down) + <i32>load<u8>(at + right + down);
        store<f32>(out, <f32>(upper + lower) / 4);
        out += FLOAT_BYTES;
        at++;
      }
      at += RGB;
    }
    pixels += 2 * RGB * width;
  }
}

/** Mean absolute difference of `count` means. */
export function difference(a: usize, b: usize, count: usize): f64 {
  let sum: f64 = 0;
  for (let at: usize = 0; at < FLOAT_BYTES * count; at += FLOAT_BYTES)
    sum += abs(meanAt(a + at) - meanAt(b + at));
  return sum / <f64>count;
}

/**
 * The same after compensating the best gain, between 1 / `maxGain` and `maxGain`, and the best offset from a to b. Gain and offset are fitted
 * to the pairs between `black` and `white`; with fewer than `enough` of them, the plain difference.
 */
export function structuralDifference(
  a: usize,
  b: usize,
  count: usize,
  black: f64,
  white: f64,
  enough: f64,
  maxGain: f64,
): f64 {
  let n: f64 = 0;
  let sa: f64 = 0;
  let sb: f64 = 0;
  let saa: f64 = 0;
  let sab: f64 = 0;
  const end = FLOAT_BYTES * count;
  for (let at: usize = 0; at < end; at += FLOAT_BYTES) {
    const u = meanAt(a + at);
    const v = meanAt(b + at);
    if (min(u, v) < black || max(u, v) > white) continue;
    n += 1;
    sa += u;
    sb += v;
    saa += u * u;
    sab += u * v;
  }
  if (n < enough) return difference(a, b, count);
  const variance = saa - (sa * sa) / n;
  const slope = variance > n ? (sab - (sa * sb) / n) / variance : 1;
  const gain = min(maxGain, max(1 / maxGain, slope));
  const offset = (sb - gain * sa) / n;
  let sum: f64 = 0;
  for (let at: usize = 0; at < end; at += FLOAT_BYTES)
    sum += abs(max<f64>(0, min<f64>(255, gain * meanAt(a + at) + offset)) - meanAt(b + at));
  return sum / <f64>count;
}

function meanAt(address: usize): f64 {
  return <f64>load<f32>(address);
}
