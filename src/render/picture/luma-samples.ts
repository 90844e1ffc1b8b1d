import type { Frame } from 'node-av/lib';
import { LinearGraph } from '../../media/av/graph.ts';
import type { Reframe } from '../../style/model/timeline.ts';
import type { Plane } from './composite.ts';
import { planesOf } from './planes.ts';

const COLUMNS = 10;
const ROWS = 8;
/** Samples of a picture: enough to detect motion and black. */
export const SAMPLE_COUNT = COLUMNS * ROWS;
const SAMPLINGS_PER_SECOND = 10;
/** A sample is the mean of a square of this many pixels a side, because single pixels are noisy. */
const PATCH = 4;
/** Size to which source frames are reduced before sampling. */
const SMALL = { width: 160, height: 90 } as const;
/** Limited range (ITU-R BT.709-6, section 3); values outside are clamped. */
const [BLACK, WHITE] = [16, 235];

/** Luma of a picture at some places, limited range, always in the same order. */
export interface PictureSamples {
  /** Single pixels: they change where a fine texture moves, whose means do not. */
  readonly points: Uint8Array;
  /** Means of the area around each point. */
  readonly means: Uint8Array;
}

/** Frames whose number is a multiple of this are sampled. */
export function samplingInterval(framesPerSecond: number): number {
  return Math.max(1, Math.floor(framesPerSecond / SAMPLINGS_PER_SECOND));
}

/** Means of a yuv420p frame, row by row. */
export function lumaSamples(frame: Frame): Uint8Array {
  return meansOf(planesOf(frame)[0]);
}

/** Means and single pixels of a yuv420p frame, row by row. */
export function lumaDetails(frame: Frame): PictureSamples {
  const [luma] = planesOf(frame);
  const { data, stride, width, height } = luma;
  const points = samplesWhere(
    (column, row) => data[Math.floor(row * height) * stride + Math.floor(column * width)],
  );
  return { points, means: meansOf(luma) };
}

function meansOf(luma: Plane): Uint8Array {
  return samplesWhere((column, row) => {
    const x = Math.round(column * luma.width) - PATCH / 2;
    const y = Math.round(row * luma.height) - PATCH / 2;
    return patchMean(luma, Math.max(0, x), Math.max(0, y));
  });
}

/**
 * Luma samples of source frames of any format. Works on a reduced picture, because a view of a large frame counts as garbage of its
 * size. FFmpeg's grey has full range, whatever the source has; the samples have limited range.
 */
export class SourceSampler implements Disposable {
  readonly #points = smallGraph('neighbor');
  readonly #means = smallGraph('area');

  /** Samples of a part of the picture; null: FFmpeg cannot convert its format. */
  sample(frame: Frame, part: Reframe): PictureSamples | null {
    const points = sampleOf(this.#points, frame, part);
    const means = sampleOf(this.#means, frame, part);
    return points === null || means === null ? null : { points, means };
  }

  [Symbol.dispose](): void {
    this.#points[Symbol.dispose]();
    this.#means[Symbol.dispose]();
  }
}

/** `flags`: the scaling algorithm. Means of areas take .2 ms more of a frame in 1080p than nearest pixels. */
function smallGraph(flags: 'neighbor' | 'area'): LinearGraph {
  const describe = () => `scale=${SMALL.width}:${SMALL.height}:flags=${flags},format=gray`;
  return new LinearGraph('video', { num: 1, den: 1 }, describe, { threads: 1 });
}

function sampleOf(graph: LinearGraph, frame: Frame, part: Reframe): Uint8Array | null {
  let samples: Uint8Array | null = null;
  graph.push(frame, (small) => {
    const plane = small.data![0];
    const stride = small.linesize[0];
    const at = (share: number, length: number) => Math.min(length - 1, Math.floor(share * length));
    samples = samplesWhere((column, row) => {
      const x = at(part.x + column * part.width, SMALL.width);
      const grey = plane[at(part.y + row * part.height, SMALL.height) * stride + x];
      return BLACK + ((WHITE - BLACK) * grey) / 255;
    });
  });
  return samples;
}

function samplesWhere(level: (columnShare: number, rowShare: number) => number): Uint8Array {
  const samples = new Uint8Array(SAMPLE_COUNT);
  for (let row = 0, at = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++, at++) {
      samples[at] = Math.min(WHITE, Math.max(BLACK, level((column + 0.5) / COLUMNS, (row + 0.5) / ROWS)));
    }
  }
  return samples;
}

function patchMean({ data, stride, width, height }: Plane, left: number, top: number): number {
  const [right, bottom] = [Math.min(width, left + PATCH), Math.min(height, top + PATCH)];
  let sum = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += data[y * stride + x];
  return sum / ((right - left) * (bottom - top));
}
