import type { Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Frame } from '../../domain/footage.ts';
import type { TimeRange } from '../../domain/time-range.ts';
import type { DecodeLosses } from '../av/decode-losses.ts';
import type { Input } from '../av/input.ts';
import { openInput, VIDEO_AND_IMAGE_DEMUXERS } from '../av/open-input.ts';
import { type Decoding, type PacketSource, StreamDecoder } from '../av/stream-decoder.ts';
import { FrameGrids } from './frame-grids.ts';
import { ThinnedPackets } from './thinned-packets.ts';

export interface FrameOptions {
  readonly signal?: AbortSignal;
  /** Skips frames that detectors do not need (`Thinning`). Default: false. */
  readonly thinned?: boolean;
  /** Receives all packets and frames, to find packets without a frame. */
  readonly losses?: DecodeLosses;
  /** The frames of this part alone, on its clock; undefined: all. The input is open at or before it. */
  readonly range?: TimeRange | undefined;
}

/** Time stamps are often rounded to milliseconds. */
const ROUNDING_SECONDS = 0.002;
const ALL = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

const FULL_HD_PIXELS = 1920 * 1088;
const DETAIL_INTERVAL_SECONDS = 0.3;
/** Interval of yielding to the event loop, for progress messages and cancellation. */
const YIELD_MS = 50;

/**
 * Decodes a clip once and yields every frame in the form for detectors (`domain/footage.ts`).
 * Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT (no frame can be decoded).
 */
export async function* openFrames(path: string, options: FrameOptions = {}): AsyncGenerator<Frame> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS);
  yield* framesOf(input, options);
}

/** Like `openFrames` for an open file, from its current position. */
export async function* framesOf(input: Input, options: FrameOptions = {}): AsyncGenerator<Frame> {
  if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  const { range } = options;
  const [from, to] = (range ?? ALL).map((edge) => edge - ROUNDING_SECONDS) as [number, number];
  // The first frame may be early by rounding.
  const onPartClock = (seconds: number) => (range === undefined ? seconds : Math.max(0, seconds - range[0]));
  const packets = options.thinned === true ? new ThinnedPackets(input, input.video, from) : null;
  using decoder = await StreamDecoder.open(input, input.video, {
    ...decodingOf(input.video, packets),
    ...(options.losses && { losses: options.losses }),
  });
  using grids = new FrameGrids(input.video);
  let index = 0;
  let nextDetailSeconds = Number.NEGATIVE_INFINITY;
  let lastYield = performance.now();
  let decoding = decoder.nextAsync();
  try {
    for (;;) {
      const decoded = await decoding;
      if (decoded === null) break;
      decoding = decoder.nextAsync();
      const shownSeconds = decoder.frameSeconds(decoded);
      if ((input.isStill && index > 0) || shownSeconds >= to) break;
      const skipped = packets?.droppedBefore(shownSeconds) ?? [];
      if (performance.now() - lastYield > YIELD_MS) {
        await new Promise(setImmediate);
        options.signal?.throwIfAborted();
        lastYield = performance.now();
      }
      if (shownSeconds < from) continue;
      const timeSeconds = onPartClock(shownSeconds);
      const withDetail = timeSeconds >= nextDetailSeconds;
      if (withDetail) nextDetailSeconds = timeSeconds + DETAIL_INTERVAL_SECONDS;
      const skippedSeconds = skipped.filter((seconds) => seconds >= from).map(onPartClock);
      index += skippedSeconds.length;
      yield { index: index++, timeSeconds, skippedSeconds, ...grids.measure(decoded, withDetail) };
    }
  } finally {
    // The decoder must not be closed while it is decoding.
    await decoding;
  }
  if (index === 0) throw new Failure('INPUT_CORRUPT', 'No frame of the video stream can be decoded');
}

/**
 * Decoder threads, which decode ahead while a detector needs up to 26 ms for a frame. A minute of 1080p30
 * takes 7.7 s with four threads, 8.3 with three, 8.6 with two, 10.1 with one. CPU time differs by 2 to 4 %
 * (two cores). For larger pictures memory limits the threads.
 */
const THREADS_AHEAD = 4;

function decodingOf({ codecpar }: Stream, packets: PacketSource | null): Decoding {
  const large = codecpar.width * codecpar.height > FULL_HD_PIXELS;
  return {
    ...(large ? {} : { threads: THREADS_AHEAD }),
    ...(packets === null ? {} : { packets }),
    forThumbnails: true,
  };
}
