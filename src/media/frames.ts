import type { Stream, Frame as VideoFrame } from 'node-av/lib';
import { Failure } from '../errors.ts';
import type { Frame, Picture } from '../footage.ts';
import { LinearGraph } from './graph.ts';
import { BoxGrid, type BytePlane, gridSizes, type Size } from './grids.ts';
import { type Decoding, openInput, StreamDecoder, VIDEO_DEMUXERS } from './input.ts';
import {
  colourMatrix,
  displaySize,
  isHdrTransfer,
  streamRotation,
  toneMapFilters,
  turnFilters,
} from './upright.ts';

const FULL_HD_PIXELS = 1920 * 1088;
const DETAIL_FACTOR = 4;
const DETAIL_INTERVAL_SECONDS = 0.3;
/** Yields to the event loop this often, so that progress leaves and a cancel comes in. */
const YIELD_MS = 50;

/**
 * Decodes a clip once and hands out every frame as the detectors see it (`footage.ts`).
 * Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT (not one frame could be decoded).
 */
export async function* openFrames(
  path: string,
  options: { readonly signal?: AbortSignal } = {},
): AsyncGenerator<Frame> {
  using input = await openInput(path, VIDEO_DEMUXERS);
  if (input.video === null) throw new Failure('INPUT_UNSUPPORTED', 'The file has no video stream');
  using decoder = await StreamDecoder.open(input, input.video, decodingOf(input.video));
  const size = displaySize(input.video);
  const grids = gridSizes(size.width / size.height);
  const turn = turnFilters(streamRotation(input.video));
  const { timeBase } = input.video;
  // Waiting for a second thread costs more than such small pictures do.
  const threads = { threads: 1 };
  using grid = new LinearGraph('video', timeBase, (frame) => gridChain(frame, grids.grey, turn), threads);
  using details = new LinearGraph(
    'video',
    timeBase,
    (frame) => detailChain(frame, grids.grey, turn),
    threads,
  );
  const cells = new BoxGrid(grids.grey, grids.colour);

  const ready: Frame[] = [];
  const pushed: { timeSeconds: number; detail: Picture | null }[] = [];
  let index = 0;
  let nextDetailSeconds = Number.NEGATIVE_INFINITY;
  let lastYield = performance.now();
  let decoding = decoder.nextAside();
  try {
    for (;;) {
      const decoded = await decoding;
      if (decoded !== null) {
        decoding = decoder.nextAside();
        const timeSeconds = decoder.frameSeconds(decoded);
        const entry: (typeof pushed)[number] = { timeSeconds, detail: null };
        if (timeSeconds >= nextDetailSeconds) {
          nextDetailSeconds = timeSeconds + DETAIL_INTERVAL_SECONDS;
          details.push(decoded, (scaled) => {
            entry.detail = copyPlane(scaled, planesOf(scaled)[0]!);
          });
        }
        pushed.push(entry);
      }
      grid.push(decoded, (scaled) => {
        const [y, u, v] = planesOf(scaled);
        const grey = copyPlane(scaled, y!);
        const { timeSeconds, detail } = pushed.shift()!;
        const colour: Picture = { ...grids.colour, channels: 3, data: cells.rgb(y!, u!, v!) };
        ready.push({ index: index++, timeSeconds, grey, colour, detail });
      });
      yield* ready.splice(0);
      if (decoded === null) break;
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
 * One thread beside ours decodes: several, each on a frame of its own, cost a tenth more, and ours has as much to do. Only
 * pictures larger than full HD are worth it.
 */
function decodingOf({ codecpar }: Stream): Decoding {
  const large = codecpar.width * codecpar.height > FULL_HD_PIXELS;
  return { threads: large ? 0 : 1, forThumbnails: true };
}

/** To the grey grid's size, three full planes. */
function gridChain(frame: VideoFrame, grey: Size, turn: string): string {
  // Tone mapping is no linear matter: means are taken of what comes out of it, as near as its cost allows.
  const mapped = isHdrTransfer(frame.colorTrc)
    ? `${hdrChain(frame, grey, turn)},${scale(grey, turn)}`
    : scale(grey, turn, sdrRange(frame));
  return `${mapped},format=yuv444p,${turn}null`;
}

function detailChain(frame: VideoFrame, grey: Size, turn: string): string {
  const mapped = isHdrTransfer(frame.colorTrc)
    ? hdrChain(frame, grey, turn)
    : scale(detailSize(grey), turn, sdrRange(frame));
  return `${mapped},format=gray,${turn}null`;
}

function hdrChain(frame: VideoFrame, grey: Size, turn: string): string {
  const range = 'scale=out_range=full:in_color_matrix=bt709:out_color_matrix=bt709';
  return `${scale(detailSize(grey), turn)},${toneMapFilters(frame)}${range}`;
}

const detailSize = ({ width, height }: Size): Size => ({
  width: width * DETAIL_FACTOR,
  height: height * DETAIL_FACTOR,
});

/** Means over areas, exact to rounding. Scaling comes before turning: a quarter turn swaps the sides. */
function scale({ width, height }: Size, turn: string, conversion = ''): string {
  const size = turn.startsWith('transpose') ? `${height}:${width}` : `${width}:${height}`;
  return `scale=${size}:flags=area+accurate_rnd${conversion}`;
}

const sdrRange = (frame: VideoFrame) =>
  `:in_color_matrix=${colourMatrix(frame)}:out_color_matrix=bt709:out_range=full`;

/** Views into FFmpeg's memory: asking for them is dear. */
function planesOf({ data, linesize }: VideoFrame): BytePlane[] {
  return data!.map((plane, number) => ({ data: plane, stride: linesize[number]! }));
}

function copyPlane({ width, height }: VideoFrame, plane: BytePlane): Picture {
  const data = new Uint8Array(width * height);
  if (plane.stride === width) data.set(plane.data.subarray(0, data.length));
  else {
    for (let y = 0; y < height; y++) {
      data.set(plane.data.subarray(y * plane.stride, y * plane.stride + width), y * width);
    }
  }
  return { width, height, channels: 1, data };
}
