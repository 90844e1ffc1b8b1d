import type { Frame, Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Size, Still } from '../../domain/footage.ts';
import { frameInside, padFilter } from '../av/frame-shape.ts';
import { openInput, StreamDecoder, VIDEO_AND_IMAGE_DEMUXERS } from '../av/input.ts';
import {
  colourMatrix,
  displaySize,
  isHdrTransfer,
  streamOrientation,
  swapsSides,
  toneMapFilters,
  turnFilters,
} from '../av/upright.ts';
import { shapeOf } from './filmstrip-layout.ts';
import { encodeJpeg, type JpegQuality } from './still.ts';

const QUALITY: JpegQuality = { best: 3, worst: 7 };
const YIELD_MS = 50;
const POSTER_SIDE = 640;

/** Which frames of a clip to make small. */
export interface WantedThumbnails {
  /** Ascending, from the container's start. */
  readonly timesSeconds: readonly number[];
  /** Of each picture; width and height follow the clip's ratio. */
  readonly areaPixels: number;
}

export interface ThumbnailRequest extends WantedThumbnails {
  readonly onProgress: (seconds: number) => void;
}

/**
 * The frames that are shown at the given times, small. Decodes from the start up to the last of them: exact on every
 * file, where seeking is not.
 */
export async function readThumbnails(path: string, request: ThumbnailRequest): Promise<Still[]> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS);
  if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  using decoder = await StreamDecoder.open(input, input.video);
  using passing = new PassingThumbnails(input.video, request);
  let lastYield = performance.now();
  while (!passing.isComplete) {
    const decoded = decoder.next();
    if (decoded === null) break;
    const seconds = decoder.frameSeconds(decoded);
    passing.push(decoded, seconds);
    await passing.settled();
    if (performance.now() - lastYield < YIELD_MS) continue;
    request.onProgress(seconds);
    await new Promise(setImmediate);
    lastYield = performance.now();
  }
  return await passing.finish();
}

/** Makes the frames of a clip small that are shown at given times, while all of them pass in order. Dispose of it. */
export class PassingThumbnails implements Disposable {
  readonly #wanted: number[];
  readonly #size: Size;
  readonly #stream: Stream;
  readonly #stills: Still[] = [];
  /** Frames whose times have come, to be encoded. */
  readonly #due: { readonly frame: Frame; readonly timeSeconds: number }[] = [];
  #shown: Frame | null = null;

  constructor(stream: Stream, { timesSeconds, areaPixels }: WantedThumbnails) {
    this.#wanted = [...timesSeconds];
    this.#size = smallSize(displaySize(stream), areaPixels);
    this.#stream = stream;
  }

  /** Frames that follow change nothing. */
  get isComplete(): boolean {
    return this.#wanted.length === 0;
  }

  /** A decoded frame and when it is shown; the first one stands for what lies before it. */
  push(frame: Frame, seconds: number): void {
    this.#take(seconds);
    this.#shown?.free();
    this.#shown = this.isComplete ? null : frame.clone();
  }

  #take(beforeSeconds: number): void {
    if (this.#shown === null) return;
    while (!this.isComplete && this.#wanted[0] < beforeSeconds) {
      const frame = this.#shown.clone();
      const timeSeconds = this.#wanted.shift()!;
      if (frame !== null) this.#due.push({ frame, timeSeconds });
    }
  }

  /** Until what was due is encoded: frames wait for it in memory. */
  async settled(): Promise<void> {
    for (let due = this.#due.shift(); due !== undefined; due = this.#due.shift()) {
      const { frame, timeSeconds } = due;
      try {
        const jpeg = await encodeJpeg(frame, thumbnailFilters(frame, this.#size, this.#stream), QUALITY);
        this.#stills.push({ timeSeconds, ...this.#size, jpeg });
      } finally {
        frame.free();
      }
    }
  }

  /** In order; the last frame stands for what lies after it. */
  async finish(): Promise<Still[]> {
    this.#take(Number.POSITIVE_INFINITY);
    await this.settled();
    return this.#stills;
  }

  [Symbol.dispose](): void {
    this.#shown?.free();
    for (const { frame } of this.#due) frame.free();
  }
}

/** At most 640 pixels long, never larger than it is; both sides even. */
export function posterSize(displayed: Size): Size {
  const ratio = shapeOf(displayed);
  const long = Math.min(POSTER_SIDE, Math.max(displayed.width, displayed.height));
  const even = (length: number) => Math.max(2, 2 * Math.floor(length / 2));
  return ratio >= 1
    ? { width: even(long), height: even(long / ratio) }
    : { width: even(long * ratio), height: even(long) };
}

function smallSize(size: Size, areaPixels: number): Size {
  const ratio = shapeOf(size);
  const even = (length: number) => Math.max(16, 2 * Math.round(length / 2));
  return { width: even(Math.sqrt(areaPixels * ratio)), height: even(Math.sqrt(areaPixels / ratio)) };
}

/**
 * Filters that make a decoded frame of the stream small, upright and SDR. JPEG's matrix is that of BT.601, full range (ITU-T
 * T.871, section 7).
 */
export function thumbnailFilters(frame: Frame, size: Size, stream: Stream): string {
  const orientation = streamOrientation(stream);
  const stored = swapsSides(orientation) ? { width: size.height, height: size.width } : size;
  const place = frameInside(stream, frame, stored);
  const { width, height } = place ?? stored;
  const matrix = isHdrTransfer(frame.colorTrc) ? 'bt709' : colourMatrix(frame);
  const first = isHdrTransfer(frame.colorTrc) ? '' : `:in_color_matrix=${matrix}:out_color_matrix=bt709`;
  const pad = place === null ? '' : `${padFilter(stored, place)},`;
  return (
    `scale=${width}:${height}:flags=area+accurate_rnd${first},${toneMapFilters(frame)}${pad}${turnFilters(orientation)}` +
    'scale=flags=bicubic+accurate_rnd:in_color_matrix=bt709:out_color_matrix=smpte170m:out_range=full'
  );
}
