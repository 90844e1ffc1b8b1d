/**
 * Colours of the cells of an RGB picture and how far they are from those of its edges. `src/analysis/subjects/edge-distance.ts` lays out the
 * memory.
 *
 * A colour is three f32, L (weighted), a, b; results are rounded to f32 where they are stored, as in a `Float32Array`.
 */

const RGB: usize = 3;
const FLOAT_BYTES: usize = 4;
const DOUBLE_BYTES: usize = 8;
const COLOUR_BYTES: usize = 12;
/** Pixels along a cell's side. */
const CELL: usize = 2;
/** Where the tables (f64) begin: linear light of each byte, linear RGB → XYZ row by row, and roots at even steps of 0..1. */
const MATRIX: usize = 256 * DOUBLE_BYTES;
const ROOTS: usize = MATRIX + 9 * DOUBLE_BYTES;
const ROOT_STEPS: f64 = 4096;

/** The colour of each cell, row by row: as `bytesToLab` has it, of its mean level. A last odd row or column counts twice. */
export function colours(
  pixels: usize,
  width: usize,
  height: usize,
  tables: usize,
  lightnessWeight: f64,
  out: usize,
): void {
  for (let y: usize = 0; y < height; y += CELL) {
    const row = pixels + RGB * width * y;
    const below = y + 1 < height ? RGB * width : 0;
    for (let x: usize = 0; x < width; x += CELL) {
      const at = row + RGB * x;
      const right = x + 1 < width ? RGB : 0;
      const red = linearMean(at, right, below, tables);
      const green = linearMean(at + 1, right, below, tables);
      const blue = linearMean(at + 2, right, below, tables);
      const fx = rootOf(red, green, blue, tables + MATRIX, tables + ROOTS);
      const fy = rootOf(red, green, blue, tables + MATRIX + 3 * DOUBLE_BYTES, tables + ROOTS);
      const fz = rootOf(red, green, blue, tables + MATRIX + 6 * DOUBLE_BYTES, tables + ROOTS);
      store<f32>(out, <f32>(lightnessWeight * (116 * fy - 16)));
      store<f32>(out, <f32>(500 * (fx - fy)), FLOAT_BYTES);
      store<f32>(out, <f32>(200 * (fy - fz)), 2 * FLOAT_BYTES);
      out += COLOUR_BYTES;
    }
  }
}

/** Linear light of the mean of four bytes, rounded down. */
function linearMean(at: usize, right: usize, below: usize, tables: usize): f64 {
  const upper = <usize>load<u8>(at) + <usize>load<u8>(at + right);
  const lower = <usize>load<u8>(at + below) + <usize>load<u8>(at + right + below);
  return load<f64>(tables + DOUBLE_BYTES * ((upper + lower) >> 2));
}

/** One of X, Y and Z by a row of the matrix, and its root, interpolated. */
function rootOf(red: f64, green: f64, blue: f64, row: usize, roots: usize): f64 {
  const t =
    load<f64>(row) * red + load<f64>(row, DOUBLE_BYTES) * green + load<f64>(row, 2 * DOUBLE_BYTES) * blue;
  const place = t * ROOT_STEPS;
  const below = <i32>place;
  const at = roots + DOUBLE_BYTES * <usize>below;
  const root = load<f64>(at);
  return root + (place - <f64>below) * (load<f64>(at, DOUBLE_BYTES) - root);
}

/**
 * The distance of each cell's colour from its `rank`th nearest (0: the nearest) among those of the upper row and of both sides below it, of
 * which there are more. `edge` has room for their colours, `nearest` for a square (f32) of each rank.
 */
export function distances(
  cells: usize,
  width: usize,
  height: usize,
  rank: usize,
  edge: usize,
  nearest: usize,
  out: usize,
): void {
  const edgeEnd = copyEdge(cells, width, height, edge);
  const last = nearest + FLOAT_BYTES * rank;
  const end = cells + COLOUR_BYTES * width * height;
  for (let cell = cells; cell < end; cell += COLOUR_BYTES) {
    for (let at = nearest; at <= last; at += FLOAT_BYTES) store<f32>(at, Infinity);
    let farthest: f64 = Infinity;
    for (let at = edge; at < edgeEnd; at += COLOUR_BYTES) {
      const square = squareBetween(cell, at);
      if (square >= farthest) continue;
      let place = last;
      for (; place > nearest && <f64>load<f32>(place - FLOAT_BYTES) > square; place -= FLOAT_BYTES)
        store<f32>(place, load<f32>(place - FLOAT_BYTES));
      store<f32>(place, <f32>square);
      farthest = <f64>load<f32>(last);
    }
    store<f32>(out, <f32>Math.sqrt(farthest));
    out += FLOAT_BYTES;
  }
}

/** Copies the colours of the upper row and of both sides below it; returns where they end. */
function copyEdge(cells: usize, width: usize, height: usize, edge: usize): usize {
  const rowBytes = COLOUR_BYTES * width;
  memory.copy(edge, cells, rowBytes);
  let to = edge + rowBytes;
  for (let y: usize = 1; y < height; y++) {
    cells += rowBytes;
    memory.copy(to, cells, COLOUR_BYTES);
    memory.copy(to + COLOUR_BYTES, cells + rowBytes - COLOUR_BYTES, COLOUR_BYTES);
    to += 2 * COLOUR_BYTES;
  }
  return to;
}

function squareBetween(one: usize, other: usize): f64 {
  const l = <f64>load<f32>(one) - <f64>load<f32>(other);
  const a = <f64>load<f32>(one, FLOAT_BYTES) - <f64>load<f32>(other, FLOAT_BYTES);
  const b = <f64>load<f32>(one, 2 * FLOAT_BYTES) - <f64>load<f32>(other, 2 * FLOAT_BYTES);
  return l * l + a * a + b * b;
}
