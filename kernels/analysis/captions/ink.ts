/**
 * Finds and compares strokes of ink. Definitions and memory layout: `src/analysis/captions/ink.ts`. Pictures have one
 * byte per pixel without padding; in pictures of ink 1 is ink and 0 is none. Whole vectors are read and written: up to
 * 15 bytes beyond a picture's end.
 */

const VECTOR_BYTES: usize = 16;
const TILE_COLUMNS: usize = 8;
/** Three numbers of 32 bits for each run of tiles. */
const RUN_BYTES: usize = 12;
/** Four numbers of 32 bits for each box. */
const BOX_BYTES: usize = 16;
const NUMBER_BYTES: usize = 4;
/** XOR with this value inverts a level, so that dark strokes are found as bright ones. */
const UPSIDE_DOWN: i32 = 255;
const ONE_IN_EACH_BYTE: u64 = u64.MAX_VALUE / 255;

/**
 * Marks narrow strokes in a grey picture, row by row: bright ones in `bright`, dark ones in `dark`. A stroke
 * differs from both sides by `contrast` levels and is brighter than `minBright` (inverted: than `minDark`).
 * It is no wider than `maxWidth`, and its level changes by `fall` within `reach` pixels beyond each end. All
 * but `grey`, `bright` and `dark` are pixels or levels, at least 1.
 */
export function findStrokes(
  grey: usize,
  width: usize,
  height: usize,
  bright: usize,
  dark: usize,
  contrast: i32,
  minBright: i32,
  minDark: i32,
  maxWidth: usize,
  reach: i32,
  fall: i32,
): void {
  const size = width * height;
  memory.fill(bright, 0, size);
  memory.fill(dark, 0, size);
  const toBright = bright - grey;
  const toDark = dark - grey;
  const end = grey + size;
  for (let row = grey; row < end; row += width) {
    findInRow(row, row + width, toBright, toDark, contrast, minBright, minDark, maxWidth, reach, fall);
  }
}

/**
 * Follows a row from `start` to `end` as a zigzag of rises and falls of at least the contrast. Marks each extremum but
 * the first and the last, which have only one side. `toBright` and `toDark` are offsets from a grey pixel to its ink.
 */
function findInRow(
  start: usize,
  end: usize,
  toBright: usize,
  toDark: usize,
  contrast: i32,
  minBright: i32,
  minDark: i32,
  maxWidth: usize,
  reach: i32,
  fall: i32,
): void {
  // Until the levels have changed by the contrast, peaks and valleys cannot be distinguished.
  let highest = levelAt(start);
  let lowest = highest;
  let highestAt = start;
  let lowestAt = start;
  let at = start + 1;
  while (true) {
    if (at >= end) return;
    const level = levelAt(at);
    if (level > highest) {
      highest = level;
      highestAt = at;
    } else if (level < lowest) {
      lowest = level;
      lowestAt = at;
    }
    if (highest - lowest >= contrast) break;
    at++;
  }
  let rising = highestAt > lowestAt;
  let turn = rising ? lowestAt : highestAt;
  // 0 means none: no pixel has address 0.
  let turnBefore: usize = 0;
  do {
    // Falling parts are read inverted, so that the next extremum is always a peak.
    const flip = rising ? 0 : UPSIDE_DOWN;
    let peakAt = at;
    let peak = levelAt(at) ^ flip;
    for (at++; at < end; at++) {
      const level = levelAt(at) ^ flip;
      if (level > peak) {
        peak = level;
        peakAt = at;
      } else if (peak - level >= contrast) break;
    }
    // The previous extremum now has both sides; while the row rises it is a valley.
    if (turnBefore !== 0) {
      if (rising) {
        markStroke(turnBefore, turn, peakAt, toDark, UPSIDE_DOWN, minDark, contrast, maxWidth, reach, fall);
      } else {
        markStroke(turnBefore, turn, peakAt, toBright, 0, minBright, contrast, maxWidth, reach, fall);
      }
    }
    turnBefore = turn;
    turn = peakAt;
    rising = !rising;
  } while (at < end);
}

/**
 * Marks the stroke around the extremum at `turn`, measured against the extrema on both sides, unless it is too wide or blurred. `flip` turns
 * a valley into a peak; `minLevel` is a flipped level.
 */
function markStroke(
  turnBefore: usize,
  turn: usize,
  turnAfter: usize,
  toInk: usize,
  flip: i32,
  minLevel: i32,
  contrast: i32,
  maxWidth: usize,
  reach: i32,
  fall: i32,
): void {
  const sides = max(levelAt(turnBefore) ^ flip, levelAt(turnAfter) ^ flip);
  const threshold = max(sides + contrast, minLevel);
  if ((levelAt(turn) ^ flip) < threshold) return;
  // Both loops end at the neighbouring extrema at the latest, which are below the threshold.
  let first = turn;
  while ((levelAt(first - 1) ^ flip) >= threshold) first--;
  let end = turn + 1;
  while ((levelAt(end) ^ flip) >= threshold) end++;
  if (end - first > maxWidth) return;
  const level = levelAt(turn);
  if (!isSharp(level, first, -1, reach, fall)) return;
  if (!isSharp(level, end - 1, 1, reach, fall)) return;
  memory.fill(first + toInk, 1, end - first);
}

/** Whether the level changes by `fall` within `reach` pixels beyond the edge of a stroke. `step` is −1 or 1. */
function isSharp(level: i32, edge: usize, step: isize, reach: i32, fall: i32): bool {
  for (let left = reach; left !== 0; left--) {
    edge += step;
    if (abs(level - levelAt(edge)) >= fall) return true;
  }
  return false;
}

function levelAt(address: usize): i32 {
  return load<u8>(address) as i32;
}

/**
 * Writes to `out`: ink that is in the last two samples, changed by at most `maxChange` levels, and was not in the
 * sample before.
 */
export function markFresh(
  now: usize,
  nowGrey: usize,
  last: usize,
  lastGrey: usize,
  before: usize,
  beforeGrey: usize,
  out: usize,
  count: usize,
  maxChange: i32,
): void {
  const near = i8x16.splat(maxChange as i8);
  for (let at: usize = 0; at < count; at += VECTOR_BYTES) {
    let ink = v128.and(v128.load(now + at), v128.load(last + at));
    // Ink is rare: most vectors end here.
    if (v128.any_true(ink)) {
      const grey = v128.load(lastGrey + at);
      const stayed = areNear(grey, v128.load(nowGrey + at), near);
      const wasBefore = v128.and(v128.load(before + at), areNear(grey, v128.load(beforeGrey + at), near));
      ink = v128.andnot(v128.and(ink, stayed), wasBefore);
    }
    v128.store(out + at, ink);
  }
}

/** Writes to `out`: ink that was not in the previous sample, or has changed by more than `maxChange` levels. */
export function markChanged(
  ink: usize,
  grey: usize,
  last: usize,
  lastGrey: usize,
  out: usize,
  count: usize,
  maxChange: i32,
): void {
  const near = i8x16.splat(maxChange as i8);
  for (let at: usize = 0; at < count; at += VECTOR_BYTES) {
    let changed = v128.load(ink + at);
    if (v128.any_true(changed)) {
      const stayed = areNear(v128.load(grey + at), v128.load(lastGrey + at), near);
      changed = v128.andnot(changed, v128.and(v128.load(last + at), stayed));
    }
    v128.store(out + at, changed);
  }
}

/** Number of the `count` levels that differ by at most `maxChange`. */
export function countNear(one: usize, other: usize, count: usize, maxChange: i32): i32 {
  const near = i8x16.splat(maxChange as i8);
  let found = 0;
  let at: usize = 0;
  for (; at + VECTOR_BYTES <= count; at += VECTOR_BYTES)
    found += popcnt(i8x16.bitmask(areNear(v128.load(one + at), v128.load(other + at), near)));
  for (; at < count; at++) if (abs(levelAt(one + at) - levelAt(other + at)) <= maxChange) found++;
  return found;
}

/** 255 where two levels differ by at most `near`, else 0. Of the two saturating differences, one is always 0. */
function areNear(a: v128, b: v128, near: v128): v128 {
  const difference = v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
  return i8x16.eq(i8x16.sub_sat_u(difference, near), i8x16.splat(0));
}

/**
 * Counts the ink in tiles of 8 pixels by `tileRows` rows, into one byte for each tile, row by row. `columns`
 * and `rows` count tiles, `stride` is the picture's width. At most 31 rows: the count of a tile fits in a
 * byte.
 */
export function countTiles(
  ink: usize,
  stride: usize,
  columns: usize,
  rows: usize,
  tileRows: usize,
  out: usize,
): void {
  for (let row: usize = 0; row < rows; row++) {
    for (let column: usize = 0; column < columns; column++) {
      store<u8>(out, inkOfTile(ink + column * TILE_COLUMNS, stride, tileRows));
      out++;
    }
    ink += stride * tileRows;
  }
}

/** Sums the columns of a tile in parallel, one byte each, then adds the eight sums. */
function inkOfTile(tile: usize, stride: usize, tileRows: usize): u64 {
  let columnSums: u64 = 0;
  for (let row: usize = 0; row < tileRows; row++) {
    columnSums += load<u64>(tile);
    tile += stride;
  }
  // The highest byte of this product is the sum of the eight bytes.
  return (columnSums * ONE_IN_EACH_BYTE) >> 56;
}

/**
 * Finds runs of inked tiles in each row of `columns` tiles. A tile is inked if it has `minInk` pixels; up to `gap`
 * other tiles may lie between two. Writes to `out` three numbers (i32) for each run: row, first column, end column
 * (exclusive). Returns the number of runs.
 */
export function findRuns(
  tiles: usize,
  columns: usize,
  rows: usize,
  minInk: u32,
  gap: usize,
  out: usize,
): i32 {
  let runs = 0;
  for (let row: usize = 0; row < rows; row++) {
    // End of the current run's inked tiles; 0: no run is open.
    let end: usize = 0;
    for (let column: usize = 0; column < columns; column++) {
      if ((load<u8>(tiles + column) as u32) < minInk) continue;
      if (end === 0 || column - end > gap) {
        store<u32>(out, row as u32);
        store<u32>(out, column as u32, 4);
        out += RUN_BYTES;
        runs++;
      }
      end = column + 1;
      // The run's end is stored directly before the next entry.
      store<u32>(out - 4, end as u32);
    }
    tiles += columns;
  }
  return runs;
}

/**
 * Joins runs that touch in adjacent rows. For each group that is at least `minWidth` tiles wide, writes four
 * numbers (i32) to `out`: first column and row, end column and row (exclusive). Groups are in the order of
 * their first runs. `parents` and `boxes` need one and four numbers for each run. Returns the number of
 * groups.
 */
export function joinRuns(
  runs: usize,
  count: i32,
  minWidth: i32,
  parents: usize,
  boxes: usize,
  out: usize,
): i32 {
  let above = 0;
  for (let run = 0; run < count; run++) {
    const at = runs + RUN_BYTES * (run as usize);
    const row = load<i32>(at);
    store<i32>(parents + NUMBER_BYTES * (run as usize), run);
    while (load<i32>(runs + RUN_BYTES * (above as usize)) < row - 1) above++;
    for (let other = above; load<i32>(runs + RUN_BYTES * (other as usize)) < row; other++) {
      const beside = runs + RUN_BYTES * (other as usize);
      if (load<i32>(beside, 4) < load<i32>(at, 8) && load<i32>(at, 4) < load<i32>(beside, 8))
        store<i32>(parents + NUMBER_BYTES * (rootOf(other, parents) as usize), run);
    }
    // Width 0 marks an empty box.
    memory.fill(boxes + BOX_BYTES * (run as usize), 0, BOX_BYTES);
  }
  for (let run = 0; run < count; run++) {
    const at = runs + RUN_BYTES * (run as usize);
    addToBox(boxes + BOX_BYTES * (rootOf(run, parents) as usize), at);
  }
  let groups = 0;
  for (let run = 0; run < count; run++) {
    const box = boxes + BOX_BYTES * (rootOf(run, parents) as usize);
    const width = load<i32>(box, 8) - load<i32>(box);
    if (width >= minWidth) {
      memory.copy(out, box, BOX_BYTES);
      out += BOX_BYTES;
      groups++;
    }
    // Set by the group's first run only.
    store<i32>(box, load<i32>(box, 8));
  }
  return groups;
}

function rootOf(run: i32, parents: usize): i32 {
  let at = run;
  while (true) {
    const parent = load<i32>(parents + NUMBER_BYTES * (at as usize));
    if (parent === at) return at;
    at = parent;
  }
}

/** Runs arrive in ascending rows. */
function addToBox(box: usize, run: usize): void {
  const isEmpty = load<i32>(box, 8) === 0;
  const left = load<i32>(run, 4);
  store<i32>(box, isEmpty ? left : min(load<i32>(box), left));
  if (isEmpty) store<i32>(box, load<i32>(run), 4);
  store<i32>(box, max(load<i32>(box, 8), load<i32>(run, 8)), 8);
  store<i32>(box, load<i32>(run) + 1, 12);
}
