import { BLOCK, type MotionKernel } from './kernel.ts';
import type { Level, Pyramid } from './pyramid.ts';

/** Side of the window matched at the half level: there it is of two blocks, which steadies the vectors. */
const WINDOW = BLOCK;
/** Reach of the search that follows when descent from the predictions ends in a poor match, half-level pixels. */
const LATTICE_REACH = BLOCK;
const LATTICE_STEP = 2;
/** Blocks per frame that may have it: bounds the cost at cuts, where every match is poor. */
const LATTICE_BLOCKS = 48;
/** A match is poor that leaves this share of what the window holds. */
const POOR_SHARE = 0.6;

/** The integer shift, in pixels of the quarter level, that best explains the whole picture. */
export interface CoarseShift {
  x: number;
  y: number;
}

/**
 * Full search over up to a quarter of the picture each way, on every second row. The mean absolute difference
 * over the overlap; a picture without texture stays where it is.
 * `out` comes in as the prediction: what it costs ends most other candidates early.
 */
export function searchCoarseShift(
  kernel: MotionKernel,
  earlier: Level,
  later: Level,
  out: CoarseShift,
): void {
  const reachX = earlier.width >> 2;
  const reachY = earlier.height >> 2;
  out.x = Math.max(-reachX, Math.min(reachX, out.x));
  out.y = Math.max(-reachY, Math.min(reachY, out.y));
  let best = overlapCost(kernel, earlier, later, out.x, out.y, Number.POSITIVE_INFINITY);
  const still = overlapCost(kernel, earlier, later, 0, 0, best);
  if (still <= best) {
    best = still;
    out.x = 0;
    out.y = 0;
  }
  for (let y = -reachY; y <= reachY; y++) {
    for (let x = -reachX; x <= reachX; x++) {
      const cost = overlapCost(kernel, earlier, later, x, y, best);
      if (cost < best) {
        best = cost;
        out.x = x;
        out.y = y;
      }
    }
  }
}

/** Infinite as soon as it is sure to be past `limit`. */
function overlapCost(
  { run }: MotionKernel,
  earlier: Level,
  later: Level,
  shiftX: number,
  shiftY: number,
  limit: number,
): number {
  const { width, height } = earlier;
  const left = Math.max(0, -shiftX);
  const right = Math.min(width, width - shiftX);
  const top = Math.max(0, -shiftY);
  const bottom = Math.min(height, height - shiftY);
  const from = later.address + 2 * (shiftY * width + shiftX);
  const price = 1 / ((right - left) * ((bottom - top + 1) >> 1));
  const most = limit / price;
  let sum = 0;
  for (let y = top; y < bottom; y += 2) {
    const at = 2 * (y * width + left);
    sum += run.totalDifference(earlier.address + at, from + at, right - left);
    if (sum > most) return Number.POSITIVE_INFINITY;
  }
  return sum * price;
}

/** Integer vectors of blocks at the half level; those found or given before serve their neighbours as predictions. */
export class BlockSearch {
  readonly #kernel: MotionKernel;
  readonly #columns: number;
  readonly #rows: number;
  /** Half-level pixels. */
  readonly x: Int16Array;
  readonly y: Int16Array;
  readonly #left: Int16Array;
  readonly #top: Int16Array;
  #bestX = 0;
  #bestY = 0;
  #bestCost = 0;
  #lattices = 0;

  /** `originX`, `originY`: the first block's corner in the picture; blocks are 8×8 without gaps. */
  constructor(kernel: MotionKernel, columns: number, rows: number, originX: number, originY: number) {
    const { width, height } = kernel;
    this.#kernel = kernel;
    this.#columns = columns;
    this.#rows = rows;
    this.x = new Int16Array(columns * rows);
    this.y = new Int16Array(columns * rows);
    this.#left = new Int16Array(columns);
    this.#top = new Int16Array(rows);
    for (let c = 0; c < columns; c++) this.#left[c] = windowStart(originX + BLOCK * c, width >> 1);
    for (let r = 0; r < rows; r++) this.#top[r] = windowStart(originY + BLOCK * r, height >> 1);
  }

  /** Begins a frame. */
  begin(): void {
    this.#lattices = LATTICE_BLOCKS;
  }

  /** A vector that is known already, pixels of the picture. */
  set(i: number, x: number, y: number): void {
    this.x[i] = Math.round(x / 2);
    this.y[i] = Math.round(y / 2);
  }

  /** Predictive search of one block: standing still, the coarse shift, its own and its neighbours' vectors; then descent. */
  find(earlier: Pyramid, later: Pyramid, i: number, coarse: CoarseShift): void {
    const a = earlier.half;
    const b = later.half;
    if (a.width < WINDOW || a.height < WINDOW) return;
    const columns = this.#columns;
    const c = i % columns;
    const r = (i - c) / columns;
    const left = this.#left[c];
    const top = this.#top[r];
    this.#bestX = 0;
    this.#bestY = 0;
    this.#bestCost = this.#difference(a, b, left, top, 0, 0);
    this.#consider(a, b, left, top, 2 * coarse.x, 2 * coarse.y);
    this.#consider(a, b, left, top, this.x[i], this.y[i]);
    if (c > 0) this.#consider(a, b, left, top, this.x[i - 1], this.y[i - 1]);
    if (c + 1 < columns) this.#consider(a, b, left, top, this.x[i + 1], this.y[i + 1]);
    if (r > 0) this.#consider(a, b, left, top, this.x[i - columns], this.y[i - columns]);
    if (r + 1 < this.#rows) this.#consider(a, b, left, top, this.x[i + columns], this.y[i + columns]);
    this.#descend(a, b, left, top);
    if (this.#lattices > 0 && this.#bestCost > POOR_SHARE * energy(a, left, top)) {
      this.#lattices--;
      this.#lattice(a, b, left, top);
      this.#descend(a, b, left, top);
    }
    this.x[i] = this.#bestX;
    this.y[i] = this.#bestY;
  }

  #consider(a: Level, b: Level, left: number, top: number, x: number, y: number): boolean {
    if (x === this.#bestX && y === this.#bestY) return false;
    const cost = this.#difference(a, b, left, top, x, y);
    if (cost >= this.#bestCost) return false;
    this.#bestCost = cost;
    this.#bestX = x;
    this.#bestY = y;
    return true;
  }

  /** Sum of absolute differences of one window; infinite outside the picture. */
  #difference(a: Level, b: Level, left: number, top: number, x: number, y: number): number {
    const { width, height } = a;
    if (left + x < 0 || left + x + WINDOW > width || top + y < 0 || top + y + WINDOW > height) {
      return Number.POSITIVE_INFINITY;
    }
    const from = 2 * (top * width + left);
    const offset = 2 * (y * width + x);
    return this.#kernel.run.blockDifference(a.address + from, b.address + from + offset, 2 * width);
  }

  #lattice(a: Level, b: Level, left: number, top: number): void {
    const [startX, startY] = [this.#bestX, this.#bestY];
    for (let y = -LATTICE_REACH; y <= LATTICE_REACH; y += LATTICE_STEP)
      for (let x = -LATTICE_REACH; x <= LATTICE_REACH; x += LATTICE_STEP)
        this.#consider(a, b, left, top, startX + x, startY + y);
  }

  #descend(a: Level, b: Level, left: number, top: number): void {
    for (let moved = true; moved; ) {
      const x = this.#bestX;
      const y = this.#bestY;
      moved = this.#consider(a, b, left, top, x + 1, y);
      moved = this.#consider(a, b, left, top, x - 1, y) || moved;
      moved = this.#consider(a, b, left, top, x, y + 1) || moved;
      moved = this.#consider(a, b, left, top, x, y - 1) || moved;
    }
  }
}

function energy(a: Level, left: number, top: number): number {
  let sum = 0;
  for (let row = 0; row < WINDOW; row++) {
    const start = (top + row) * a.width + left;
    for (let k = start; k < start + WINDOW; k++) sum += Math.abs(a.data[k]);
  }
  return sum;
}

function windowStart(blockStart: number, size: number): number {
  const start = (blockStart >> 1) - (WINDOW - BLOCK / 2) / 2;
  return Math.max(0, Math.min(size - WINDOW, start));
}
