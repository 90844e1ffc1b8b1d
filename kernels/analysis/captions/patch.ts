/**
 * Follows ink in a box over samples, and measures it. Memory layout: `src/analysis/captions/patch.ts`. Samples are grey
 * pictures, one byte per pixel; `stride` is their width, and their address is that of the box's first pixel. Masks and
 * levels have one byte for each pixel of the box, `hits` u16 and `sums` f32. 1 is ink and 0 is none.
 */

const HIT_BYTES: usize = 2;
const SUM_BYTES: usize = 4;
const NUMBER_BYTES: usize = 8;
/** Bytes of a pixel of a color picture. */
const RGB: usize = 3;

/** Copies the box out of a sample. */
export function cut(look: usize, stride: usize, width: usize, height: usize, out: usize): void {
  for (let row: usize = 0; row < height; row++) {
    memory.copy(out, look, width);
    look += stride;
    out += width;
  }
}

/** Number of the box's pixels that are ink. */
export function countInk(ink: usize, stride: usize, width: usize, height: usize): i32 {
  let count = 0;
  for (let row: usize = 0; row < height; row++) {
    for (let x: usize = 0; x < width; x++) count += load<u8>(ink + x);
    ink += stride;
  }
  return count;
}

/** Marks the pixels that were ink in at least `least` samples. */
export function markSteady(hits: usize, count: usize, least: f64, mask: usize): void {
  for (let at: usize = 0; at < count; at++)
    store<u8>(mask + at, (load<u16>(hits + HIT_BYTES * at) as f64) >= least ? 1 : 0);
}

/**
 * Compares a sample with the one before. Writes four i32 to `out`. The first is the pixels of the mask, the
 * second those of them that are ink and have changed by at most `maxChange`. Then the sums of the changes of
 * level inside and outside the mask.
 */
export function compare(
  mask: usize,
  ink: usize,
  grey: usize,
  before: usize,
  stride: usize,
  width: usize,
  height: usize,
  maxChange: i32,
  out: usize,
): void {
  let inked = 0;
  let found = 0;
  let inkChange = 0;
  let groundChange = 0;
  for (let row: usize = 0; row < height; row++) {
    for (let x: usize = 0; x < width; x++) {
      const change = changeOf(grey + x, before + x);
      if (load<u8>(mask + x) === 0) {
        groundChange += change;
      } else {
        inked++;
        inkChange += change;
        if (load<u8>(ink + x) === 1 && change <= maxChange) found++;
      }
    }
    mask += width;
    ink += stride;
    grey += stride;
    before += stride;
  }
  store<i32>(out, inked);
  store<i32>(out, found, 4);
  store<i32>(out, inkChange, 8);
  store<i32>(out, groundChange, 12);
}

/** Adds a sample to the sums of levels, and to the hits of ink that is found again. */
export function keep(
  hits: usize,
  sums: usize,
  ink: usize,
  grey: usize,
  before: usize,
  stride: usize,
  width: usize,
  height: usize,
  maxChange: i32,
): void {
  for (let row: usize = 0; row < height; row++) {
    for (let x: usize = 0; x < width; x++) {
      store<f32>(sums, load<f32>(sums) + (load<u8>(grey + x) as f32));
      sums += SUM_BYTES;
      const hit = load<u16>(hits) as i32;
      if (hit !== 0 && load<u8>(ink + x) === 1 && changeOf(grey + x, before + x) <= maxChange)
        store<u16>(hits, hit + 1);
      hits += HIT_BYTES;
    }
    ink += stride;
    grey += stride;
    before += stride;
  }
}

/** Removes from a picture of ink all that was ink in any sample. */
export function erase(hits: usize, ink: usize, stride: usize, width: usize, height: usize): void {
  for (let row: usize = 0; row < height; row++) {
    for (let x: usize = 0; x < width; x++) {
      if (load<u16>(hits) !== 0) store<u8>(ink + x, 0);
      hits += HIT_BYTES;
    }
    ink += stride;
  }
}

/** The mean levels over the samples, rounded. */
export function meanLevels(sums: usize, count: usize, looks: f64, levels: usize): void {
  for (let at: usize = 0; at < count; at++)
    store<u8>(levels + at, ((load<f32>(sums + SUM_BYTES * at) as f64) / looks + 0.5) as u32);
}

/**
 * Adds cells of a color picture, and the share of each that the box's ink covers (cover), to seven sums
 * (f64) of `src/analysis/captions/color.ts`. In order: cells, cover, squared cover, R−G, its product with
 * cover, B−G, its product with cover. Ends are exclusive; the box is in pixels of a sample.
 */
export function addCells(
  mask: usize,
  left: i32,
  top: i32,
  right: i32,
  bottom: i32,
  color: usize,
  columns: i32,
  firstColumn: i32,
  endColumn: i32,
  firstRow: i32,
  endRow: i32,
  cellWidth: f64,
  cellHeight: f64,
  sums: usize,
): void {
  for (let row = firstRow; row < endRow; row++) {
    const cellTop = max(top, pixelAt(row, cellHeight));
    const cellBottom = min(bottom, pixelBehind(row, cellHeight));
    for (let column = firstColumn; column < endColumn; column++) {
      const cellLeft = pixelAt(column, cellWidth);
      const cellRight = min(right, pixelBehind(column, cellWidth));
      let covered = 0;
      for (let y = cellTop; y < cellBottom; y++) {
        const line = mask + (((y - top) * (right - left) - left) as usize);
        for (let x = cellLeft; x < cellRight; x++) covered += load<u8>(line + (x as usize));
      }
      const cover = (covered as f64) / (cellWidth * cellHeight);
      const pixel = color + RGB * ((row * columns + column) as usize);
      const red = load<u8>(pixel) as f64;
      const green = load<u8>(pixel, 1) as f64;
      const blue = load<u8>(pixel, 2) as f64;
      add(sums, 0, 1);
      add(sums, 1, cover);
      add(sums, 2, cover * cover);
      add(sums, 3, red - green);
      add(sums, 4, cover * (red - green));
      add(sums, 5, blue - green);
      add(sums, 6, cover * (blue - green));
    }
  }
}

/** First pixel of a cell, and the first after it. */
function pixelAt(cell: i32, length: f64): i32 {
  return floor((cell as f64) * length + 0.5) as i32;
}

function pixelBehind(cell: i32, length: f64): i32 {
  return ceil(((cell + 1) as f64) * length) as i32;
}

function add(sums: usize, at: usize, value: f64): void {
  const sum = sums + NUMBER_BYTES * at;
  store<f64>(sum, load<f64>(sum) + value);
}

function changeOf(grey: usize, before: usize): i32 {
  return abs((load<u8>(grey) as i32) - (load<u8>(before) as i32));
}
