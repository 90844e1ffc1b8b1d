import { ByteHistogram } from './histogram.ts';
import { EDGE_LEVELS } from './ink.ts';
import { type PixelBox, ROW_STEP } from './regions.ts';

/** Ink cut out of a look, or out of the mean of several. */
export interface InkPatch {
  /** Where, in pixels of a look. */
  readonly box: PixelBox;
  readonly isBright: boolean;
  /** One byte per pixel of the box: 1 for ink. */
  readonly mask: Uint8Array;
  /** Grey levels of the same pixels. */
  readonly levels: Uint8Array;
}

/** One line of ink inside a track's box: columns and rows (every ROW_STEP-th of the picture), ends exclusive. */
export interface TextLine {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** Mean number of separate strokes that a row crosses. */
  readonly strokes: number;
}

/** Least height of a line, pixels. */
const MIN_HEIGHT = 8;
/** A word at least: width in heights, strokes across, and the distance of strokes in heights. */
const MIN_ASPECT = 1.8;
const MIN_STROKES = 3.2;
const PITCH = [0.18, 1.3] as const;
/** Least share of edges with contrast, and of strokes of one width. */
const MIN_CONTRASTED = 0.75;
const MIN_EVENNESS = 0.7;
/** The most contrasting of so many pixels beside a stroke counts: an outline may be one pixel thin. */
const BESIDE = 3;
/** Levels about the median that count as one tone. */
export const ONE_TONE_LEVELS = 30;
/** Rows of a look: outlines are thinner, boxes behind text reach farther. */
const BEYOND_OUTLINE = 2;
/** Of the levels of blurred strokes, and of a line's rows, so small a share is no measure. */
const TAIL = 0.1;

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
  /** Median level a little farther away. */
  readonly aroundLevel: number;
  /** 0..1: share of the edges with contrast, times that of the strokes with about one width. */
  readonly likeness: number;
  /** Mean width of upright strokes over the height of their line's ink. */
  readonly strokeWidth: number;
  /** Pixels of ink in each column of the box: the same words have the same wherever they stand. */
  readonly columns: Uint16Array;
}

/** Measures ink; its counters are used anew for every patch. */
export class TextReader {
  readonly #line: Sample = emptySample();
  readonly #ink = new ByteHistogram();
  readonly #beside = new ByteHistogram();

  /**
   * Keeps the lines that look like text: many strokes of about one width, close together, with contrast at
   * nearly every edge. Null when there is none.
   */
  read(patch: InkPatch): TextLook | null {
    const { box, mask, isBright } = patch;
    const width = box.right - box.left;
    const lines: TextLine[] = [];
    let likeness = 0;
    let strokeWidths = 0;
    this.#ink.clear();
    this.#beside.clear();
    for (const line of findLines(mask, width, box.bottom - box.top)) {
      if (!isLineShaped(line)) continue;
      sampleLine(patch, line, this.#line);
      const found = textLikeness(this.#line);
      if (found === 0) continue;
      lines.push(line);
      strokeWidths += strokeWidth(this.#line.runs) / ((line.bottom - line.top) * ROW_STEP);
      this.#ink.merge(this.#line.ink);
      this.#beside.merge(this.#line.beside);
      likeness = Math.max(likeness, found);
    }
    if (lines.length === 0) return null;
    const besideLevel = this.#beside.quantile(0.5);
    const left = Math.min(...lines.map((line) => line.left));
    const right = Math.max(...lines.map((line) => line.right));
    return {
      lines,
      columns: countColumns(mask, width, lines, left, right),
      box: {
        left: box.left + left,
        right: box.left + right,
        top: box.top + lines[0].top,
        bottom: box.top + lines.at(-1)!.bottom,
      },
      inkLevel: this.#ink.quantile(isBright ? 1 - TAIL : TAIL),
      besideLevel,
      besideEvenness: this.#beside.share(besideLevel - ONE_TONE_LEVELS, besideLevel + ONE_TONE_LEVELS),
      aroundLevel: this.#aroundLevel(patch, lines),
      likeness,
      strokeWidth: strokeWidths / lines.length,
    };
  }

  /** Median level just above and below the lines, beyond any outline and still inside a box behind them. */
  #aroundLevel({ box, levels }: InkPatch, lines: readonly TextLine[]): number {
    const width = box.right - box.left;
    this.#beside.clear();
    for (const line of [lines[0], lines.at(-1)!]) {
      for (const y of [line.top - 1 - BEYOND_OUTLINE, line.bottom + BEYOND_OUTLINE]) {
        if (y < 0 || y >= box.bottom - box.top) continue;
        for (let x = line.left; x < line.right; x += 2) this.#beside.add(levels[y * width + x]);
      }
    }
    return this.#beside.quantile(0.5);
  }
}

function countColumns(
  mask: Uint8Array,
  width: number,
  lines: readonly TextLine[],
  left: number,
  right: number,
): Uint16Array {
  const counts = new Uint16Array(right - left);
  for (const { top, bottom } of lines) {
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) counts[x - left] += mask[y * width + x];
  }
  return counts;
}

function isLineShaped(line: TextLine): boolean {
  const height = (line.bottom - line.top) * ROW_STEP;
  const width = line.right - line.left;
  const pitch = width / line.strokes / height;
  return (
    height >= MIN_HEIGHT &&
    width >= MIN_ASPECT * height &&
    line.strokes >= MIN_STROKES &&
    pitch >= PITCH[0] &&
    pitch <= PITCH[1]
  );
}

interface Sample {
  readonly ink: ByteHistogram;
  readonly beside: ByteHistogram;
  /** Lengths of the horizontal runs of ink. */
  readonly runs: ByteHistogram;
}

function emptySample(): Sample {
  return { ink: new ByteHistogram(), beside: new ByteHistogram(), runs: new ByteHistogram() };
}

/** What runs along a letter's bars is longer than what crosses its stems. */
function strokeWidth(runs: ByteHistogram): number {
  return runs.meanUpTo(2 * runs.quantile(0.5));
}

function textLikeness({ ink, beside, runs }: Sample): number {
  const level = ink.quantile(0.5);
  const width = runs.quantile(0.5);
  const contrasted = 1 - beside.share(level - EDGE_LEVELS + 1, level + EDGE_LEVELS - 1);
  const even = runs.share(Math.ceil((width - 1) / 2), 2 * width + 1);
  return contrasted < MIN_CONTRASTED || even < MIN_EVENNESS ? 0 : contrasted * even;
}

/** Bands of inked rows; a band's ink ends where its rows hold less than a tenth of its fullest row's. */
function findLines(mask: Uint8Array, width: number, height: number): TextLine[] {
  const counts = new Uint32Array(height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) counts[y] += mask[y * width + x];
  }
  let fullest = 0;
  for (const count of counts) if (count > fullest) fullest = count;
  const least = Math.max(2, TAIL * fullest);
  const lines: TextLine[] = [];
  for (let y = 0; y < height; y++) {
    if (counts[y] < least) continue;
    const top = y;
    while (y < height && counts[y] >= least) y++;
    if (y - top < MIN_HEIGHT / ROW_STEP) continue;
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
function sampleLine({ box, mask, levels, isBright }: InkPatch, line: TextLine, out: Sample): void {
  out.ink.clear();
  out.beside.clear();
  out.runs.clear();
  const width = box.right - box.left;
  for (let y = line.top; y < line.bottom; y++) {
    const row = y * width;
    const end = row + line.right;
    for (let at = row + line.left; at < end; at++) {
      if (mask[at] === 0) continue;
      const start = at;
      for (; at < end && mask[at] === 1; at++) out.ink.add(levels[at]);
      out.runs.add(Math.min(255, at - start));
      if (start - row >= BESIDE) out.beside.add(extreme(levels, start - BESIDE, isBright));
      if (at - row + BESIDE <= width) out.beside.add(extreme(levels, at, isBright));
    }
  }
}

/** The darkest of so many pixels from `from` on, beside bright ink; the brightest beside dark. */
function extreme(levels: Uint8Array, from: number, isBright: boolean): number {
  let value = levels[from];
  for (let at = from + 1; at < from + BESIDE; at++) {
    if (isBright ? levels[at] < value : levels[at] > value) value = levels[at];
  }
  return value;
}
