import { type Picture, RGB, type Size } from '../../domain/footage.ts';
import { bytesToLab } from '../../signal/color-space.ts';

/** Pixels along a cell's side: half of it costs eight times as much. */
const CELL = 2;
/** Share of a side's cells that may resemble the subject: a person at the picture's edge is still salient. */
const TOUCHING_SHARE = 0.1;
/** Lightness counts less than hue: light and shade vary on one object. */
const LIGHTNESS_WEIGHT = 0.6;

/** L (weighted), a, b. */
const LAB = 3;

/**
 * Rows of cells of an RGB picture. A cell holds the distance in Lab of its color from the nearest colors of
 * the left, right and upper edges.
 */
export function distanceFromEdges(picture: Picture): Size & { readonly distance: Float32Array } {
  const [width, height] = [Math.ceil(picture.width / CELL), Math.ceil(picture.height / CELL)];
  const cells = cellColors(picture);
  const edge = edgeColors(cells, width, height);
  const rank = Math.floor((TOUCHING_SHARE * edge.length) / LAB);
  return { width, height, distance: distancesByRank(cells, edge, rank) };
}

/** The color of each cell's mean level, row by row. A last odd row or column counts twice. */
function cellColors({ data, width, height }: Picture): Float32Array {
  const out = new Float32Array(LAB * Math.ceil(width / CELL) * Math.ceil(height / CELL));
  const lab = new Float64Array(LAB);
  let to = 0;
  for (let y = 0; y < height; y += CELL) {
    const below = y + 1 < height ? RGB * width : 0;
    for (let x = 0; x < width; x += CELL) {
      const at = RGB * (y * width + x);
      const right = x + 1 < width ? RGB : 0;
      const red = (data[at] + data[at + right] + data[at + below] + data[at + right + below]) >> 2;
      const green =
        (data[at + 1] + data[at + right + 1] + data[at + below + 1] + data[at + right + below + 1]) >> 2;
      const blue =
        (data[at + 2] + data[at + right + 2] + data[at + below + 2] + data[at + right + below + 2]) >> 2;
      bytesToLab(red, green, blue, lab);
      out[to] = LIGHTNESS_WEIGHT * lab[0];
      out[to + 1] = lab[1];
      out[to + 2] = lab[2];
      to += LAB;
    }
  }
  return out;
}

/** Colors of the upper row, then of both ends of each further row. */
function edgeColors(cells: Float32Array, width: number, height: number): Float32Array {
  const row = LAB * width;
  const out = new Float32Array(row + 2 * LAB * (height - 1));
  out.set(cells.subarray(0, row));
  for (let y = 1; y < height; y++) {
    const to = row + 2 * LAB * (y - 1);
    out.set(cells.subarray(row * y, row * y + LAB), to);
    out.set(cells.subarray(row * (y + 1) - LAB, row * (y + 1)), to + LAB);
  }
  return out;
}

/** Distance of each color from its `rank`th nearest (0: the nearest) of the edge. */
function distancesByRank(cells: Float32Array, edge: Float32Array, rank: number): Float32Array {
  const out = new Float32Array(cells.length / LAB);
  const nearest = new Float32Array(rank + 1);
  for (let cell = 0; cell < out.length; cell++) {
    const l = cells[LAB * cell];
    const a = cells[LAB * cell + 1];
    const b = cells[LAB * cell + 2];
    nearest.fill(Number.POSITIVE_INFINITY);
    let farthest = Number.POSITIVE_INFINITY;
    for (let at = 0; at < edge.length; at += LAB) {
      const dl = l - edge[at];
      const da = a - edge[at + 1];
      const db = b - edge[at + 2];
      const square = dl * dl + da * da + db * db;
      if (square >= farthest) continue;
      let place = rank;
      for (; place > 0 && nearest[place - 1] > square; place--) nearest[place] = nearest[place - 1];
      nearest[place] = square;
      farthest = nearest[rank];
    }
    out[cell] = Math.sqrt(farthest);
  }
  return out;
}
