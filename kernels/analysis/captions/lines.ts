/**
 * Finds lines of ink in a box, and measures features of text. Memory layout: `src/analysis/captions/lines.ts`.
 *
 * Masks and levels have one byte for each pixel of the box, row by row; in masks 1 is ink and 0 is none. A histogram has a count (u32) for each
 * byte, and behind them their total.
 */

const COUNT_BYTES: usize = 4;
/** Address of the total, from that of the histogram. */
const TOTAL: usize = 1024;
const MAX_BYTE: usize = 255;
/** XOR with this value inverts a level. */
const UPSIDE_DOWN: i32 = 255;

/**
 * Finds bands of at least `minRows` rows that each have `minInk` pixels of ink and the share `tail` of the
 * fullest row's. A line continues over gaps of at most `gap` times its rows; of several parts the fullest is
 * used.
 *
 * Writes to `out` five numbers (i32) for each: first row, end row, first column, end column (ends exclusive),
 * number of strokes. `counts` needs a number (u32) for each row. Returns the number of lines.
 */
export function findLines(
  mask: usize,
  width: usize,
  height: usize,
  minInk: f64,
  tail: f64,
  minRows: usize,
  gap: usize,
  counts: usize,
  out: usize,
): i32 {
  let fullest: u32 = 0;
  for (let y: usize = 0; y < height; y++) {
    const row = mask + width * y;
    let count: u32 = 0;
    for (let x: usize = 0; x < width; x++) count += load<u8>(row + x);
    store<u32>(counts + COUNT_BYTES * y, count);
    fullest = max(fullest, count);
  }
  const least = max(minInk, tail * (fullest as f64));
  let lines = 0;
  let y: usize = 0;
  while (y < height) {
    const top = y;
    while (y < height && (load<u32>(counts + COUNT_BYTES * y) as f64) >= least) y++;
    if (y - top >= minRows) {
      describeLine(mask + width * top, width, y - top, gap * (y - top), out);
      store<u32>(out, top as u32);
      store<u32>(out, y as u32, 4);
      out += 5 * COUNT_BYTES;
      lines++;
    }
    y++;
  }
  return lines;
}

/** Finds the columns of a line and counts its strokes. */
function describeLine(mask: usize, width: usize, height: usize, maxGap: usize, out: usize): void {
  let bestLeft: usize = 0;
  let bestRight: usize = 0;
  let bestInk: u32 = 0;
  let left: usize = 0;
  let right: usize = 0;
  let ink: u32 = 0;
  for (let x: usize = 0; x < width; x++) {
    let inked: u32 = 0;
    for (let y: usize = 0; y < height; y++) inked += load<u8>(mask + width * y + x);
    if (inked === 0) continue;
    // `right`: column after the last one with ink.
    if (ink === 0 || x + 1 - right > maxGap) {
      left = x;
      ink = 0;
    }
    ink += inked;
    right = x + 1;
    // Of equally full parts, the first is used.
    if (ink > bestInk) {
      bestLeft = left;
      bestRight = right;
      bestInk = ink;
    }
  }
  store<u32>(out, bestLeft as u32, 8);
  store<u32>(out, bestRight as u32, 12);
  store<u32>(out, countStrokes(mask, width, height, bestLeft, bestRight), 16);
}

/** Number of runs of ink in all rows. */
function countStrokes(mask: usize, width: usize, height: usize, left: usize, right: usize): u32 {
  let strokes: u32 = 0;
  for (let y: usize = 0; y < height; y++) {
    let before: u32 = 0;
    for (let x = left; x < right; x++) {
      const ink = load<u8>(mask + x) as u32;
      strokes += ink & (before ^ 1);
      before = ink;
    }
    mask += width;
  }
  return strokes;
}

/**
 * Adds to three histograms: the levels of a line's ink, the levels beside its strokes, and the lengths of the strokes.
 * Beside a stroke the darkest of `reach` pixels is used, with `dark` the brightest, if that many are in the box.
 */
export function sampleLine(
  mask: usize,
  levels: usize,
  width: usize,
  top: usize,
  bottom: usize,
  left: usize,
  right: usize,
  reach: usize,
  dark: bool,
  ink: usize,
  beside: usize,
  runs: usize,
): void {
  const flip = dark ? UPSIDE_DOWN : 0;
  for (let y = top; y < bottom; y++) {
    const inked = mask + width * y;
    const grey = levels + width * y;
    for (let x = left; x < right; x++) {
      if (load<u8>(inked + x) === 0) continue;
      const start = x;
      for (; x < right && load<u8>(inked + x) === 1; x++) add(ink, load<u8>(grey + x));
      add(runs, min(MAX_BYTE, x - start));
      if (start >= reach) add(beside, extreme(grey + start - reach, reach, flip));
      if (x + reach <= width) add(beside, extreme(grey + x, reach, flip));
    }
  }
}

/** The darkest of `count` pixels, or the brightest if `flip` inverts them. */
function extreme(grey: usize, count: usize, flip: i32): usize {
  let value = UPSIDE_DOWN;
  for (let at: usize = 0; at < count; at++) value = min(value, (load<u8>(grey + at) as i32) ^ flip);
  return (value ^ flip) as usize;
}

/** Adds every `step`-th of `count` levels to a histogram. */
export function addLevels(levels: usize, count: usize, step: usize, histogram: usize): void {
  for (let at: usize = 0; at < count; at += step) add(histogram, load<u8>(levels + at));
}

/**
 * Adds the ink of each column in the range `left`, `right`, `top`, `bottom` (ends exclusive) to the column's count
 * (u16).
 */
export function addColumns(
  mask: usize,
  width: usize,
  top: usize,
  bottom: usize,
  left: usize,
  right: usize,
  counts: usize,
): void {
  for (let y = top; y < bottom; y++) {
    const row = mask + width * y;
    let count = counts;
    for (let x = left; x < right; x++) {
      store<u16>(count, load<u16>(count) + (load<u8>(row + x) as u16));
      count += 2;
    }
  }
}

function add(histogram: usize, value: usize): void {
  const count = histogram + COUNT_BYTES * value;
  store<u32>(count, load<u32>(count) + 1);
  store<u32>(histogram, load<u32>(histogram, TOTAL) + 1, TOTAL);
}
