import { mean, standardDeviation } from '../../signal/statistics.ts';

/** A section is at least this long. */
const MIN_SECONDS = 6;
/**
 * Distance across a boundary, in standard deviations above the usual distance. 63 constructed boundaries: 1.2 finds
 * half, .2 nine tenths.
 */
const MIN_PROMINENCE = 0.2;
/** Distance, in decibels of one band, below which nothing has changed. */
const MIN_DISTANCE = 1.5;
/** Weight of a whole change of harmony, in decibels of one band. */
const HARMONY_DB = 6;

/** A bar, or a time range where there are no bars. */
export interface Cell {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Bass, middle, treble. */
  readonly levelsDb: readonly number[];
  /** Empty: not measured. */
  readonly chroma: readonly number[];
}

/** Distance between the cells before and after the start of each cell, over `reach` cells on both sides. */
function noveltyOf(cells: readonly Cell[], reach: number): number[] {
  return cells.map((_, at) => {
    if (at === 0) return 0;
    const size = Math.min(reach, at, cells.length - at);
    if (size < Math.min(2, reach)) return 0;
    return distance(cells.slice(at - size, at), cells.slice(at, at + size));
  });
}

/** Numbers of the cells that begin a section, including 0. */
export function sectionStarts(cells: readonly Cell[], reach: number): number[] {
  const novelty = noveltyOf(cells, reach);
  const limit = Math.max(MIN_DISTANCE, mean(novelty) + MIN_PROMINENCE * standardDeviation(novelty));
  const candidates = novelty
    .map((value, at) => ({ value, at }))
    .filter(
      ({ value, at }) => value >= limit && value === Math.max(...novelty.slice(Math.max(0, at - 2), at + 3)),
    )
    .sort((a, b) => b.value - a.value);
  const end = cells.at(-1)?.endSeconds ?? 0;
  const starts = [0];
  for (const { at } of candidates) {
    const time = cells[at].startSeconds;
    const isApart = starts.every((start) => Math.abs(cells[start].startSeconds - time) >= MIN_SECONDS);
    if (isApart && end - time >= MIN_SECONDS) starts.push(at);
  }
  return starts.sort((a, b) => a - b);
}

function distance(before: readonly Cell[], after: readonly Cell[]): number {
  const levels = before[0].levelsDb.map(
    (_, band) =>
      mean(before.map((cell) => cell.levelsDb[band])) - mean(after.map((cell) => cell.levelsDb[band])),
  );
  const chroma = before[0].chroma.map(
    (_, pitch) =>
      mean(before.map((cell) => cell.chroma[pitch])) - mean(after.map((cell) => cell.chroma[pitch])),
  );
  return Math.hypot(...levels, HARMONY_DB * Math.hypot(...chroma));
}
