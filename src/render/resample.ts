import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../signal/kernel.ts';
import type { Plane, Yuv } from './composite.ts';

/** A part of a picture in its own luma pixels; edges may lie between pixels. */
export interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface ResampleExports extends KernelExports {
  /** All but the counts are addresses: `kernels/render/resample.ts` says what lies there. */
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
 * Draws a window of one picture into another, sampling between the pixels, so that a framing moves as smoothly as its
 * numbers do. Meant for scales near 1: a picture that is to shrink by much is to be scaled down first.
 * Catmull-Rom: passes through the samples, so that a window on whole pixels changes nothing (Keys 1981, a = −1/2).
 */
export class Resampler {
  readonly #kernel = instantiateKernel<ResampleExports>(new URL('resample.wasm', import.meta.url));

  draw(from: Yuv, window: Window, to: Yuv): void {
    const scaleX = window.width / to[0].width;
    const scaleY = window.height / to[0].height;
    for (let plane = 0; plane < 3; plane++) {
      const [source, target] = [from[plane]!, to[plane]!];
      // 4:2:0 as in MPEG-2: chroma lies on every other luma column, and between two luma rows.
      const [x, y] =
        plane === 0
          ? [window.x + scaleX / 2 - 0.5, window.y + scaleY / 2 - 0.5]
          : [(window.x + scaleX / 2 - 0.5) / 2, (window.y + scaleY - 1) / 2];
      this.#drawPlane(source, target, { x, y, scaleX, scaleY });
    }
  }

  #drawPlane(
    source: Plane,
    target: Plane,
    place: { x: number; y: number; scaleX: number; scaleY: number },
  ): void {
    const at = this.#layOut(source, target);
    const { memory } = this.#kernel;
    const bytes = new Uint8Array(memory.buffer);
    const view = new DataView(memory.buffer);
    bytes.set(source.data.subarray(0, source.stride * source.height), at.source);
    // Up to a whole vector: what lies beyond the row is drawn too, and not copied.
    for (let column = 0; column < 4 * Math.ceil(target.width / 4); column++) {
      const base = tapsAt(
        place.x + column * place.scaleX,
        source.width,
        view,
        at.weights + column * 2 * TAPS,
      );
      // The working line begins one sample before the row.
      view.setInt32(at.columns + 4 * column, 2 * base, true);
    }
    for (let row = 0; row < target.height; row++) {
      const entry = at.rows + row * ROW_BYTES;
      const base = tapsAt(place.y + row * place.scaleY, source.height, view, entry + 4 * TAPS);
      for (let tap = 0; tap < TAPS; tap++) {
        const line = Math.min(source.height - 1, Math.max(0, base - 1 + tap));
        view.setInt32(entry + 4 * tap, line * source.stride, true);
      }
    }
    this.#kernel.resample(
      at.source,
      at.rows,
      at.columns,
      at.weights,
      at.line,
      source.width,
      at.target,
      at.targetStride,
      target.width,
      target.height,
    );
    for (let row = 0; row < target.height; row++) {
      const start = at.target + row * at.targetStride;
      target.data.set(bytes.subarray(start, start + target.width), row * target.stride);
    }
  }

  /** Addresses in the kernel's memory, which grows to hold them. */
  #layOut(source: Plane, target: Plane) {
    const memoryLayout = new KernelLayout();
    const take = (bytes: number) => memoryLayout.take(bytes);
    const targetStride = 16 * Math.ceil(target.width / 16);
    const layout = {
      rows: take(target.height * ROW_BYTES),
      columns: take(target.width * 4),
      weights: take(target.width * 2 * TAPS),
      line: take(2 * (source.width + TAPS)),
      target: take(targetStride * target.height),
      source: take(source.stride * source.height),
      targetStride,
    };
    reserveBytes(this.#kernel.memory, memoryLayout.bytes);
    return layout;
  }
}

/**
 * Writes the weights of the four samples around a position, in 14 fractional bits, and returns the second one's
 * number; beyond the ends the outermost sample goes on.
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
