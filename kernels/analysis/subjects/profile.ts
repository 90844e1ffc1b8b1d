/** Sums over the parts of a picture and along its two sides. Memory layout: `src/analysis/subjects/profile.ts`. Numbers are f64 unless noted otherwise. */

const NUMBER_BYTES: usize = 8;
const SINGLE_BYTES: usize = 4;

/** Adds up a picture (f32) in each of `parts` × `parts` parts, row by row, into `out`; returns the sum of all. */
export function addParts(values: usize, width: usize, height: usize, parts: usize, out: usize): f64 {
  memory.fill(out, 0, NUMBER_BYTES * parts * parts);
  let all: f64 = 0;
  for (let y: usize = 0; y < height; y++) {
    const row = out + NUMBER_BYTES * parts * ((parts * y) / height);
    for (let x: usize = 0; x < width; x++) {
      const value = load<f32>(values) as f64;
      values += SINGLE_BYTES;
      add(row, (parts * x) / width, value);
      all += value;
    }
  }
  return all;
}

/** Multiplies each part by its factor; returns the sum of the products. */
export function weigh(values: usize, factors: usize, parts: usize): f64 {
  let all: f64 = 0;
  const end = NUMBER_BYTES * parts * parts;
  for (let at: usize = 0; at < end; at += NUMBER_BYTES) {
    const product = load<f64>(values + at) * load<f64>(factors + at);
    store<f64>(values + at, product);
    all += product;
  }
  return all;
}

/** Adds the parts of each column, times `scale`, into `across`, and those of each row into `down`. */
export function addSides(values: usize, parts: usize, scale: f64, across: usize, down: usize): void {
  clear(across, down, parts);
  for (let row: usize = 0; row < parts; row++) {
    for (let column: usize = 0; column < parts; column++) {
      const value = scale * load<f64>(values);
      values += NUMBER_BYTES;
      add(across, column, value);
      add(down, row, value);
    }
  }
}

/**
 * Adds the salience of a picture's cells by the distance (f32) of their colors from those of its edges: d² ÷ (d² +
 * `half`²). The cells fill a box evenly, in shares of the whole picture, whose sides have `parts` parts.
 */
export function addContrast(
  distances: usize,
  width: usize,
  height: usize,
  boxLeft: f64,
  boxTop: f64,
  boxWidth: f64,
  boxHeight: f64,
  pictureWidth: f64,
  pictureHeight: f64,
  half: f64,
  parts: usize,
  across: usize,
  down: usize,
): void {
  clear(across, down, parts);
  for (let y: usize = 0; y < height; y++) {
    const row = partOfCell(y, height, boxTop, boxHeight, pictureHeight, parts);
    for (let x: usize = 0; x < width; x++) {
      const distance = load<f32>(distances) as f64;
      distances += SINGLE_BYTES;
      const square = distance * distance;
      const contrast = square / (square + half * half);
      add(across, partOfCell(x, width, boxLeft, boxWidth, pictureWidth, parts), contrast);
      add(down, row, contrast);
    }
  }
}

/** Number of the part that contains the middle of a cell. */
function partOfCell(cell: usize, cells: usize, start: f64, length: f64, pixels: f64, parts: usize): usize {
  const pixel = start + (((cell as f64) + 0.5) / (cells as f64)) * length;
  return min(parts - 1, floor((parts as f64) * (pixel / pixels)) as usize);
}

function clear(across: usize, down: usize, parts: usize): void {
  memory.fill(across, 0, NUMBER_BYTES * parts);
  memory.fill(down, 0, NUMBER_BYTES * parts);
}

function add(sums: usize, at: usize, value: f64): void {
  const sum = sums + NUMBER_BYTES * at;
  store<f64>(sum, load<f64>(sum) + value);
}
