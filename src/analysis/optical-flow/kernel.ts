import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from '../../signal/kernel.ts';

/** Steps per grey level of a picture's samples. */
export const LEVEL_STEPS = 16;

/** Samples in the kernel's memory: their address, and a view of them. */
export interface KernelSamples {
  readonly address: number;
  readonly data: Int16Array;
}

/**
 * Pictures, gradients, sums and outputs are addresses. Strides are in bytes, other sizes in samples.
 * `kernels/analysis/optical-flow/kernel.ts` describes the memory.
 */
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
  /** Call these four first: they set the addresses of the buffers that the functions below use. `radius`: pixels. */
  placeBlocks(width: number, height: number, planes: number, planeBytes: number): void;
  placeRefiner(gradientX: number, gradientY: number, patch: number, sums: number): void;
  placeFit(model: number, normal: number, radius: number): void;
  placeLastMotion(model: number, moving: number): void;
  /** The part inside black bars, samples. */
  setArea(left: number, top: number, right: number, bottom: number): void;
  /** Number of blocks inside that part. */
  countInside(): number;
  /** Number of lost blocks, which have no good match. `pace`: length of this step over that of the step before. */
  matchBlocks(earlier: number, later: number, pace: number): number;
  /** Searches a shift of the whole picture, then the lost blocks. */
  searchCoarseShift(earlierQuarter: number, laterQuarter: number): void;
  searchLost(earlierHalf: number, laterHalf: number): void;
  /** Fits the camera's motion, then again to the blocks that disagree with the first fit. */
  fitBlocks(): void;
  fitWithout(): void;
  /** The fitted motion at a position relative to the picture's middle, pixels. */
  modelX(x: number, y: number): number;
  modelY(x: number, y: number): number;
  /** Counts the blocks whose distance from the fitted motion is at most `inlierPixels`. */
  judge(inlierPixels: number, judged: number): void;
  /** Mean difference of the blocks and their matches, grey levels. */
  meanError(): number;
  /** Stores the fitted motion as the start of the next frame's. */
  remember(moves: boolean): void;
  /** Parts of the functions above, for one picture and one block. */
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

/**
 * Planes with one number per block, row by row, in the order in which `placeBlocks` allocates them;
 * `kernels/analysis/optical-flow/kernel/planes.ts` describes them.
 */
// biome-ignore format: one group a line.
const BLOCK_PLANES = [
  'vectorX', 'vectorY', 'weight', 'matchError', 'residualX', 'residualY', 'residual',
  'textured', 'unmatched', 'positionX', 'positionY', 'knownXx', 'knownXy', 'knownYy',
  'variance', 'leftOver', 'gradientXx', 'gradientXy', 'gradientYy', 'ownX', 'ownY',
  'leaves', 'agrees', 'votes', 'searchedX', 'searchedY', 'lost',
] as const;
type BlockPlane = (typeof BLOCK_PLANES)[number];
const NUMBER_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Sizes of a model of the camera's motion, of its normal equations, and of the output of `judge`. */
const MODEL_NUMBERS = 4;
const EQUATION_NUMBERS = 20;
const JUDGED_NUMBERS = 8;
/** Sums that `describe` and the comparisons write. */
const MAX_SUMS = 8;
/** Bytes that `correlate` stores per column. */
const PLACE_BYTES = 16;
/** Side of a block in pixels of the grey picture. */
export const BLOCK = 8;
/** A block and one more sample each way, for blocks that cross the picture's edge. */
const PATCH_SIDE = BLOCK + 1;

/** Arithmetic of the motion field, in WebAssembly, and its memory, for pictures of one size. */
export class MotionKernel {
  readonly width: number;
  readonly height: number;
  /** Adjacent blocks, as many as fit. */
  readonly columns: number;
  readonly rows: number;
  readonly run: MotionExports;
  /** The input picture. */
  readonly grey: Uint8Array;
  readonly greyAddress: number;
  /** Buffer for one row in `smooth`. */
  readonly line: number;
  /** Slopes at each sample of the last picture of `gradients`, across and down. */
  readonly gradientX: number;
  readonly gradientY: number;
  /** Output of `describe` and the comparisons, as integers or, between samples, as floats. */
  readonly sums: number;
  /** Two pictures, their half and their quarter levels: the earlier and the later. */
  readonly pictures: readonly KernelSamples[];
  readonly halves: readonly KernelSamples[];
  readonly quarters: readonly KernelSamples[];
  /** Buffers of `highPass`: a half level as `halve` makes it, and sums of its columns. */
  readonly plainHalf: number;
  readonly columnSums: number;
  /** Buffer of `correlate`. */
  readonly places: number;
  /** The camera's motion: its shift, and the displacement at `radius` by its scale and turn. */
  readonly model: Float64Array;
  /** Scales positions to about 1 for the fit, pixels. */
  readonly radius: number;
  /** Output of `judge`. */
  readonly judged: Float64Array;
  readonly #planes: number;
  readonly #planeBytes: number;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.columns = Math.floor(width / BLOCK);
    this.rows = Math.floor(height / BLOCK);
    this.radius = Math.max(1, Math.hypot(width, height) / 4);
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
    const [model, lastModel, lastMoving] = Array.from({ length: 3 }, () =>
      layout.take(NUMBER_BYTES * MODEL_NUMBERS),
    );
    const normal = layout.take(NUMBER_BYTES * EQUATION_NUMBERS);
    const judged = layout.take(NUMBER_BYTES * JUDGED_NUMBERS);
    this.#planeBytes = Float32Array.BYTES_PER_ELEMENT * this.columns * this.rows;
    this.#planes = layout.take(this.#planeBytes * BLOCK_PLANES.length);
    reserveBytes(this.run.memory, layout.bytes);
    const { buffer } = this.run.memory;
    const samples = (address: number, count: number): KernelSamples => ({
      address,
      data: new Int16Array(buffer, address, count),
    });
    this.grey = new Uint8Array(buffer, this.greyAddress, pixels);
    this.pictures = pictures.map((address) => samples(address, pixels));
    this.halves = halves.map((address) => samples(address, halfPixels));
    this.quarters = quarters.map((address) => samples(address, quarterPixels));
    this.model = new Float64Array(buffer, model, MODEL_NUMBERS);
    this.judged = new Float64Array(buffer, judged, JUDGED_NUMBERS);
    this.run.placeBlocks(width, height, this.#planes, this.#planeBytes);
    this.run.placeRefiner(this.gradientX, this.gradientY, patch, this.sums);
    this.run.placeFit(model, normal, this.radius);
    this.run.placeLastMotion(lastModel, lastMoving);
  }

  /** A plane of floats. */
  floats(plane: BlockPlane): Float32Array {
    return new Float32Array(this.run.memory.buffer, this.#addressOf(plane), this.columns * this.rows);
  }

  /** A plane of bytes: 1 for yes. */
  marks(plane: BlockPlane): Uint8Array {
    return new Uint8Array(this.run.memory.buffer, this.#addressOf(plane), this.columns * this.rows);
  }

  #addressOf(plane: BlockPlane): number {
    return this.#planes + this.#planeBytes * BLOCK_PLANES.indexOf(plane);
  }
}
