import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { Yuv } from './composite.ts';
import type { GradeKernel } from './grade-kernel.ts';
import { copyIn, copyOut, type PlacedPlane, placePicture } from './placed-picture.ts';

/** A part of a picture in luma pixels; edges may lie between pixels. */
export interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface ResampleExports extends KernelExports {
  /** All but the counts are addresses; see `kernels/render/picture/resample.ts`. */
  readonly resample: (
    source: number,
    rows: number,
    columns: number,
    weights: number,
    line: number,
    lineWidth: number,
    target: number,
    targetStride: number,
    width: number,
    height: number,
  ) => void;
}

const TAPS = 4;
const ONE = 1 << 14;
const ROW_BYTES = 24;

/**
 * Draws a window of one picture into another with sub-pixel positions, so that a framing moves smoothly. Meant for scales near 1: scale
 * the picture down first where it is to shrink by much. Catmull-Rom passes through the samples, so that a window on whole pixels changes
 * nothing (Keys 1981, a = −1/2).
 */
export class Resampler {
  readonly #kernel: ResampleExports;
  readonly #grade: GradeKernel | null;

  /** `grade`: applied to the result in the same memory, which saves a copy; null: no grade. */
  constructor(grade: GradeKernel | null = null) {
    this.#grade = grade;
    this.#kernel = instantiateKernel(new URL('resample.wasm', import.meta.url), grade?.memory);
  }

  /** May also write the padding between the rows of `to`. */
  draw(from: Yuv, window: Window, to: Yuv): void {
    const { source, target, tables } = this.#layOut(from, to);
    const bytes = new Uint8Array(this.#kernel.memory.buffer);
    copyIn(bytes, from, source);
    const scaleX = window.width / to[0].width;
    const scaleY = window.height / to[0].height;
    for (let plane = 0; plane < 3; plane++) {
      // 4:2:0 as in MPEG-2: chroma lies on every other luma column, and between two luma rows.
      const [x, y] =
        plane === 0
          ? [window.x + scaleX / 2 - 0.5, window.y + scaleY / 2 - 0.5]
          : [(window.x + scaleX / 2 - 0.5) / 2, (window.y + scaleY - 1) / 2];
      this.#drawPlane(source[plane], target[plane], tables, { x, y, scaleX, scaleY });
    }
    this.#grade?.applyInMemory(target);
    copyOut(bytes, target, to);
  }

  #drawPlane(
    source: PlacedPlane,
    target: PlacedPlane,
    tables: Tables,
    place: { x: number; y: number; scaleX: number; scaleY: number },
  ): void {
    const view = new DataView(this.#kernel.memory.buffer);
    // Rounded up to whole vectors; the samples after the row are unused.
    for (let column = 0; column < vectorsOf(target.width); column++) {
      const base = tapsAt(
        place.x + column * place.scaleX,
        source.width,
        view,
        tables.weights + column * 2 * TAPS,
      );
      // The working line begins one sample before the row.
      view.setInt32(tables.columns + 4 * column, 2 * base, true);
    }
    for (let row = 0; row < target.height; row++) {
      const entry = tables.rows + row * ROW_BYTES;
      const base = tapsAt(place.y + row * place.scaleY, source.height, view, entry + 4 * TAPS);
      for (let tap = 0; tap < TAPS; tap++) {
        const line = Math.min(source.height - 1, Math.max(0, base - 1 + tap));
        view.setInt32(entry + 4 * tap, line * source.stride, true);
      }
    }
    this.#kernel.resample(
      source.address,
      tables.rows,
      tables.columns,
      tables.weights,
      tables.line,
      source.width,
      target.address,
      target.stride,
      target.width,
      target.height,
    );
  }

  /** Addresses in the kernel's memory, which grows to hold them. */
  #layOut(from: Yuv, to: Yuv) {
    const layout = new KernelLayout(this.#grade?.picturesStart);
    // Sized for luma, the largest plane.
    const tables = {
      rows: layout.take(to[0].height * ROW_BYTES),
      columns: layout.take(vectorsOf(to[0].width) * 4),
      weights: layout.take(vectorsOf(to[0].width) * 2 * TAPS),
      line: layout.take(2 * (from[0].width + TAPS)),
    };
    const source = placePicture(layout, from, ({ stride }) => stride);
    // The target's stride if it is a whole number of vectors, so that each plane is copied at once.
    const target = placePicture(layout, to, ({ stride, width }) =>
      stride % 4 === 0 && stride >= width ? stride : vectorsOf(width),
    );
    reserveBytes(this.#kernel.memory, layout.bytes);
    return { tables, source, target };
  }
}

interface Tables {
  readonly rows: number;
  readonly columns: number;
  readonly weights: number;
  readonly line: number;
}

/** Width rounded up to the kernel's vectors of four samples. */
function vectorsOf(width: number): number {
  return 4 * Math.ceil(width / 4);
}

/**
 * Writes the weights of the four samples around a position, in 14 fractional bits, and returns the number of the second one. Positions
 * outside are clamped to the outermost sample.
 */
function tapsAt(position: number, count: number, view: DataView, at: number): number {
  const inside = Math.min(count - 1, Math.max(0, position));
  const base = Math.floor(inside);
  const t = inside - base;
  const before = Math.round(ONE * t * (-0.5 + t * (1 - 0.5 * t)));
  const after = Math.round(ONE * t * (0.5 + t * (2 - 1.5 * t)));
  const last = Math.round(ONE * t * t * (-0.5 + 0.5 * t));
  view.setInt16(at, before, true);
  view.setInt16(at + 2, ONE - before - after - last, true);
  view.setInt16(at + 4, after, true);
  view.setInt16(at + 6, last, true);
  return base;
}
