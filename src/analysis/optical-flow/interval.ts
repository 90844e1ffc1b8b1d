import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';
import type { MotionField } from './field.ts';

/** Steps of the written vectors, pixels of the grey picture: ±31.75 pixels per interval. */
export const VECTOR_STEP = 0.25;
const MAX_STEPS = 127;
/** Planes of floats: residuals across and down, and weights. */
const FLOAT_PLANES = 3;
/** Planes of bytes: the same, and the share of frames without a match. */
export const BYTE_PLANES = 4;

/** All but counts, steps and frames are addresses. */
interface IntervalExports extends KernelExports {
  addFloats(floats: number, sums: number, count: number): void;
  addMarks(marks: number, sums: number, count: number): void;
  writeSteps(sums: number, count: number, step: number, most: number, out: number): void;
  writeWeights(sums: number, count: number, frames: number, out: number): void;
  writeShares(sums: number, count: number, frames: number, out: number): void;
}

/** Motion of so many blocks relative to the camera's, summed over the frames of an interval. */
export class IntervalSums {
  readonly blocks: number;
  #frames = 0;
  readonly #run: IntervalExports;
  /** Input of one frame: residuals and weights, one plane after the other, and marks. */
  readonly #floats: Float32Array;
  readonly #marks: Uint8Array;
  readonly #floatSums: Float32Array;
  readonly #markSums: Uint16Array;
  readonly #out: Uint8Array;

  constructor(blocks: number) {
    this.blocks = blocks;
    this.#run = instantiateKernel<IntervalExports>(new URL('interval.wasm', import.meta.url));
    const layout = new KernelLayout();
    const floatBytes = Float32Array.BYTES_PER_ELEMENT * FLOAT_PLANES * blocks;
    const floats = layout.take(floatBytes);
    const marks = layout.take(blocks);
    const floatSums = layout.take(floatBytes);
    const markSums = layout.take(Uint16Array.BYTES_PER_ELEMENT * blocks);
    const out = layout.take(BYTE_PLANES * blocks);
    reserveBytes(this.#run.memory, layout.bytes);
    const { buffer } = this.#run.memory;
    this.#floats = new Float32Array(buffer, floats, FLOAT_PLANES * blocks);
    this.#marks = new Uint8Array(buffer, marks, blocks);
    this.#floatSums = new Float32Array(buffer, floatSums, FLOAT_PLANES * blocks);
    this.#markSums = new Uint16Array(buffer, markSums, blocks);
    this.#out = new Uint8Array(buffer, out, BYTE_PLANES * blocks);
  }

  /** Whether it has no frame. */
  get empty(): boolean {
    return this.#frames === 0;
  }

  clear(): void {
    this.#floatSums.fill(0);
    this.#markSums.fill(0);
    this.#frames = 0;
  }

  add({ residualX, residualY, weight, unmatched }: MotionField): void {
    const { blocks } = this;
    this.#floats.set(residualX);
    this.#floats.set(residualY, blocks);
    this.#floats.set(weight, 2 * blocks);
    this.#marks.set(unmatched);
    this.#run.addFloats(this.#floats.byteOffset, this.#floatSums.byteOffset, FLOAT_PLANES * blocks);
    this.#run.addMarks(this.#marks.byteOffset, this.#markSums.byteOffset, blocks);
    this.#frames++;
  }

  /**
   * Planes of bytes, one after the other: residuals, mean weights and shares of frames without a match. The next
   * call overwrites them.
   */
  write(): Uint8Array {
    const run = this.#run;
    const { blocks } = this;
    const weights = this.#floatSums.subarray(2 * blocks);
    const out = this.#out.byteOffset;
    run.writeSteps(this.#floatSums.byteOffset, 2 * blocks, VECTOR_STEP, MAX_STEPS, out);
    run.writeWeights(weights.byteOffset, blocks, this.#frames, out + 2 * blocks);
    run.writeShares(this.#markSums.byteOffset, blocks, this.#frames, out + 3 * blocks);
    return this.#out;
  }
}
