import type { Frame, Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Size, Still } from '../../domain/footage.ts';
import { uprightFilters } from '../av/frame-shape.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS } from '../av/open-input.ts';
import { StreamDecoder } from '../av/stream-decoder.ts';
import { displaySize } from '../av/upright.ts';
import { thumbnailAspect } from './filmstrip-layout.ts';
import { encodeJpeg, type JpegQuality } from './still.ts';

export const STILL_QUALITY: JpegQuality = { best: 3, worst: 7 };
const YIELD_MS = 50;
const POSTER_SIDE = 640;

/** Times and size of thumbnails of a clip. */
export interface ThumbnailSelection {
  /** Ascending, from the start of the presentation. */
  readonly timesSeconds: readonly number[];
  /** Area of each picture; width and height follow the clip's ratio. */
  readonly areaPixels: number;
}

export interface ThumbnailRequest extends ThumbnailSelection {
  readonly onProgress: (seconds: number) => void;
}

/**
 * Thumbnails of the frames shown at the requested times. Decodes from the start up to the last of them, because seeking is not exact
 * in every file.
 */
export async function readThumbnails(path: string, request: ThumbnailRequest): Promise<Still[]> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS);
  if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  using decoder = await StreamDecoder.open(input, input.video);
  using collector = new ThumbnailCollector(input.video, request);
  let lastYield = performance.now();
  while (!collector.isComplete) {
    const decoded = decoder.next();
    if (decoded === null) break;
    const seconds = decoder.frameSeconds(decoded);
    collector.push(decoded, seconds);
    await collector.settled();
    if (performance.now() - lastYield < YIELD_MS) continue;
    request.onProgress(seconds);
    await new Promise(setImmediate);
    lastYield = performance.now();
  }
  return await collector.finish();
}

/** Makes thumbnails from a clip's decoded frames, which are pushed in order. Must be disposed. */
export class ThumbnailCollector implements Disposable {
  readonly #wanted: number[];
  readonly #size: Size;
  readonly #stream: Stream;
  readonly #stills: Still[] = [];
  /** Chosen frames that are not encoded yet. */
  readonly #due: { readonly frame: Frame; readonly timeSeconds: number }[] = [];
  #shown: Frame | null = null;

  constructor(stream: Stream, { timesSeconds, areaPixels }: ThumbnailSelection) {
    this.#wanted = [...timesSeconds];
    this.#size = stillSize(displaySize(stream), areaPixels);
    this.#stream = stream;
  }

  /** Whether all thumbnails are chosen; further frames are ignored. */
  get isComplete(): boolean {
    return this.#wanted.length === 0;
  }

  /** A decoded frame and its time. The first frame is also used for earlier times. */
  push(frame: Frame, seconds: number): void {
    this.#choose(seconds);
    this.#shown?.free();
    this.#shown = this.isComplete ? null : frame.clone();
  }

  #choose(beforeSeconds: number): void {
    if (this.#shown === null) return;
    while (!this.isComplete && this.#wanted[0] < beforeSeconds) {
      const frame = this.#shown.clone();
      const timeSeconds = this.#wanted.shift()!;
      if (frame !== null) this.#due.push({ frame, timeSeconds });
    }
  }

  /** Encodes the chosen frames, which are in memory until then. */
  async settled(): Promise<void> {
    for (let due = this.#due.shift(); due !== undefined; due = this.#due.shift()) {
      const { frame, timeSeconds } = due;
      try {
        const jpeg = await encodeJpeg(
          frame,
          thumbnailFilters(frame, this.#size, this.#stream),
          STILL_QUALITY,
        );
        this.#stills.push({ timeSeconds, ...this.#size, jpeg });
      } finally {
        frame.free();
      }
    }
  }

  /** All thumbnails in order. The last frame is also used for later times. */
  async finish(): Promise<Still[]> {
    this.#choose(Number.POSITIVE_INFINITY);
    await this.settled();
    return this.#stills;
  }

  [Symbol.dispose](): void {
    this.#shown?.free();
    for (const { frame } of this.#due) frame.free();
  }
}

/** Size of a poster: at most 640 pixels long, never enlarged, both sides even. */
export function posterSize(displayed: Size): Size {
  const ratio = thumbnailAspect(displayed);
  const long = Math.min(POSTER_SIDE, Math.max(displayed.width, displayed.height));
  const even = (length: number) => Math.max(2, 2 * Math.floor(length / 2));
  return ratio >= 1
    ? { width: even(long), height: even(long / ratio) }
    : { width: even(long * ratio), height: even(long) };
}

/** Size of a still with about this area, both sides even. */
export function stillSize(size: Size, areaPixels: number): Size {
  const ratio = thumbnailAspect(size);
  const even = (length: number) => Math.max(16, 2 * Math.round(length / 2));
  return { width: even(Math.sqrt(areaPixels * ratio)), height: even(Math.sqrt(areaPixels / ratio)) };
}

/**
 * Filters that convert a decoded frame of the stream to a small, upright SDR picture in JPEG's colors: BT.601, full range (ITU-T T.871,
 * section 7).
 */
export function thumbnailFilters(frame: Frame, size: Size, stream: Stream): string {
  return (
    uprightFilters(frame, size, stream) +
    'scale=flags=bicubic+accurate_rnd:in_color_matrix=bt709:out_color_matrix=smpte170m:out_range=full'
  );
}
