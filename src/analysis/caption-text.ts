import { type PixelBox, ROW_STEP } from './caption-regions.ts';
import type { CaptionTrack } from './caption-track.ts';

/** One line of ink inside a track's box: columns and rows (every ROW_STEP-th of the picture), ends exclusive. */
export interface TextLine {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** Mean number of separate strokes that a row crosses. */
  readonly strokes: number;
}

/** Least height of a line, pixels and share of the picture, and most share. */
const LEAST_HEIGHT = 8;
const LEAST_HEIGHT_SHARE = 0.014;
const MOST_HEIGHT_SHARE = 0.17;
/** A word at least: width in heights, strokes across, and the distance of strokes in heights. */
const LEAST_ASPECT = 1.8;
const LEAST_STROKES = 4;
const PITCH = [0.18, 1.3] as const;
/** Grey levels between the ink and what lies beside it, and the share of places where it must be so. */
const CONTRAST = 60;
const LEAST_CONTRASTED = 0.75;
const LEAST_EVENNESS = 0.7;
/** The most contrasting of so many pixels beside a stroke counts: an outline may be one pixel thin. */
const BESIDE = 3;

/** Text in a track: where and of what looks. */
export interface TextLook {
  readonly lines: readonly TextLine[];
  /** Around the ink, in pixels of a look. */
  readonly box: PixelBox;
  /** Level of the ink: near its extreme, as thin strokes are blurred. */
  readonly inkLevel: number;
  /** Median level right beside the ink, and the share of places that are near it. */
  readonly besideLevel: number;
  readonly besideEvenness: number;
  /** 0..1: share of the edges with contrast, times that of the strokes with about one width. */
  readonly likeness: number;
}

/**
 * Measures a track's ink on its mean picture and keeps the lines that look like text: many strokes of about one
 * width, close together, with contrast at nearly every edge. Null when there is none.
 */
export function lookAtText(track: CaptionTrack, pictureRows: number): TextLook | null {
  const mask = track.mask();
  const levels = Float32Array.from(track.sums, (sum) => sum / track.looks);
  const lines: TextLine[] = [];
  const ink: number[] = [];
  const beside: number[] = [];
  let likeness = 0;
  for (const line of findLines(mask, track.width, track.height)) {
    if (!isLineShaped(line, pictureRows)) continue;
    const sample = sampleLine(mask, levels, track.width, line, track.polarity === 'bright');
    const found = textLikeness(sample);
    if (found === 0) continue;
    lines.push(line);
    ink.push(...sample.ink);
    beside.push(...sample.beside);
    likeness = Math.max(likeness, found);
  }
  if (lines.length === 0) return null;
  const besideLevel = median(beside);
  ink.sort((a, b) => a - b);
  return {
    lines,
    box: {
      left: track.box.left + Math.min(...lines.map((line) => line.left)),
      right: track.box.left + Math.max(...lines.map((line) => line.right)),
      top: track.box.top + lines[0].top,
      bottom: track.box.top + lines.at(-1)!.bottom,
    },
    inkLevel: ink[Math.floor((track.polarity === 'bright' ? 0.9 : 0.1) * ink.length)],
    besideLevel,
    besideEvenness: share(beside, (level) => Math.abs(level - besideLevel) <= 30),
    likeness,
  };
}

function isLineShaped(line: TextLine, pictureRows: number): boolean {
  const height = (line.bottom - line.top) * ROW_STEP;
  const width = line.right - line.left;
  const pitch = width / line.strokes / height;
  return (
    height >= Math.max(LEAST_HEIGHT, LEAST_HEIGHT_SHARE * pictureRows * ROW_STEP) &&
    height <= MOST_HEIGHT_SHARE * pictureRows * ROW_STEP &&
    width >= LEAST_ASPECT * height &&
    line.strokes >= LEAST_STROKES &&
    pitch >= PITCH[0] &&
    pitch <= PITCH[1]
  );
}

interface Sample {
  readonly ink: number[];
  readonly beside: number[];
  readonly runs: number[];
}

function textLikeness(sample: Sample): number {
  const level = median(sample.ink);
  const width = median(sample.runs);
  const contrasted = share(sample.beside, (value) => Math.abs(value - level) >= CONTRAST);
  const even = share(sample.runs, (run) => run <= 2 * width + 1 && 2 * run + 1 >= width);
  return contrasted < LEAST_CONTRASTED || even < LEAST_EVENNESS ? 0 : contrasted * even;
}

/** Bands of inked rows; a band's ink ends where its rows hold less than a tenth of its fullest row's. */
function findLines(mask: Uint8Array, width: number, height: number): TextLine[] {
  const counts = new Uint32Array(height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) counts[y] += mask[y * width + x];
  }
  let fullest = 0;
  for (const count of counts) if (count > fullest) fullest = count;
  const least = Math.max(2, 0.1 * fullest);
  const lines: TextLine[] = [];
  for (let y = 0; y < height; y++) {
    if (counts[y] < least) continue;
    const top = y;
    while (y < height && counts[y] >= least) y++;
    if (y - top < LEAST_HEIGHT / ROW_STEP) continue;
    const line = describeLine(mask, width, top, y);
    if (line !== null) lines.push(line);
  }
  return lines;
}

/** Trims stray ink off both ends: a line goes on while its gaps are below two of its heights. */
function describeLine(mask: Uint8Array, width: number, top: number, bottom: number): TextLine | null {
  const height = bottom - top;
  let best: { left: number; right: number; ink: number } | null = null;
  let left = -1;
  let lastInked = -1;
  let ink = 0;
  const close = (): void => {
    if (left >= 0 && (best === null || ink > best.ink)) best = { left, right: lastInked + 1, ink };
  };
  for (let x = 0; x < width; x++) {
    let inked = 0;
    for (let y = top; y < bottom; y++) inked += mask[y * width + x];
    if (inked === 0) continue;
    if (left < 0 || x - lastInked > 2 * height * ROW_STEP) {
      close();
      left = x;
      ink = 0;
    }
    ink += inked;
    lastInked = x;
  }
  close();
  if (best === null) return null;
  const { left: from, right: to } = best as { left: number; right: number };
  let strokes = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = from; x < to; x++) {
      if (mask[y * width + x] === 1 && (x === from || mask[y * width + x - 1] === 0)) strokes++;
    }
  }
  return { top, bottom, left: from, right: to, strokes: strokes / height };
}

/** The levels of a line's ink and of what lies right beside it, and the lengths of its horizontal runs. */
function sampleLine(
  mask: Uint8Array,
  levels: Float32Array,
  width: number,
  line: TextLine,
  bright: boolean,
): Sample {
  const ink: number[] = [];
  const beside: number[] = [];
  const runs: number[] = [];
  for (let y = line.top; y < line.bottom; y++) {
    for (let x = line.left; x < line.right; x++) {
      if (mask[y * width + x] === 0) continue;
      const start = x;
      while (x < line.right && mask[y * width + x] === 1) {
        ink.push(levels[y * width + x]);
        x++;
      }
      runs.push(x - start);
      const row = y * width;
      if (start >= BESIDE) beside.push(extreme(levels.subarray(row + start - BESIDE, row + start), bright));
      if (x + BESIDE <= width) beside.push(extreme(levels.subarray(row + x, row + x + BESIDE), bright));
    }
  }
  return { ink, beside, runs };
}

function extreme(levels: Float32Array, bright: boolean): number {
  let value = levels[0];
  for (const level of levels) if (bright ? level < value : level > value) value = level;
  return value;
}

function share(values: readonly number[], holds: (value: number) => boolean): number {
  let count = 0;
  for (const value of values) if (holds(value)) count++;
  return values.length === 0 ? 0 : count / values.length;
}

function median(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.toSorted((a, b) => a - b)[values.length >> 1];
}
