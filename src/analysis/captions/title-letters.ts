import { type Picture, RGB } from '../../domain/footage.ts';
import { standardDeviation } from '../../signal/statistics.ts';
import type { TitleSample } from '../title-facts.ts';
import type { PixelBox } from './patch.ts';

/** Luma of 8-bit RGB in 256ths (ITU-R BT.709-6, section 3). */
const LUMA = [54, 183, 19] as const;
/** Area around the text in which its letters are searched, in type sizes. */
const MARGIN_EM = 0.35;
/** Largest distance of letters from their tone, and their largest variation over time, levels. */
const MAX_TONE_DISTANCE = 45;
const MAX_VARIATION = 14;
/** Longest run of letters without a gap, in type sizes: a bar of a T has .7. */
const MAX_RUN_EM = 1;
/** Distance of the points beside the letters, in pixels: beyond their blurred edge. */
const BESIDE = [2, 4] as const;
/** Most points of each kind that are compared. */
const MAX_POINTS = 500;
const MIN_POINTS = 40;
/** Rows of ink farther apart are two lines, in type sizes; a lower line is a mark. */
const LINE_GAP_EM = 0.1;
const MIN_LINE_EM = 0.25;

export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Points of a title's letters and right beside them. */
export interface Letters {
  /** Around the ink of each line, from top to bottom. */
  readonly lines: readonly PixelBox[];
  /** x and y of each point. */
  readonly ink: Int16Array;
  readonly beside: Int16Array;
  /** Mean level of the ink. */
  readonly level: number;
  /** 1: brighter than its background. */
  readonly sign: 1 | -1;
}

export function greyOf({ width, height, data }: Picture): Grey {
  const grey = new Uint8Array(width * height);
  for (let i = 0, at = 0; i < grey.length; i++, at += RGB)
    grey[i] = (LUMA[0] * data[at]! + LUMA[1] * data[at + 1]! + LUMA[2] * data[at + 2]!) >> 8;
  return { width, height, data: grey };
}

/** The letters that all pictures show; null: too few. */
export function findLetters(pictures: readonly Grey[], sample: TitleSample): Letters | null {
  const { width, height } = pictures[0]!;
  const em = sample.lineHeight * height;
  const area = areaOf(sample, { width, height }, MARGIN_EM * em);
  const [columns, rows] = [area.right - area.left, area.bottom - area.top];
  const mask = new Uint8Array(columns * rows);
  const levels = new Float32Array(pictures.length);
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const at = (area.top + y) * width + area.left + x;
      let sum = 0;
      for (let i = 0; i < pictures.length; i++) sum += levels[i] = pictures[i]!.data[at]!;
      const isNear = Math.abs(sum / pictures.length - sample.inkLevel) <= MAX_TONE_DISTANCE;
      if (isNear && standardDeviation(levels) <= MAX_VARIATION) mask[y * columns + x] = 1;
    }
  }
  dropLongRuns(mask, columns, rows, MAX_RUN_EM * em);
  const lines = linesIn(mask, columns, rows, em);
  if (lines.length === 0) return null;
  const [ink, beside] = pointsOf(mask, columns, rows, lines);
  if (Math.min(ink.length, beside.length) < 2 * MIN_POINTS) return null;
  const shift = (points: number[]) => {
    const chosen = thinned(points);
    return Int16Array.from(chosen, (value, index) => value + (index % 2 === 0 ? area.left : area.top));
  };
  const moved = lines.map(({ left, top, right, bottom }) => ({
    left: left + area.left,
    right: right + area.left,
    top: top + area.top,
    bottom: bottom + area.top,
  }));
  const letters = { lines: moved, ink: shift(ink), beside: shift(beside) };
  const meanOf = (points: Int16Array) => {
    let sum = 0;
    for (let i = 0; i < points.length; i += 2)
      for (const { data } of pictures) sum += data[points[i + 1]! * width + points[i]!]!;
    return sum / (pictures.length * (points.length / 2));
  };
  const level = meanOf(letters.ink);
  return { ...letters, level, sign: level >= meanOf(letters.beside) ? 1 : -1 };
}

function areaOf(
  { box }: TitleSample,
  { width, height }: Pick<Grey, 'width' | 'height'>,
  margin: number,
): PixelBox {
  return {
    left: Math.max(0, Math.floor(box.x * width - margin)),
    top: Math.max(0, Math.floor(box.y * height - margin)),
    right: Math.min(width, Math.ceil((box.x + box.width) * width + margin)),
    bottom: Math.min(height, Math.ceil((box.y + box.height) * height + margin)),
  };
}

/** Background of the ink's tone is in longer runs than letters. */
function dropLongRuns(mask: Uint8Array, columns: number, rows: number, longest: number): void {
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; ) {
      let end = x;
      while (end < columns && mask[y * columns + end] === 1) end++;
      if (end - x > longest) mask.fill(0, y * columns + x, y * columns + end);
      x = end + 1;
    }
  }
}

function linesIn(mask: Uint8Array, columns: number, rows: number, em: number): PixelBox[] {
  const lines: PixelBox[] = [];
  const counts = Array.from({ length: rows }, (_, y) => {
    let count = 0;
    for (let x = 0; x < columns; x++) count += mask[y * columns + x]!;
    return count;
  });
  const least = Math.max(2, 0.1 * Math.max(...counts));
  let top = -1;
  let last = -1;
  const close = () => {
    if (top >= 0 && last + 1 - top >= MIN_LINE_EM * em)
      lines.push({ top, bottom: last + 1, ...extent(mask, columns, top, last + 1) });
    top = -1;
  };
  for (let y = 0; y < rows; y++) {
    if (counts[y]! < least) continue;
    if (top >= 0 && y - last > Math.max(2, LINE_GAP_EM * em)) close();
    if (top < 0) top = y;
    last = y;
  }
  close();
  return lines;
}

function extent(mask: Uint8Array, columns: number, top: number, bottom: number) {
  let [left, right] = [columns, 0];
  for (let x = 0; x < columns; x++) {
    let count = 0;
    for (let y = top; y < bottom; y++) count += mask[y * columns + x]!;
    if (count < 2) continue;
    left = Math.min(left, x);
    right = x + 1;
  }
  return { left, right };
}

/** Points in the letters, away from their edges where there are enough, and points beside them. */
function pointsOf(
  mask: Uint8Array,
  columns: number,
  rows: number,
  lines: readonly PixelBox[],
): [ink: number[], beside: number[]] {
  const [edge, core, beside]: [number[], number[], number[]] = [[], [], []];
  const inkAt = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < columns && y < rows && mask[y * columns + x] === 1;
  const isNear = (x: number, y: number, reach: number) => {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) if (inkAt(x + dx, y + dy)) return true;
    return false;
  };
  for (const { left, right, top, bottom } of lines) {
    for (let y = Math.max(0, top - BESIDE[1]); y < Math.min(rows, bottom + BESIDE[1]); y++) {
      for (let x = Math.max(0, left - BESIDE[1]); x < Math.min(columns, right + BESIDE[1]); x++) {
        if (inkAt(x, y)) {
          edge.push(x, y);
          if (inkAt(x - 1, y) && inkAt(x + 1, y) && inkAt(x, y - 1) && inkAt(x, y + 1)) core.push(x, y);
        } else if (!isNear(x, y, BESIDE[0] - 1) && isNear(x, y, BESIDE[1])) beside.push(x, y);
      }
    }
  }
  return [core.length >= 4 * MIN_POINTS ? core : edge, beside];
}

/** Every nth point. */
function thinned(points: readonly number[]): number[] {
  const step = Math.max(1, points.length / 2 / MAX_POINTS);
  const chosen: number[] = [];
  for (let at = 0; at < points.length / 2; at += step) {
    const index = 2 * Math.floor(at);
    chosen.push(points[index]!, points[index + 1]!);
  }
  return chosen;
}
