import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Steps of a grey level that samples of a picture count. */
export const LEVEL_STEPS = 16;

/** Samples in the kernel's memory: where they begin, and a view of them. */
export interface KernelSamples {
  readonly address: number;
  readonly data: Int16Array;
}

/** All but sizes, strides (bytes), steps, shifts and fractions are addresses: `kernels/analysis/optical-flow/kernel.ts` says what lies there. */
interface MotionExports extends KernelExports {
  smooth(grey: number, width: number, height: number, line: number, out: number): void;
  halve(picture: number, stride: number, width: number, height: number, shift: number, out: number): void;
  highPass(
    picture: number,
    width: number,
    height: number,
    radius: number,
    columns: number,
    out: number,
  ): void;
  correlate(
    wide: number,
    tight: number,
    width: number,
    height: number,
    shrink: number,
    shiftX: number,
    shiftY: number,
    step: number,
    places: number,
  ): number;
  totalDifference(a: number, b: number, count: number): number;
  gradients(picture: number, width: number, height: number, gx: number, gy: number): void;
  describe(picture: number, gx: number, gy: number, stride: number, sums: number): void;
  blockDifference(a: number, b: number, stride: number): number;
  compareWhole(
    a: number,
    gx: number,
    gy: number,
    stride: number,
    b: number,
    bStride: number,
    sums: number,
  ): void;
  compareBetween(
    a: number,
    gx: number,
    gy: number,
    stride: number,
    b: number,
    bStride: number,
    fx: number,
    fy: number,
    sums: number,
  ): void;
}

/** Sums that `describe` and the comparisons write. */
const MAX_SUMS = 8;
/** Bytes of what `correlate` notes of a column. */
const PLACE_BYTES = 16;
/** Side of a block in pixels of the grey picture. */
export const BLOCK = 8;
/** A block and one sample more each way, for blocks that reach out of the picture. */
const PATCH_SIDE = BLOCK + 1;

/** Arithmetic of the motion field, in WebAssembly, and the memory that it works in, for pictures of one size. */
export class MotionKernel {
  readonly width: number;
  readonly height: number;
  readonly run: MotionExports;
  /** The picture as it came. */
  readonly grey: Uint8Array;
  readonly greyAddress: number;
  /** A row that `smooth` works in. */
  readonly line: number;
  /** Slopes at each sample of the picture that `gradients` was given, across and down. */
  readonly gradientX: number;
  readonly gradientY: number;
  /** For blocks that reach out of the picture: their samples, its edge repeated. */
  readonly patch: KernelSamples;
  /** What `describe` and the comparisons write, as integers or, between samples, as floats. */
  readonly sums: number;
  readonly wholeSums: Int32Array;
  readonly floatSums: Float32Array;
  /** Two pictures, their half and their quarter levels: the earlier and the later. */
  readonly pictures: readonly KernelSamples[];
  readonly halves: readonly KernelSamples[];
  readonly quarters: readonly KernelSamples[];
  /** What `highPass` works in: a half level as `halve` makes it, and sums of its columns. */
  readonly plainHalf: number;
  readonly columnSums: number;
  /** What `correlate` works in. */
  readonly places: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.run = instantiateKernel<MotionExports>(new URL('kernel.wasm', import.meta.url));
    const layout = new KernelLayout();
    const pixels = width * height;
    const halfPixels = (width >> 1) * (height >> 1);
    const quarterPixels = (width >> 2) * (height >> 2);
    this.greyAddress = layout.take(pixels);
    this.line = layout.take(2 * (width + 2));
    this.gradientX = layout.take(2 * pixels);
    this.gradientY = layout.take(2 * pixels);
    this.sums = layout.take(4 * MAX_SUMS);
    const patch = layout.take(2 * PATCH_SIDE * PATCH_SIDE);
    const pictures = [layout.take(2 * pixels), layout.take(2 * pixels)];
    const halves = [layout.take(2 * halfPixels), layout.take(2 * halfPixels)];
    const quarters = [layout.take(2 * quarterPixels), layout.take(2 * quarterPixels)];
    this.plainHalf = layout.take(2 * halfPixels);
    this.columnSums = layout.take(4 * (width >> 1));
    this.places = layout.take(PLACE_BYTES * (width >> 1));
    reserveBytes(this.run.memory, layout.bytes);
    const { buffer } = this.run.memory;
    const samples = (address: number, count: number): KernelSamples => ({
      address,
      data: new Int16Array(buffer, address, count),
    });
    this.grey = new Uint8Array(buffer, this.greyAddress, pixels);
    this.wholeSums = new Int32Array(buffer, this.sums, MAX_SUMS);
    this.floatSums = new Float32Array(buffer, this.sums, MAX_SUMS);
    this.patch = samples(patch, PATCH_SIDE * PATCH_SIDE);
    this.pictures = pictures.map((address) => samples(address, pixels));
    this.halves = halves.map((address) => samples(address, halfPixels));
    this.quarters = quarters.map((address) => samples(address, quarterPixels));
  }
}
