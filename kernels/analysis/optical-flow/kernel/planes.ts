/** What the parts of the kernel that go over blocks share: the picture, and the planes that have a number for each block, row by row. */
import { SAMPLE_BYTES } from './samples';

/** Side of a block in samples. */
export const BLOCK: i32 = 8;
/** Bytes of a number in planes of floats (f32), and of whole numbers of 16 bits. */
const FLOAT_BYTES: usize = 4;
const SHORT_BYTES: usize = 2;

/** Samples of the picture, and bytes of its rows. */
export let width: i32 = 0;
export let height: i32 = 0;
export let stride: usize = 0;
/** Blocks lie around the picture's middle without gaps, the first one's corner at the origin. */
export let columns: i32 = 0;
export let rows: i32 = 0;
export let count: i32 = 0;
let originX: i32 = 0;
let originY: i32 = 0;
/** The part of the picture inside black bars, and the blocks that lie wholly in it: from the first column and row to before the end. */
export let areaLeft: f64 = 0;
export let areaTop: f64 = 0;
export let areaRight: f64 = 0;
export let areaBottom: f64 = 0;
export let firstColumn: i32 = 0;
export let firstRow: i32 = 0;
export let endColumn: i32 = 0;
export let endRow: i32 = 0;

// Planes of floats.

/** Vectors, pixels. */
export let vectorX: usize = 0;
export let vectorY: usize = 0;
/** How well the vector is known, 0..1. */
export let weight: usize = 0;
/** Mean absolute difference of the block and its match, grey levels. */
export let matchError: usize = 0;
/** Motion left after the camera's, as far as it is known, and its length along the directions in which it is. */
export let residualX: usize = 0;
export let residualY: usize = 0;
export let residual: usize = 0;
/** Middle of the block relative to the picture's, pixels. */
export let positionX: usize = 0;
export let positionY: usize = 0;
/**
 * How well the vector is known: the inverse of its covariance, times the least variance considered, so that its eigenvalues are 0
 * (unknown along that direction: no texture, or an edge) to 1.
 */
export let knownXx: usize = 0;
export let knownXy: usize = 0;
export let knownYy: usize = 0;
/** Variance of the block, and what its match leaves of it. */
export let variance: usize = 0;
export let leftOver: usize = 0;
/** Mean products of the block's slopes, less what noise adds to them. */
export let gradientXx: usize = 0;
export let gradientXy: usize = 0;
export let gradientYy: usize = 0;
/** Motion of the block beyond the camera's in the frame before. */
export let ownX: usize = 0;
export let ownY: usize = 0;

// Planes of bytes: 1 where it is so.

/** Enough texture for a vector. */
export let textured: usize = 0;
/** Without a match. */
export let gone: usize = 0;
/** The match lies outside the picture. */
export let leaves: usize = 0;
/** Moves with the camera; and is not equally explained by no motion. */
export let agrees: usize = 0;
export let votes: usize = 0;

// Planes of 16 bits.

/** Vectors of the search, samples of the half level. */
export let searchedX: usize = 0;
export let searchedY: usize = 0;
/** The blocks that have no good match, by their numbers, as many as there are. */
export let lost: usize = 0;

let nextPlane: usize = 0;

/**
 * Takes the picture's size, and planes of zeros that are `planeBytes` apart from `planes` on, in the order of `BLOCK_PLANES` in
 * `src/analysis/optical-flow/kernel.ts`. Everything else comes after it.
 */
export function placeBlocks(pictureWidth: i32, pictureHeight: i32, planes: usize, planeBytes: usize): void {
  width = pictureWidth;
  height = pictureHeight;
  stride = SAMPLE_BYTES * <usize>width;
  columns = width / BLOCK;
  rows = height / BLOCK;
  count = columns * rows;
  originX = (width - columns * BLOCK) >> 1;
  originY = (height - rows * BLOCK) >> 1;
  setArea(0, 0, width, height);
  nextPlane = planes;
  vectorX = takePlane(planeBytes);
  vectorY = takePlane(planeBytes);
  weight = takePlane(planeBytes);
  matchError = takePlane(planeBytes);
  residualX = takePlane(planeBytes);
  residualY = takePlane(planeBytes);
  residual = takePlane(planeBytes);
  textured = takePlane(planeBytes);
  gone = takePlane(planeBytes);
  positionX = takePlane(planeBytes);
  positionY = takePlane(planeBytes);
  knownXx = takePlane(planeBytes);
  knownXy = takePlane(planeBytes);
  knownYy = takePlane(planeBytes);
  variance = takePlane(planeBytes);
  leftOver = takePlane(planeBytes);
  gradientXx = takePlane(planeBytes);
  gradientXy = takePlane(planeBytes);
  gradientYy = takePlane(planeBytes);
  ownX = takePlane(planeBytes);
  ownY = takePlane(planeBytes);
  leaves = takePlane(planeBytes);
  agrees = takePlane(planeBytes);
  votes = takePlane(planeBytes);
  searchedX = takePlane(planeBytes);
  searchedY = takePlane(planeBytes);
  lost = takePlane(planeBytes);
  for (let i = 0; i < count; i++) {
    setFloat(positionX, i, <f64>(leftOf(i) + BLOCK / 2) - <f64>width / 2);
    setFloat(positionY, i, <f64>(topOf(i) + BLOCK / 2) - <f64>height / 2);
  }
}

function takePlane(bytes: usize): usize {
  const plane = nextPlane;
  nextPlane += bytes;
  return plane;
}

/** What lies inside black bars, in samples: a block that reaches out of it, or whose match does, has left the picture. */
export function setArea(fromX: i32, fromY: i32, toX: i32, toY: i32): void {
  areaLeft = fromX;
  areaTop = fromY;
  areaRight = toX;
  areaBottom = toY;
  firstColumn = max(0, <i32>Math.ceil(<f64>(fromX - originX) / BLOCK));
  firstRow = max(0, <i32>Math.ceil(<f64>(fromY - originY) / BLOCK));
  endColumn = min(columns, <i32>Math.floor(<f64>(toX - originX) / BLOCK));
  endRow = min(rows, <i32>Math.floor(<f64>(toY - originY) / BLOCK));
}

/** Blocks that lie wholly inside the bars. */
export function countInside(): i32 {
  return max(0, endColumn - firstColumn) * max(0, endRow - firstRow);
}

export function isInside(i: i32): boolean {
  const column = i % columns;
  const row = i / columns;
  return column >= firstColumn && column < endColumn && row >= firstRow && row < endRow;
}

/** Where a block's corner lies in the picture. */
export function leftOf(i: i32): i32 {
  return originX + (i % columns) * BLOCK;
}

export function topOf(i: i32): i32 {
  return originY + (i / columns) * BLOCK;
}

export function floatAt(plane: usize, i: i32): f64 {
  return <f64>load<f32>(plane + FLOAT_BYTES * <usize>i);
}

export function setFloat(plane: usize, i: i32, value: f64): void {
  store<f32>(plane + FLOAT_BYTES * <usize>i, <f32>value);
}

export function markAt(plane: usize, i: i32): i32 {
  return load<u8>(plane + <usize>i);
}

export function setMark(plane: usize, i: i32, value: boolean): void {
  store<u8>(plane + <usize>i, value ? 1 : 0);
}

export function shortAt(plane: usize, i: i32): i32 {
  return load<i16>(plane + SHORT_BYTES * <usize>i);
}

export function setShort(plane: usize, i: i32, value: i32): void {
  store<i16>(plane + SHORT_BYTES * <usize>i, <i16>value);
}

/** Zeros in a whole plane of floats. */
export function clearFloats(plane: usize): void {
  memory.fill(plane, 0, FLOAT_BYTES * <usize>count);
}
