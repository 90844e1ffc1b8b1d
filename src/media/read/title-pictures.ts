import type { Frame, Stream } from 'node-av/lib';
import { type Picture, RGB, type Size } from '../../domain/footage.ts';
import type { TimeRange } from '../../domain/time-range.ts';
import { uprightFilters } from '../av/frame-shape.ts';
import { LinearGraph } from '../av/graph.ts';
import { discardOtherStreams, type Input } from '../av/input.ts';
import { openInputAt } from '../av/open-at.ts';
import { VIDEO_DEMUXERS } from '../av/open-input.ts';
import { StreamDecoder } from '../av/stream-decoder.ts';
import { displaySize } from '../av/upright.ts';

/** Shortest distance of two pictures: every second frame of 60 a second. */
const MIN_STEP_SECONDS = 1 / 40;
const YIELD_MS = 50;

export interface TimedPicture {
  readonly timeSeconds: number;
  /** RGB. */
  readonly picture: Picture;
}

/** Upright SDR pictures of `height` lines of a file's frames in ascending ranges, at most 40 a second. */
export async function* titlePictures(
  path: string,
  ranges: readonly TimeRange[],
  height: number,
): AsyncGenerator<TimedPicture> {
  for (const range of ranges) {
    using input = await openInputAt(path, range[0], VIDEO_DEMUXERS);
    yield* picturesIn(input, range, height);
  }
}

async function* picturesIn(
  input: Input,
  [from, to]: TimeRange,
  height: number,
): AsyncGenerator<TimedPicture> {
  const { video } = input;
  if (video === null) return;
  discardOtherStreams(input, video);
  const shown = displaySize(video);
  const lines = Math.min(shown.height, height);
  const size = { width: Math.max(2, Math.round((lines * shown.width) / shown.height)), height: lines };
  using decoder = await StreamDecoder.open(input, video, { forThumbnails: true });
  using graph = new LinearGraph('video', video.timeBase, (frame) => filters(frame, size, video), {
    threads: 1,
  });
  let next = from;
  let lastYield = performance.now();
  for (let decoded = decoder.next(); decoded !== null; decoded = decoder.next()) {
    const timeSeconds = decoder.frameSeconds(decoded);
    if (timeSeconds >= to) return;
    if (performance.now() - lastYield > YIELD_MS) {
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
    if (timeSeconds < next) continue;
    next = timeSeconds + MIN_STEP_SECONDS;
    const pictures: Picture[] = [];
    graph.push(decoded, (scaled) => pictures.push(copyRgb(scaled)));
    for (const picture of pictures) yield { timeSeconds, picture };
  }
}

function filters(frame: Frame, size: Size, stream: Stream): string {
  return (
    uprightFilters(frame, size, stream) +
    'scale=flags=bilinear+accurate_rnd:in_color_matrix=bt709,format=rgb24'
  );
}

function copyRgb({ width, height, data, linesize }: Frame): Picture {
  const rows = new Uint8Array(RGB * width * height);
  const [from, stride] = [data![0]!, linesize[0]!];
  for (let y = 0; y < height; y++)
    rows.set(from.subarray(y * stride, y * stride + RGB * width), y * RGB * width);
  return { width, height, channels: RGB, data: rows };
}
