/**
 * State common to the parts of the kernel that process blocks: the picture, and planes with a number for each block,
 * row by row.
 */
import { SAMPLE_BYTES } from './samples';

/** Side of a block in samples. */
export const BLOCK: i32 = 8;
/** Bytes of a number in planes of floats (f32), and in planes of 16-bit integers. */
const FLOAT_BYTES: usize = 4;
const SHORT_BYTES: usize = 2;

/** Size of the picture in samples, and bytes of its rows. */
export let width: i32 = 0;
export let height: i32 = 0;
export let stride: usize = 0;
/** The grid of blocks is centred in the picture; `originX` and `originY` are the first one's corner. */
export let columns: i32 = 0;
export let rows: i32 = 0;
export let count: i32 = 0;
let originX: i32 = 0;
let originY: i32 = 0;
/** The part of the picture inside black bars; and the blocks completely inside it, ends exclusive. */
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
/** Certainty of the vector, 0..1. */
export let weight: usize = 0;
/** Mean absolute difference of the block and its match, grey levels. */
export let matchError: usize = 0;
/** Residual motion after the camera's, and its length along the directions in which it is determined. */
export let residualX: usize = 0;
export let residualY: usize = 0;
export let residual: usize = 0;
/** Middle of the block relative to the picture's, pixels. */
export let positionX: usize = 0;
export let positionY: usize = 0;
/**
 * Certainty of the vector: the inverse of its covariance, times the least variance considered. Its
 * eigenvalues are 0 (undetermined along that direction: no texture, or an edge) to 1.
 */
export let knownXx: usize = 0;
export let knownXy: usize = 0;
export let knownYy: usize = 0;
/** Variance of the block, and of the residual of its match. */
export let variance: usize = 0;
export let leftOver: usize = 0;
/** Mean products of the block's gradients, corrected for noise. */
export let gradientXx: usize = 0;
export let gradientXy: usize = 0;
export let gradientYy: usize = 0;
/** Motion of the block beyond the camera's in the previous frame. */
export let ownX: usize = 0;
export let ownY: usize = 0;

// Planes of bytes, 1 or 0.

/** Enough texture for a vector. */
export let textured: usize = 0;
/** Without a match. */
export let gone: usize = 0;
/** The match is outside the picture. */
export let leaves: usize = 0;
/** Moves with the camera; and is not explained equally well by no motion. */
export let agrees: usize = 0;
export let votes: usize = 0;

// Planes of 16 bits.

/** Vectors of the search, samples of the half level. */
export let searchedX: usize = 0;
export let searchedY: usize = 0;
/** Numbers of the blocks without a good match, `lostCount` of them. */
export let lost: usize = 0;

let nextPlane: usize = 0;

/**
 * Sets the picture's size, and the addresses of planes of zeros, `planeBytes` apart, in the order of `BLOCK_PLANES` in
 * `src/analysis/optical-flow/kernel.ts`. All other memory follows.
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

/**
 * Sets the part inside black bars, in samples. A block that crosses its edge, or whose match does, has left the
 * picture.
 */
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

/** Number of blocks completely inside the bars. */
export function countInside(): i32 {
  return max(0, endColumn - firstColumn) * max(0, endRow - firstRow);
}

export function isInside(i: i32): boolean {
  const column = i % columns;
  const row = i / columns;
  return column >= firstColumn && column < endColumn && row >= firstRow && row < endRow;
}

/** Position of a block's corner in the picture. */
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

/** Fills a plane of floats with zeros. */
export function clearFloats(plane: usize): void {
  memory.fill(plane, 0, FLOAT_BYTES * <usize>count);
}
