import type { Frame } from '../footage.ts';
import type { MotionField } from './motion-field.ts';

/** Cells of the coarse picture, about 16×9: coarse enough that camera shake does not show in it. */
const COARSE_CELLS = 144;

/** The camera's motion into a frame, as far as shot detection cares. */
export interface CameraStep {
  /** Shares of the picture's width and height. */
  readonly shiftX: number;
  readonly shiftY: number;
  readonly logScale: number;
  /** 0..1: share of the textured blocks that move with the camera. */
  readonly support: number;
  /** 0..1: share of the change that moving blocks explain. */
  readonly explained: number;
}

/** What shot detection keeps of a frame. */
export interface FrameSketch {
  readonly index: number;
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  /** RGB, `width` × `height`, bytes. */
  readonly pixels: Uint8Array;
  readonly coarseWidth: number;
  readonly coarseHeight: number;
  /** RGB means of the coarse cells, 0..255. */
  readonly coarse: Float32Array;
  /** Root mean square distance of the pixels from black and from white, 0..255. */
  readonly fromBlack: number;
  readonly fromWhite: number;
  /** Null where unknown. */
  readonly camera: CameraStep | null;
}

/** The grid of cells that a picture of this size is averaged to. */
export function coarseGrid(width: number, height: number): { columns: number; rows: number } {
  const rows = Math.max(1, Math.min(height, Math.round(Math.sqrt((COARSE_CELLS * height) / width))));
  const columns = Math.max(1, Math.min(width, Math.round(COARSE_CELLS / rows)));
  return { columns, rows };
}

/** Copies what is needed: the buffers of frame and field may be used again by whoever made them. */
export function sketchFrame(frame: Frame, field: MotionField | null): FrameSketch {
  const { width, height, data } = frame.colour;
  const { columns, rows } = coarseGrid(width, height);
  const coarse = new Float32Array(columns * rows * 3);
  const counts = new Float32Array(columns * rows);
  let fromBlack = 0;
  let fromWhite = 0;
  for (let y = 0, p = 0; y < height; y++) {
    const row = Math.floor((y * rows) / height) * columns;
    for (let x = 0; x < width; x++, p += 3) {
      const cell = row + Math.floor((x * columns) / width);
      const r = data[p];
      const g = data[p + 1];
      const b = data[p + 2];
      coarse[cell * 3] += r;
      coarse[cell * 3 + 1] += g;
      coarse[cell * 3 + 2] += b;
      counts[cell] += 1;
      fromBlack += r * r + g * g + b * b;
      fromWhite += (255 - r) ** 2 + (255 - g) ** 2 + (255 - b) ** 2;
    }
  }
  for (let i = 0; i < coarse.length; i++) coarse[i] /= counts[Math.floor(i / 3)];
  const values = width * height * 3;
  return {
    index: frame.index,
    timeSeconds: frame.timeSeconds,
    width,
    height,
    pixels: data.slice(),
    coarseWidth: columns,
    coarseHeight: rows,
    coarse,
    fromBlack: Math.sqrt(fromBlack / values),
    fromWhite: Math.sqrt(fromWhite / values),
    camera: field === null ? null : cameraStep(field),
  };
}

function cameraStep(field: MotionField): CameraStep {
  const { plainDifference, compensatedDifference } = field;
  const left = plainDifference > 0 ? compensatedDifference / plainDifference : 1;
  return {
    shiftX: field.similarity.shiftX / field.width,
    shiftY: field.similarity.shiftY / field.height,
    logScale: field.similarity.logScale,
    support: field.support,
    explained: Math.max(0, 1 - left),
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
 * Median over the coarse cells of their change (0..255): a change of a part of the picture, a bird that flies
 * off, leaves it low.
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

/** Mean absolute difference of all pixels, 0..255. */
export function pixelDistance(a: FrameSketch, b: FrameSketch): number {
  const x = a.pixels;
  const y = b.pixels;
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += Math.abs(x[i] - y[i]);
  return sum / x.length;
}

/** Limits of what counts as a change of exposure: within one stop, and a modest shift of black. */
const MAX_GAIN = 2;
const MAX_OFFSET = 50;

/**
 * Mean absolute difference (0..255) of two pictures after the best gain and offset between them is taken
 * out, so that a change of exposure alone counts little.
 */
export function structureDistance(a: FrameSketch, b: FrameSketch): number {
  const x = a.pixels;
  const y = b.pixels;
  const n = x.length;
  let sx = 0;
  let sy = 0;
  let sxx = 0;
  let sxy = 0;
  for (let i = 0; i < n; i++) {
    const u = x[i];
    const v = y[i];
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
  }
  const varianceX = sxx - (sx * sx) / n;
  const slope = varianceX > n ? (sxy - (sx * sy) / n) / varianceX : 1;
  const gain = Math.min(MAX_GAIN, Math.max(1 / MAX_GAIN, slope));
  const offset = Math.min(MAX_OFFSET, Math.max(-MAX_OFFSET, (sy - gain * sx) / n));
  let sum = 0;
  for (let i = 0; i < n; i++) sum += Math.abs(gain * x[i] + offset - y[i]);
  return sum / n;
}
