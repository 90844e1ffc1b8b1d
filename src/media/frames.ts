import type { Frame as VideoFrame } from 'node-av/lib';
import { Failure } from '../errors.ts';
import type { Frame, Picture } from '../footage.ts';
import { LinearGraph } from './graph.ts';
import { openInput, StreamDecoder, VIDEO_DEMUXERS } from './input.ts';
import {
  colourMatrix,
  displaySize,
  isHdrTransfer,
  streamRotation,
  toneMapFilters,
  turnFilters,
} from './upright.ts';

const GREY_PIXELS = 160 * 90;
const COLOUR_PIXELS = 48 * 27;
const DETAIL_FACTOR = 4;
const DETAIL_INTERVAL_SECONDS = 0.3;
/** Yields to the event loop this often, so that progress leaves and a cancel comes in. */
const YIELD_MS = 50;

export interface GridSizes {
  readonly grey: { readonly width: number; readonly height: number };
  readonly colour: { readonly width: number; readonly height: number };
}

/** Analysis grids of a picture of the given display ratio (width / height): even area, ratio kept within 1:16. */
export function gridSizes(ratio: number): GridSizes {
  const bounded = Math.min(Math.max(ratio, 1 / 16), 16);
  const fit = (area: number) => {
    const height = Math.max(4, Math.round(Math.sqrt(area / bounded)));
    return { width: Math.max(4, Math.round(height * bounded)), height };
  };
  return { grey: fit(GREY_PIXELS), colour: fit(COLOUR_PIXELS) };
}

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
  using decoder = await StreamDecoder.open(input, input.video);
  const size = displaySize(input.video);
  const grids = gridSizes(size.width / size.height);
  const turn = turnFilters(streamRotation(input.video));
  using graph = new LinearGraph('video', input.video.timeBase, (frame) => analysisChain(frame, grids, turn));

  const ready: Frame[] = [];
  const times: number[] = [];
  let index = 0;
  let nextDetailSeconds = 0;
  let lastYield = performance.now();
  const onFrame = (scaled: VideoFrame) => {
    const timeSeconds = times.shift() ?? 0;
    const withDetail = timeSeconds >= nextDetailSeconds;
    if (withDetail) nextDetailSeconds = timeSeconds + DETAIL_INTERVAL_SECONDS;
    ready.push(readFrame(scaled, grids, index++, timeSeconds, withDetail));
  };
  for (;;) {
    const decoded = decoder.next();
    if (decoded !== null) times.push(decoder.frameSeconds(decoded));
    graph.push(decoded, onFrame);
    yield* ready.splice(0);
    if (decoded === null) break;
    if (performance.now() - lastYield > YIELD_MS) {
      await new Promise(setImmediate);
      options.signal?.throwIfAborted();
      lastYield = performance.now();
    }
  }
  if (index === 0) throw new Failure('INPUT_CORRUPT', 'Not one frame of the video stream can be decoded');
}

function analysisChain(frame: VideoFrame, grids: GridSizes, turn: string): string {
  const width = grids.grey.width * DETAIL_FACTOR;
  const height = grids.grey.height * DETAIL_FACTOR;
  // Scaling comes first, because everything after it is then cheap; a quarter turn swaps the sides.
  const size = turn.startsWith('transpose') ? `${height}:${width}` : `${width}:${height}`;
  const hdr = isHdrTransfer(frame.colorTrc);
  const matrix = hdr ? '' : `:in_color_matrix=${colourMatrix(frame)}:out_color_matrix=bt709:out_range=full`;
  const full = hdr ? 'scale=out_range=full:in_color_matrix=bt709:out_color_matrix=bt709,' : '';
  return `scale=${size}:flags=bilinear${matrix},${toneMapFilters(frame)}${full}format=yuv420p,${turn}null`;
}

/** Box averages of the scaled frame; its planes are views into FFmpeg's memory and are read here only. */
function readFrame(
  scaled: VideoFrame,
  grids: GridSizes,
  index: number,
  timeSeconds: number,
  withDetail: boolean,
): Frame {
  const [luma, blue, red] = scaled.data as [Buffer, Buffer, Buffer];
  const [lumaStride, blueStride, redStride] = scaled.linesize as [number, number, number];
  const width = grids.grey.width * DETAIL_FACTOR;
  const height = grids.grey.height * DETAIL_FACTOR;
  const grey = boxGrey(luma, lumaStride, grids.grey.width, grids.grey.height);
  const { width: columns, height: rows } = grids.colour;
  const y = boxPlane(luma, lumaStride, width, height, columns, rows);
  const u = boxPlane(blue, blueStride, width >> 1, height >> 1, columns, rows);
  const v = boxPlane(red, redStride, width >> 1, height >> 1, columns, rows);
  return {
    index,
    timeSeconds,
    grey: { width: grids.grey.width, height: grids.grey.height, channels: 1, data: grey },
    colour: { width: columns, height: rows, channels: 3, data: yuvToRgb(y, u, v) },
    detail: withDetail ? copyPlane(luma, lumaStride, width, height) : null,
  };
}

function boxGrey(plane: Uint8Array, stride: number, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const r0 = y * 4 * stride;
    const r1 = r0 + stride;
    const r2 = r1 + stride;
    const r3 = r2 + stride;
    for (let x = 0, c = 0; x < width; x++, c += 4) {
      const a = plane[r0 + c]! + plane[r0 + c + 1]! + plane[r0 + c + 2]! + plane[r0 + c + 3]!;
      const b = plane[r1 + c]! + plane[r1 + c + 1]! + plane[r1 + c + 2]! + plane[r1 + c + 3]!;
      const d = plane[r2 + c]! + plane[r2 + c + 1]! + plane[r2 + c + 2]! + plane[r2 + c + 3]!;
      const e = plane[r3 + c]! + plane[r3 + c + 1]! + plane[r3 + c + 2]! + plane[r3 + c + 3]!;
      out[y * width + x] = (a + b + d + e + 8) >> 4;
    }
  }
  return out;
}

/** Mean over each cell of a `columns`×`rows` grid; cells differ by at most one sample in size. */
function boxPlane(
  plane: Uint8Array,
  stride: number,
  width: number,
  height: number,
  columns: number,
  rows: number,
): Float32Array {
  const out = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const y0 = Math.floor((row * height) / rows);
    const y1 = Math.max(y0 + 1, Math.floor(((row + 1) * height) / rows));
    for (let column = 0; column < columns; column++) {
      const x0 = Math.floor((column * width) / columns);
      const x1 = Math.max(x0 + 1, Math.floor(((column + 1) * width) / columns));
      let sum = 0;
      for (let y = y0; y < y1; y++)
        for (let i = y * stride + x0, end = y * stride + x1; i < end; i++) sum += plane[i]!;
      out[row * columns + column] = sum / ((y1 - y0) * (x1 - x0));
    }
  }
  return out;
}

/** Full-range BT.709 (ITU-R BT.709-6, section 3) to RGB. */
function yuvToRgb(y: Float32Array, u: Float32Array, v: Float32Array): Uint8Array {
  const out = new Uint8Array(y.length * 3);
  const clamp = (value: number) => (value < 0 ? 0 : value > 255 ? 255 : Math.round(value));
  for (let i = 0, o = 0; i < y.length; i++, o += 3) {
    const cb = u[i]! - 128;
    const cr = v[i]! - 128;
    out[o] = clamp(y[i]! + 1.5748 * cr);
    out[o + 1] = clamp(y[i]! - 0.1873 * cb - 0.4681 * cr);
    out[o + 2] = clamp(y[i]! + 1.8556 * cb);
  }
  return out;
}

function copyPlane(plane: Uint8Array, stride: number, width: number, height: number): Picture {
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) data.set(plane.subarray(y * stride, y * stride + width), y * width);
  return { width, height, channels: 1, data };
}
