import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import { BYTE_VALUES, ByteHistogram } from './histogram.ts';
import type { PixelBox } from './patch.ts';

/** Ink cut out of a sample, or out of the mean of several. */
export interface InkPatch {
  /** Position in pixels of a sample. */
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

/** Sizes, rows and columns, and addresses; `kernels/analysis/captions/lines.ts` describes the memory. */
interface LinesExports extends KernelExports {
  findLines(
    mask: number,
    width: number,
    height: number,
    minInk: number,
    tail: number,
    minRows: number,
    gap: number,
    counts: number,
    out: number,
  ): number;
  sampleLine(
    mask: number,
    levels: number,
    width: number,
    top: number,
    bottom: number,
    left: number,
    right: number,
    reach: number,
    dark: boolean,
    ink: number,
    beside: number,
    runs: number,
  ): void;
  addLevels(levels: number, count: number, step: number, histogram: number): void;
  addColumns(
    mask: number,
    width: number,
    top: number,
    bottom: number,
    left: number,
    right: number,
    counts: number,
  ): void;
}

/** Limits of a line of ink. */
export interface LineLimits {
  /** Least ink of a row: pixels, and share of the fullest row's. */
  readonly minInk: number;
  readonly tail: number;
  readonly minRows: number;
  /** Widest gap between two columns with ink, in rows of the line. */
  readonly gap: number;
}

/** Levels of a line's ink and of the pixels right beside it, and the lengths of its horizontal runs. */
export interface LineSample {
  readonly ink: ByteHistogram;
  readonly beside: ByteHistogram;
  readonly runs: ByteHistogram;
}

const COUNT_BYTES = Uint32Array.BYTES_PER_ELEMENT;
/** Counts, and their total. */
const HISTOGRAM_LENGTH = BYTE_VALUES + 1;
/** Numbers per line: ends of its rows and columns, and strokes. */
const LINE_LENGTH = 5;

/** Lines of ink in one patch, in WebAssembly. Returned values are copies. */
export class LineKernel {
  readonly #run = instantiateKernel<LinesExports>(new URL('lines.wasm', import.meta.url));
  #width = 0;
  #height = 0;
  #mask = 0;
  #levels = 0;
  #histograms = 0;
  #counts = 0;
  #lines = 0;

  /** Loads the patch for all other methods. */
  load({ box, mask, levels }: InkPatch): void {
    this.#width = box.right - box.left;
    this.#height = box.bottom - box.top;
    const layout = new KernelLayout();
    this.#histograms = layout.take(3 * COUNT_BYTES * HISTOGRAM_LENGTH);
    this.#mask = layout.take(mask.length);
    this.#levels = layout.take(levels.length);
    this.#counts = layout.take(COUNT_BYTES * Math.max(this.#width, this.#height));
    // At least one row separates two lines.
    this.#lines = layout.take(COUNT_BYTES * LINE_LENGTH * Math.ceil(this.#height / 2));
    reserveBytes(this.#run.memory, layout.bytes);
    const bytes = new Uint8Array(this.#run.memory.buffer);
    bytes.set(mask, this.#mask);
    bytes.set(levels, this.#levels);
  }

  find({ minInk, tail, minRows, gap }: LineLimits): TextLine[] {
    const count = this.#run.findLines(
      this.#mask,
      this.#width,
      this.#height,
      minInk,
      tail,
      minRows,
      gap,
      this.#counts,
      this.#lines,
    );
    const found = new Int32Array(this.#run.memory.buffer, this.#lines, LINE_LENGTH * count);
    return Array.from({ length: count }, (_, line) => {
      const [top, bottom, left, right, strokes] = found.subarray(LINE_LENGTH * line);
      return { top: top!, bottom: bottom!, left: left!, right: right!, strokes: strokes! / (bottom! - top!) };
    });
  }

  /** Beside bright strokes the darkest of `reach` pixels counts; beside dark ones the brightest. */
  sample({ top, bottom, left, right }: TextLine, reach: number, isBright: boolean): LineSample {
    const bytes = COUNT_BYTES * HISTOGRAM_LENGTH;
    const [ink, beside, runs] = [this.#histograms, this.#histograms + bytes, this.#histograms + 2 * bytes];
    this.#clear(ink, 3 * bytes);
    this.#run.sampleLine(
      this.#mask,
      this.#levels,
      this.#width,
      top,
      bottom,
      left,
      right,
      reach,
      !isBright,
      ink,
      beside,
      runs,
    );
    return { ink: this.#read(ink), beside: this.#read(beside), runs: this.#read(runs) };
  }

  /** Every `step`-th level of these rows from `left` to `right`. */
  sampleRows(rows: readonly number[], left: number, right: number, step: number): ByteHistogram {
    this.#clear(this.#histograms, COUNT_BYTES * HISTOGRAM_LENGTH);
    for (const row of rows)
      this.#run.addLevels(this.#levels + row * this.#width + left, right - left, step, this.#histograms);
    return this.#read(this.#histograms);
  }

  /** Ink of these lines in each column from `left` to `right`. */
  columns(lines: readonly TextLine[], left: number, right: number): Uint16Array {
    this.#clear(this.#counts, COUNT_BYTES * (right - left));
    for (const { top, bottom } of lines)
      this.#run.addColumns(this.#mask, this.#width, top, bottom, left, right, this.#counts);
    return new Uint16Array(this.#run.memory.buffer, this.#counts, right - left).slice();
  }

  #clear(address: number, bytes: number): void {
    new Uint8Array(this.#run.memory.buffer, address, bytes).fill(0);
  }

  #read(histogram: number): ByteHistogram {
    return new ByteHistogram(new Uint32Array(this.#run.memory.buffer, histogram, HISTOGRAM_LENGTH).slice());
  }
}
