import { type Frame, RGB } from '../../domain/footage.ts';
import { cropped, type PixelBox } from '../bars/picture-area.ts';
import type { MotionField } from '../optical-flow/field.ts';
import { SketchKernel } from './sketch-kernel.ts';

export const SKETCH = {
  /** Cells of the coarse picture, about 16×9: camera shake does not show in it. */
  COARSE_CELLS: 144,
  /** Levels, of 255, by which noise changes a coarse cell; grain over a card leaves 3. */
  CELL_NOISE: 6,
  /**
   * Distance from black or white, of 255, up to which a picture is black or white, and above which a fade is
   * visible.
   */
  PLAIN_LEVEL: 18,
  /** Largest gain of an exposure change: one stop, with any shift of black. */
  MAX_GAIN: 2,
  /** Levels beyond which a pixel may be clipped, so that its exposure is unknown. */
  CLIPPED: [4, 250],
  /** Least share of unclipped values for an estimate. */
  MIN_UNCLIPPED: 0.1,
} as const satisfies Readonly<Record<string, number | readonly number[]>>;

/** The camera's motion into a frame, as shot detection needs it. */
interface CameraStep {
  /** Shares of the picture's width and height. */
  readonly shiftX: number;
  readonly shiftY: number;
  /** 0..1: share of the change that moving blocks explain. */
  readonly explained: number;
  /** 0..1: share of the textured blocks without a match. */
  readonly unmatched: number;
}

/** The whole frame, including black bars. */
interface WholePicture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly camera: CameraStep | null;
}

/** The data that shot detection keeps of a frame: of its part inside black bars. */
export interface FrameSketch {
  readonly index: number;
  readonly timeSeconds: number;
  readonly whole: WholePicture;
  readonly width: number;
  readonly height: number;
  /** RGB, `width` × `height`, bytes. */
  readonly pixels: Uint8Array;
  readonly coarseWidth: number;
  /** RGB means of the coarse cells, 0..255. */
  readonly coarse: Float32Array;
  /** RGB means of 2×2 pixels, 0..255, for comparisons over windows of many frames. */
  readonly smallWidth: number;
  readonly smallHeight: number;
  readonly small: Float32Array;
  /** Root mean square distance of the pixels from black and from white, 0..255. */
  readonly fromBlack: number;
  readonly fromWhite: number;
  /** Null: unknown. */
  readonly camera: CameraStep | null;
}

/** The cell grid of a picture of this size. */
function coarseGrid(width: number, height: number): { columns: number; rows: number } {
  const rows = Math.max(1, Math.min(height, Math.round(Math.sqrt((SKETCH.COARSE_CELLS * height) / width))));
  const columns = Math.max(1, Math.min(width, Math.round(SKETCH.COARSE_CELLS / rows)));
  return { columns, rows };
}

let lastKernel: { readonly width: number; readonly height: number; readonly kernel: SketchKernel } | null =
  null;

/** Reused between calls: pictures of a clip have one size. */
function kernelFor(width: number, height: number): SketchKernel {
  if (lastKernel?.width === width && lastKernel.height === height) return lastKernel.kernel;
  const { columns, rows } = coarseGrid(width, height);
  lastKernel = { width, height, kernel: new SketchKernel({ width, height }, columns, rows) };
  return lastKernel.kernel;
}

/**
 * Sketches a frame. Copies its input: the buffers of frame and field may be reused by the caller. `area`: the
 * part inside black bars, null for the whole frame.
 */
export function sketchFrame(
  { index, timeSeconds, color }: Pick<Frame, 'index' | 'timeSeconds' | 'color'>,
  field: MotionField | null,
  area: PixelBox | null,
): FrameSketch {
  const { width, height, data } = color;
  const camera = field === null ? null : cameraStep(field);
  return sketchPart(index, timeSeconds, { width, height, pixels: data.slice(), camera }, area);
}

/** The same frame cropped to another part of the picture. */
export function resketch({ index, timeSeconds, whole }: FrameSketch, area: PixelBox | null): FrameSketch {
  return sketchPart(index, timeSeconds, whole, area);
}

/**
 * The skipped frames between two sketches, as mixtures of both, then the later sketch. The camera's step into the later one is
 * divided among them by time. `isSudden`: nothing changed until the later one. `area`: as in `sketchFrame`, the same for both.
 */
export function sketchesBetween(
  before: FrameSketch,
  after: FrameSketch,
  timesSeconds: readonly number[],
  { isSudden, area }: { readonly isSudden: boolean; readonly area: PixelBox | null },
): FrameSketch[] {
  const { width, height, camera, pixels } = after.whole;
  const seconds = after.timeSeconds - before.timeSeconds;
  let last = 0;
  return [...timesSeconds, after.timeSeconds].map((timeSeconds, i) => {
    const isAfter = i === timesSeconds.length;
    const share = isAfter ? 1 : isSudden ? 0 : (timeSeconds - before.timeSeconds) / seconds;
    const step = camera && shareOfStep(camera, share - last);
    last = share;
    const mixed = isAfter ? pixels : mixture(before.whole.pixels, pixels, share);
    return sketchPart(
      before.index + 1 + i,
      timeSeconds,
      { width, height, pixels: mixed, camera: step },
      area,
    );
  });
}

function mixture(from: Uint8Array, to: Uint8Array, share: number): Uint8Array {
  const out = new Uint8Array(from.length);
  for (let i = 0; i < out.length; i++) out[i] = Math.round(from[i] + (to[i] - from[i]) * share);
  return out;
}

function shareOfStep(camera: CameraStep, share: number): CameraStep {
  return { ...camera, shiftX: share * camera.shiftX, shiftY: share * camera.shiftY };
}

function sketchPart(
  index: number,
  timeSeconds: number,
  whole: WholePicture,
  area: PixelBox | null,
): FrameSketch {
  const picture = { width: whole.width, height: whole.height, channels: RGB, data: whole.pixels } as const;
  const { width, height, data } = cropped(picture, area);
  const kernel = kernelFor(width, height);
  const { coarse, small, sum, squares } = kernel.summarise(data);
  const values = RGB * width * height;
  return {
    index,
    timeSeconds,
    whole,
    width,
    height,
    pixels: data,
    coarseWidth: kernel.columns,
    coarse,
    smallWidth: kernel.small.width,
    smallHeight: kernel.small.height,
    small,
    fromBlack: Math.sqrt(squares / values),
    fromWhite: Math.sqrt(Math.max(0, squares - 2 * 255 * sum + 255 ** 2 * values) / values),
    camera: area === null || whole.camera === null ? whole.camera : croppedStep(whole.camera, whole, area),
  };
}

/** The camera's shifts as shares of the cropped part. */
function croppedStep(camera: CameraStep, { width, height }: WholePicture, area: PixelBox): CameraStep {
  const { shiftX, shiftY } = camera;
  return { ...camera, shiftX: (shiftX * width) / area.width, shiftY: (shiftY * height) / area.height };
}

function cameraStep(field: MotionField): CameraStep {
  const { plainDifference, compensatedDifference } = field;
  const unexplained = plainDifference > 0 ? compensatedDifference / plainDifference : 1;
  return {
    shiftX: field.similarity.shiftX / field.width,
    shiftY: field.similarity.shiftY / field.height,
    explained: Math.max(0, 1 - unexplained),
    unmatched: field.unmatchedShare,
  };
}

/** Mean absolute difference of the coarse pictures, 0..255. */
export function coarseDistance(a: FrameSketch, b: FrameSketch): number {
  const x = a.coarse;
  const y = b.coarse;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += Math.abs(x[i] - y[i]);
  return sum / x.length;
}

/**
 * Median over the coarse cells of their change (0..255): low if only a part of the picture changes, such as a
 * bird that flies off.
 */
export function medianCellDistance(a: FrameSketch, b: FrameSketch): number {
  const x = a.coarse;
  const y = b.coarse;
  const cells = new Float32Array(x.length / 3);
  for (let i = 0, c = 0; i < x.length; i += 3, c++) {
    cells[c] = (Math.abs(x[i] - y[i]) + Math.abs(x[i + 1] - y[i + 1]) + Math.abs(x[i + 2] - y[i + 2])) / 3;
  }
  return cells.sort()[cells.length >> 1];
}

/** 0..1: 1 if everything becomes lighter, or everything darker. */
export function oneSidedness(a: FrameSketch, b: FrameSketch): number {
  let sum = 0;
  let all = 0;
  for (let i = 0; i < a.coarse.length; i++) {
    const change = b.coarse[i] - a.coarse[i];
    sum += change;
    all += Math.abs(change);
  }
  return all === 0 ? 0 : Math.abs(sum) / all;
}

/** Share of the coarse cells that do not change. */
export function stillShare(a: FrameSketch, b: FrameSketch): number {
  const x = a.coarse;
  const y = b.coarse;
  let still = 0;
  for (let i = 0; i < x.length; i += 3) {
    const change = Math.abs(x[i] - y[i]) + Math.abs(x[i + 1] - y[i + 1]) + Math.abs(x[i + 2] - y[i + 2]);
    if (change < 3 * SKETCH.CELL_NOISE) still += 1;
  }
  return (3 * still) / x.length;
}

/** Share of the coarse cells whose channels all change by at most `levels` (0..255). */
export function unchangedShare(
  { coarse: x }: FrameSketch,
  { coarse: y }: FrameSketch,
  levels: number,
): number {
  let unchanged = 0;
  for (let i = 0; i < x.length; i += 3) {
    const most = Math.max(
      Math.abs(x[i] - y[i]),
      Math.abs(x[i + 1] - y[i + 1]),
      Math.abs(x[i + 2] - y[i + 2]),
    );
    if (most <= levels) unchanged += 1;
  }
  return (3 * unchanged) / x.length;
}

/** Mean absolute difference of the small pictures, 0..255. */
export function pixelDistance(a: FrameSketch, b: FrameSketch): number {
  return kernelFor(a.width, a.height).difference(a.small, b.small);
}

/**
 * Mean absolute difference (0..255) of two pictures after removing the best gain and offset between them. A
 * change of exposure alone counts little, even a clipping one.
 */
export function structureDistance(a: FrameSketch, b: FrameSketch): number {
  const { CLIPPED, MIN_UNCLIPPED, MAX_GAIN } = SKETCH;
  const kernel = kernelFor(a.width, a.height);
  return kernel.structuralDifference(a.small, b.small, CLIPPED, MIN_UNCLIPPED, MAX_GAIN);
}
