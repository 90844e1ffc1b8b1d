/**
 * Sums over pixels in CIELAB, and a histogram. Definitions and memory layout: `src/analysis/color/color-sums.ts`. Numbers are f64 unless noted
 * otherwise.
 *
 * The histogram's cells are numbered in the order of their first use. `numbers` (i32): number of each cell, from 1, or 0; `used` (i32): cell of each
 * number; `cells`: weight and sums of L, a and b.
 */

const NUMBER_BYTES: usize = 8;
const INDEX_BYTES: usize = 4;
const RGB: usize = 3;
/** Numbers of a cell. */
const CELL: usize = 4;
const CELL_BYTES: usize = CELL * NUMBER_BYTES;

/** Side of a cell, CIELAB units. */
const STEP: f64 = 4;
/**
 * Cells range from 0 to 100 in lightness, and from −100 to 100 in a and b; values beyond are added to the outermost
 * cells.
 */
const REACH: f64 = 100;
const ROWS: i32 = 26;
const SIDE: i32 = 51;

/** Lightness up to which pixels are shadows, and mid-tones. */
const SHADOWS: f64 = 35;
const MIDTONES: f64 = 70;
/** The lightness and chroma of human skin of every tone. */
const SKIN_MIN_LIGHTNESS: f64 = 25;
const SKIN_MAX_LIGHTNESS: f64 = 92;
const SKIN_MIN_CHROMA: f64 = 10;
const SKIN_MAX_CHROMA: f64 = 48;
/** Levels at most this are clipped to black, levels at least the second to white. */
const BLACK: i32 = 1;
const WHITE: i32 = 254;

/** Indices of the sums. */
const SUM_A: usize = 0;
const SUM_B: usize = 1;
const SUM_AA: usize = 2;
const SUM_AB: usize = 3;
const SUM_BB: usize = 4;
const IN_SHADOWS: usize = 5;
const IN_MIDTONES: usize = 8;
const IN_HIGHLIGHTS: usize = 11;
const OF_SKIN: usize = 14;
const IS_BLACK: usize = 17;
const IS_WHITE: usize = 18;
const LIGHTNESS: usize = 19;

/**
 * Adds `count` pixels of RGB whose byte in `mask` is 1. `linear`: linear light of each byte. `roots`: the
 * CIELAB lightness curve at `rootSteps` even steps of 0…1 and two beyond. `matrix`: linear RGB to XYZ, with
 * white at 1. Skin's b is between `skinFrom` × a and `skinTo` × a. The histogram of lightness has `bins`
 * bins, `binsPerUnit` per unit. `used` cells were in use before; returns the number after.
 */
export function addPixels(
  pixels: usize,
  mask: usize,
  count: usize,
  linear: usize,
  roots: usize,
  rootSteps: f64,
  matrix: usize,
  skinFrom: f64,
  skinTo: f64,
  binsPerUnit: f64,
  bins: i32,
  sums: usize,
  numbers: usize,
  used: usize,
  cells: usize,
  usedCount: i32,
): i32 {
  for (let pixel: usize = 0; pixel < count; pixel++) {
    const at = pixels + RGB * pixel;
    if (load<u8>(mask + pixel) === 0) continue;
    const red = load<u8>(at) as i32;
    const green = load<u8>(at, 1) as i32;
    const blue = load<u8>(at, 2) as i32;
    const r = valueAt(linear, red as usize);
    const g = valueAt(linear, green as usize);
    const b = valueAt(linear, blue as usize);
    const fx = rootOf(mixed(matrix, r, g, b), roots, rootSteps);
    const fy = rootOf(mixed(matrix + RGB * NUMBER_BYTES, r, g, b), roots, rootSteps);
    const fz = rootOf(mixed(matrix + 2 * RGB * NUMBER_BYTES, r, g, b), roots, rootSteps);
    const lightness = 116 * fy - 16;
    const labA = 500 * (fx - fy);
    const labB = 200 * (fy - fz);
    add(sums, LIGHTNESS + (min((lightness * binsPerUnit) as i32, bins - 1) as usize), 1);
    usedCount = addToCell(
      cellOf(lightness, labA, labB),
      1,
      lightness,
      labA,
      labB,
      numbers,
      used,
      cells,
      usedCount,
    );
    add(sums, SUM_A, labA);
    add(sums, SUM_B, labB);
    add(sums, SUM_AA, labA * labA);
    add(sums, SUM_AB, labA * labB);
    add(sums, SUM_BB, labB * labB);
    const tone = lightness < SHADOWS ? IN_SHADOWS : lightness > MIDTONES ? IN_HIGHLIGHTS : IN_MIDTONES;
    addThree(sums, tone, labA, labB);
    if (labA > 0 && labB >= labA * skinFrom && labB <= labA * skinTo) addSkin(sums, lightness, labA, labB);
    if (max(red, max(green, blue)) <= BLACK) add(sums, IS_BLACK, 1);
    if (min(red, min(green, blue)) >= WHITE) add(sums, IS_WHITE, 1);
  }
  return usedCount;
}

/** Adds `count` numbers, each times `scale`, to as many others. */
export function addScaled(sums: usize, others: usize, count: usize, scale: f64): void {
  for (let at: usize = 0; at < count; at++) add(sums, at, valueAt(others, at) * scale);
}

/** Adds `count` cells of another histogram, each times `scale`. `used`: cells in use before; returns the cells in use after. */
export function mergeCells(
  otherUsed: usize,
  otherCells: usize,
  count: i32,
  scale: f64,
  numbers: usize,
  used: usize,
  cells: usize,
  usedCount: i32,
): i32 {
  for (let other: i32 = 0; other < count; other++) {
    const at = otherCells + CELL_BYTES * (other as usize);
    usedCount = addToCell(
      load<i32>(otherUsed + INDEX_BYTES * (other as usize)),
      load<f64>(at) * scale,
      load<f64>(at, 8) * scale,
      load<f64>(at, 16) * scale,
      load<f64>(at, 24) * scale,
      numbers,
      used,
      cells,
      usedCount,
    );
  }
  return usedCount;
}

/** Clears the numbers of `count` cells. */
export function clearCells(numbers: usize, used: usize, count: i32): void {
  for (let number: i32 = 0; number < count; number++)
    store<i32>(numbers + INDEX_BYTES * (load<i32>(used + INDEX_BYTES * (number as usize)) as usize), 0);
}

/** Writes to `out` the weight and mean L, a, b of `count` cells. */
export function meanCells(cells: usize, count: usize, out: usize): void {
  const end = cells + CELL_BYTES * count;
  for (; cells < end; cells += CELL_BYTES) {
    const weight = load<f64>(cells);
    store<f64>(out, weight);
    store<f64>(out, load<f64>(cells, 8) / weight, 8);
    store<f64>(out, load<f64>(cells, 16) / weight, 16);
    store<f64>(out, load<f64>(cells, 24) / weight, 24);
    out += CELL_BYTES;
  }
}

function addToCell(
  cell: i32,
  weight: f64,
  lightness: f64,
  a: f64,
  b: f64,
  numbers: usize,
  used: usize,
  cells: usize,
  usedCount: i32,
): i32 {
  const place = numbers + INDEX_BYTES * (cell as usize);
  let number = load<i32>(place);
  if (number === 0) {
    store<i32>(used + INDEX_BYTES * (usedCount as usize), cell);
    memory.fill(cells + CELL_BYTES * (usedCount as usize), 0, CELL_BYTES);
    number = ++usedCount;
    store<i32>(place, number);
  }
  const at = cells + CELL_BYTES * ((number - 1) as usize);
  add(at, 0, weight);
  add(at, 1, lightness);
  add(at, 2, a);
  add(at, 3, b);
  return usedCount;
}

function cellOf(lightness: f64, a: f64, b: f64): i32 {
  const row = max(0, min(ROWS - 1, (lightness / STEP + 0.5) as i32));
  return (row * SIDE + placeOf(a)) * SIDE + placeOf(b);
}

function placeOf(value: f64): i32 {
  return max(0, min(SIDE - 1, ((value + REACH) / STEP + 0.5) as i32));
}

/** The mean hue of skin is computed from the sums of cosines and sines. */
function addSkin(sums: usize, lightness: f64, a: f64, b: f64): void {
  if (lightness < SKIN_MIN_LIGHTNESS || lightness > SKIN_MAX_LIGHTNESS) return;
  const chroma = sqrt(a * a + b * b);
  if (chroma < SKIN_MIN_CHROMA || chroma > SKIN_MAX_CHROMA) return;
  addThree(sums, OF_SKIN, a / chroma, b / chroma);
}

function addThree(sums: usize, at: usize, a: f64, b: f64): void {
  add(sums, at, 1);
  add(sums, at + 1, a);
  add(sums, at + 2, b);
}

/** A row of the matrix times a color. */
function mixed(row: usize, red: f64, green: f64, blue: f64): f64 {
  return valueAt(row, 0) * red + valueAt(row, 1) * green + valueAt(row, 2) * blue;
}

/** The lightness curve, interpolated linearly between its steps. */
function rootOf(t: f64, roots: usize, steps: f64): f64 {
  const place = t * steps;
  const below = place as i32;
  const root = valueAt(roots, below as usize);
  return root + (place - (below as f64)) * (valueAt(roots, (below as usize) + 1) - root);
}

function valueAt(numbers: usize, at: usize): f64 {
  return load<f64>(numbers + NUMBER_BYTES * at);
}

function add(sums: usize, at: usize, value: f64): void {
  const sum = sums + NUMBER_BYTES * at;
  store<f64>(sum, load<f64>(sum) + value);
}
