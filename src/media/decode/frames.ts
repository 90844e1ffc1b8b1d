import type { Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import type { Frame } from '../../domain/footage.ts';
import type { DecodeLosses } from '../av/decode-losses.ts';
import {
  type Decoding,
  type Input,
  openInput,
  type PacketSource,
  StreamDecoder,
  VIDEO_AND_IMAGE_DEMUXERS,
} from '../av/input.ts';
import { FrameGrids } from './frame-grids.ts';
import { ThinnedPackets } from './thinned-packets.ts';

export interface FrameOptions {
  readonly signal?: AbortSignal;
  /** Skips frames that need not be seen (`Thinning`). Default: all are handed out. */
  readonly thinned?: boolean;
  /** Learns which packets give no frame. */
  readonly losses?: DecodeLosses;
}

const FULL_HD_PIXELS = 1920 * 1088;
const DETAIL_INTERVAL_SECONDS = 0.3;
/** Yields to the event loop this often, so that progress leaves and a cancel comes in. */
const YIELD_MS = 50;

/**
 * Decodes a clip once and hands out every frame as the detectors see it (`domain/footage.ts`).
 * Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT (not one frame could be decoded).
 */
export async function* openFrames(path: string, options: FrameOptions = {}): AsyncGenerator<Frame> {
  using input = await openInput(path, VIDEO_AND_IMAGE_DEMUXERS);
  yield* framesOf(input, options);
}

/** The same of an opened file, from where it stands. */
export async function* framesOf(input: Input, options: FrameOptions = {}): AsyncGenerator<Frame> {
  if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  const packets = options.thinned === true ? new ThinnedPackets(input, input.video) : null;
  using decoder = await StreamDecoder.open(input, input.video, {
    ...decodingOf(input.video, packets),
    ...(options.losses && { losses: options.losses }),
  });
  using grids = new FrameGrids(input.video);
  let index = 0;
  let nextDetailSeconds = Number.NEGATIVE_INFINITY;
  let lastYield = performance.now();
  let decoding = decoder.nextAside();
  try {
    for (;;) {
      const decoded = await decoding;
      if (decoded === null) break;
      decoding = decoder.nextAside();
      const timeSeconds = decoder.frameSeconds(decoded);
      if (input.isStill && index > 0) break;
      const withDetail = timeSeconds >= nextDetailSeconds;
      if (withDetail) nextDetailSeconds = timeSeconds + DETAIL_INTERVAL_SECONDS;
      const skippedSeconds = packets?.droppedBefore(timeSeconds) ?? [];
      index += skippedSeconds.length;
      yield { index: index++, timeSeconds, skippedSeconds, ...grids.measure(decoded, withDetail) };
      if (performance.now() - lastYield > YIELD_MS) {
        await new Promise(setImmediate);
        options.signal?.throwIfAborted();
        lastYield = performance.now();
      }
    }
  } finally {
    // The decoder may not be closed while it works.
    await decoding;
  }
  if (index === 0) throw new Failure('INPUT_CORRUPT', 'Not one frame of the video stream can be decoded');
}

/**
 * Four threads of the decoder, each on a frame of its own, go on while ours looks long at one: a look at faces, figures and captions takes up
 * to 26 ms, six times what decoding takes. A minute of 1080p30 takes 7.7 s so, by three threads 8.3, by two 8.6, by one 10.1; the processor
 * time differs by 2 to 4 % (two cores). Larger pictures are decoded by as many threads as their memory allows.
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
