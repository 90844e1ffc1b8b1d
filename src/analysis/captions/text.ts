import { ByteHistogram } from './histogram.ts';
import { EDGE_LEVELS } from './ink.ts';
import { type InkPatch, LineKernel, type LineSample, type TextLine } from './lines.ts';
import type { PixelBox } from './patch.ts';
import { ROW_STEP } from './regions.ts';

/** Least height of a line, pixels; lower ones must be long and clear. */
const MIN_HEIGHT = 8;
const MIN_SMALL_HEIGHT = 4;
/** Least strokes and likeness of a clear line, either pair: patterns of a scene with as many strokes reach .65 to .83. */
const CLEAR = [
  { strokes: 10, likeness: 0.8 },
  { strokes: 6, likeness: 0.9 },
] as const;
/** Least size of a word: width in heights, strokes across, and the distance of strokes in heights. */
const MIN_ASPECT = 1.8;
const MIN_STROKES = 3.2;
const PITCH = [0.18, 1.3] as const;
/** Least share of edges with contrast, and of strokes of one width. */
const MIN_CONTRASTED = 0.75;
const MIN_EVENNESS = 0.7;
/** The pixel of most contrast among this many beside a stroke counts: an outline may be one pixel thin. */
const BESIDE = 3;
/** Largest distance from the median, in levels, of one tone. */
export const ONE_TONE_LEVELS = 30;
/** Rows of a sample: outlines are thinner, boxes behind text reach farther. */
const BEYOND_OUTLINE = 2;
/** This share at the ends of the levels of blurred strokes, and of a line's rows, is ignored. */
const TAIL = 0.1;
/** Lines end at rows with less ink than this; ink is cut off both ends after gaps of two line heights. */
const LINE = { minInk: 2, tail: TAIL, minRows: MIN_SMALL_HEIGHT / ROW_STEP, gap: 2 * ROW_STEP } as const;

/** Position and shape of the text in a track. */
export interface TextShape {
  readonly lines: readonly TextLine[];
  /** Around the ink, in pixels of a sample. */
  readonly box: PixelBox;
  /** Level of the ink, near its extreme, because thin strokes are blurred. */
  readonly inkLevel: number;
  /** Median level right beside the ink, and the share of points near it. */
  readonly besideLevel: number;
  readonly besideEvenness: number;
  /** Median level a little farther away. */
  readonly aroundLevel: number;
  /** 0..1: share of the edges with contrast, times the share of the strokes with about one width. */
  readonly likeness: number;
  /** One of its lines has many strokes, and looks much like text. */
  readonly isClear: boolean;
  /** Mean width of upright strokes over the height of their line's ink. */
  readonly strokeWidth: number;
  /** Pixels of ink in each column of the box: the same words have the same columns in any place. */
  readonly columns: Uint16Array;
}

/** Measures ink; its kernel is reused for each patch. */
export class TextReader {
  readonly #kernel = new LineKernel();

  /**
   * Selects the lines that look like text: many strokes of about one width, close together, with contrast at
   * nearly every edge. Null if there are none.
   */
  read(patch: InkPatch): TextShape | null {
    const { box, isBright } = patch;
    const lines: TextLine[] = [];
    let likeness = 0;
    let strokeWidths = 0;
    let hasClearLine = false;
    const [ink, beside] = [new ByteHistogram(), new ByteHistogram()];
    this.#kernel.load(patch);
    for (const line of this.#kernel.find(LINE)) {
      if (!isLineShaped(line)) continue;
      const sample = this.#kernel.sample(line, BESIDE, isBright);
      const found = textLikeness(sample);
      const isClear = CLEAR.some((least) => line.strokes >= least.strokes && found >= least.likeness);
      if (found === 0 || (isLow(line) && !isClear)) continue;
      hasClearLine ||= isClear;
      lines.push(line);
      strokeWidths += strokeWidth(sample.runs) / ((line.bottom - line.top) * ROW_STEP);
      ink.merge(sample.ink);
      beside.merge(sample.beside);
      likeness = Math.max(likeness, found);
    }
    if (lines.length === 0) return null;
    const besideLevel = beside.quantile(0.5);
    const left = Math.min(...lines.map((line) => line.left));
    const right = Math.max(...lines.map((line) => line.right));
    return {
      lines,
      columns: this.#kernel.columns(lines, left, right),
      box: {
        left: box.left + left,
        right: box.left + right,
        top: box.top + lines[0].top,
        bottom: box.top + lines.at(-1)!.bottom,
      },
      inkLevel: ink.quantile(isBright ? 1 - TAIL : TAIL),
      besideLevel,
      besideEvenness: beside.share(besideLevel - ONE_TONE_LEVELS, besideLevel + ONE_TONE_LEVELS),
      aroundLevel: this.#aroundLevel(box, lines),
      likeness,
      isClear: hasClearLine,
      strokeWidth: strokeWidths / lines.length,
    };
  }

  /** Median level just above and below the lines, beyond any outline but still inside a box behind them. */
  #aroundLevel(box: PixelBox, lines: readonly TextLine[]): number {
    const levels = new ByteHistogram();
    for (const { top, bottom, left, right } of [lines[0], lines.at(-1)!]) {
      const rows = [top - 1 - BEYOND_OUTLINE, bottom + BEYOND_OUTLINE];
      const inside = rows.filter((row) => row >= 0 && row < box.bottom - box.top);
      levels.merge(this.#kernel.sampleRows(inside, left, right, 2));
    }
    return levels.quantile(0.5);
  }
}

function isLineShaped(line: TextLine): boolean {
  const height = (line.bottom - line.top) * ROW_STEP;
  const width = line.right - line.left;
  const pitch = width / line.strokes / height;
  return (
    width >= MIN_ASPECT * height && line.strokes >= MIN_STROKES && pitch >= PITCH[0] && pitch <= PITCH[1]
  );
}

function isLow({ top, bottom }: TextLine): boolean {
  return (bottom - top) * ROW_STEP < MIN_HEIGHT;
}

/** Runs along a letter's bars are longer than runs across its stems. */
function strokeWidth(runs: ByteHistogram): number {
  return runs.meanUpTo(2 * runs.quantile(0.5));
}

function textLikeness({ ink, beside, runs }: LineSample): number {
  const level = ink.quantile(0.5);
  const width = runs.quantile(0.5);
  const contrasted = 1 - beside.share(level - EDGE_LEVELS + 1, level + EDGE_LEVELS - 1);
  const even = runs.share(Math.ceil((width - 1) / 2), 2 * width + 1);
  return contrasted < MIN_CONTRASTED || even < MIN_EVENNESS ? 0 : contrasted * even;
}
