/**
 * Vectors that no prediction explains: of the whole picture at a quarter of its size, and of single blocks at half
 * size.
 */
import { blockDifference, totalDifference } from './compare';
import {
  BLOCK,
  columns,
  count,
  floatAt,
  height,
  leftOf,
  rows,
  searchedX,
  searchedY,
  setShort,
  shortAt,
  topOf,
  vectorX,
  vectorY,
  width,
} from './planes';
import { SAMPLE_BYTES, sampleAt } from './samples';

/** Side of the window matched at half size: there it covers two blocks, which makes vectors more stable. */
const WINDOW = BLOCK;
/** Range of the full search after the descent from the predictions ended in a poor match, half-size pixels. */
const LATTICE_REACH = BLOCK;
const LATTICE_STEP = 2;
/** Most blocks per frame with a full search: limits the cost at cuts, where every match is poor. */
const LATTICE_BLOCKS = 48;
/** A match is poor if its difference is more than this share of the window's energy. */
const POOR_SHARE: f64 = 0.6;
/** Difference of a window that crosses the picture's edge. */
const ENDLESS = i32.MAX_VALUE;

/** The whole-pixel shift at a quarter size that best explains the whole picture. */
export let coarseX: i32 = 0;
export let coarseY: i32 = 0;

/** Half-size versions of the two pictures, and their size. */
let earlier: usize = 0;
let later: usize = 0;
let halfWidth: i32 = 0;
let halfHeight: i32 = 0;
/** Position of the searched window. */
let windowLeft: i32 = 0;
let windowTop: i32 = 0;
let bestX: i32 = 0;
let bestY: i32 = 0;
let bestCost: i32 = 0;
let lattices: i32 = 0;

/** Sets the coarse shift of the whole picture to zero. */
export function forgetCoarseShift(): void {
  coarseX = 0;
  coarseY = 0;
}

/**
 * Full search at a quarter size over up to a quarter of the picture each way, on every second row. Minimizes the mean
 * absolute difference over the overlap; the shift of a picture without texture is zero.
 */
export function searchCoarseShift(from: usize, to: usize): void {
  const quarterWidth = width >> 2;
  const quarterHeight = height >> 2;
  const reachX = quarterWidth >> 2;
  const reachY = quarterHeight >> 2;
  forgetCoarseShift();
  let best = overlapCost(from, to, quarterWidth, quarterHeight, 0, 0, Infinity);
  for (let y = -reachY; y <= reachY; y++) {
    for (let x = -reachX; x <= reachX; x++) {
      const cost = overlapCost(from, to, quarterWidth, quarterHeight, x, y, best);
      if (cost < best) {
        best = cost;
        coarseX = x;
        coarseY = y;
      }
    }
  }
}

/** Returns infinity when the cost exceeds `limit`. */
function overlapCost(
  from: usize,
  to: usize,
  levelWidth: i32,
  levelHeight: i32,
  shiftX: i32,
  shiftY: i32,
  limit: f64,
): f64 {
  const left = max(0, -shiftX);
  const right = min(levelWidth, levelWidth - shiftX);
  const top = max(0, -shiftY);
  const bottom = min(levelHeight, levelHeight - shiftY);
  const price = 1 / <f64>((right - left) * ((bottom - top + 1) >> 1));
  const most = limit / price;
  let sum: f64 = 0;
  for (let y = top; y < bottom; y += 2) {
    const a = from + SAMPLE_BYTES * <usize>(y * levelWidth + left);
    const b = to + SAMPLE_BYTES * <usize>((y + shiftY) * levelWidth + left + shiftX);
    sum += <f64>totalDifference(a, b, right - left);
    if (sum > most) return Infinity;
  }
  return sum * price;
}

/** Begins a frame with half-size versions of the two pictures, and with the known vectors. */
export function beginSearch(earlierHalf: usize, laterHalf: usize): void {
  earlier = earlierHalf;
  later = laterHalf;
  halfWidth = width >> 1;
  halfHeight = height >> 1;
  lattices = LATTICE_BLOCKS;
  for (let i = 0; i < count; i++) {
    setShort(searchedX, i, <i32>Math.round(floatAt(vectorX, i) / 2));
    setShort(searchedY, i, <i32>Math.round(floatAt(vectorY, i) / 2));
  }
}

/** Predictive search of one block: no motion, the coarse shift, its own and its neighbours' vectors; then descent. */
export function find(i: i32): void {
  if (halfWidth < WINDOW || halfHeight < WINDOW) return;
  windowLeft = windowStart(leftOf(i), halfWidth);
  windowTop = windowStart(topOf(i), halfHeight);
  bestX = 0;
  bestY = 0;
  bestCost = difference(0, 0);
  consider(2 * coarseX, 2 * coarseY);
  considerThatOf(i);
  const column = i % columns;
  const row = i / columns;
  if (column > 0) considerThatOf(i - 1);
  if (column + 1 < columns) considerThatOf(i + 1);
  if (row > 0) considerThatOf(i - columns);
  if (row + 1 < rows) considerThatOf(i + columns);
  descend();
  if (lattices > 0 && <f64>bestCost > POOR_SHARE * <f64>energy()) {
    lattices--;
    lattice();
    descend();
  }
  setShort(searchedX, i, bestX);
  setShort(searchedY, i, bestY);
}

function considerThatOf(i: i32): void {
  consider(shortAt(searchedX, i), shortAt(searchedY, i));
}

function consider(x: i32, y: i32): boolean {
  if (x === bestX && y === bestY) return false;
  const cost = difference(x, y);
  if (cost >= bestCost) return false;
  bestCost = cost;
  bestX = x;
  bestY = y;
  return true;
}

/** Sum of absolute differences of the window. */
function difference(x: i32, y: i32): i32 {
  const toX = windowLeft + x;
  const toY = windowTop + y;
  if (toX < 0 || toX + WINDOW > halfWidth || toY < 0 || toY + WINDOW > halfHeight) return ENDLESS;
  const a = earlier + SAMPLE_BYTES * <usize>(windowTop * halfWidth + windowLeft);
  const b = later + SAMPLE_BYTES * <usize>(toY * halfWidth + toX);
  return blockDifference(a, b, SAMPLE_BYTES * <usize>halfWidth);
}

function lattice(): void {
  const startX = bestX;
  const startY = bestY;
  for (let y = -LATTICE_REACH; y <= LATTICE_REACH; y += LATTICE_STEP)
    for (let x = -LATTICE_REACH; x <= LATTICE_REACH; x += LATTICE_STEP) consider(startX + x, startY + y);
}

function descend(): void {
  for (let moved = true; moved; ) {
    const x = bestX;
    const y = bestY;
    moved = consider(x + 1, y);
    moved = consider(x - 1, y) || moved;
    moved = consider(x, y + 1) || moved;
    moved = consider(x, y - 1) || moved;
  }
}

/** Sum of the absolute samples of the window. */
function energy(): i32 {
  let sum = 0;
  for (let row = 0; row < WINDOW; row++) {
    const start = earlier + SAMPLE_BYTES * <usize>((windowTop + row) * halfWidth + windowLeft);
    for (let x = 0; x < WINDOW; x++) sum += abs(sampleAt(start + SAMPLE_BYTES * <usize>x));
  }
  return sum;
}

/** Start of the window for a block that begins at `blockStart` of the picture. */
function windowStart(blockStart: i32, size: i32): i32 {
  const start = (blockStart >> 1) - (WINDOW - BLOCK / 2) / 2;
  return max(0, min(size - WINDOW, start));
}
