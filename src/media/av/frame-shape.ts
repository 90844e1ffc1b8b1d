import type { Frame, Stream } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import {
  colorMatrix,
  isHdrTransfer,
  pixelAspect,
  streamOrientation,
  toneMapFilters,
  turnedSize,
  turnFilters,
} from './upright.ts';

/** A part of a picture, in pixels. */
export interface Placement extends Size {
  readonly x: number;
  readonly y: number;
}

/** Ratios that differ by less count as equal, such as 1080 lines in a picture of 1088. */
const MAX_SHAPE_DIFFERENCE = 0.01;

/** Whether two ratios of width to height count as equal. */
export function isSameShape(one: number, other: number): boolean {
  return Math.abs(one / other - 1) <= MAX_SHAPE_DIFFERENCE;
}

/** Ratio of a frame's aspect to the stream's aspect, before rotation; 1: equal. */
function relativeWidth(stream: Stream, frame: Frame): number {
  const { width, height } = stream.codecpar;
  const header = (width * pixelAspect(stream)) / height;
  const shown = (frame.width * pixelAspect(stream, frame)) / frame.height;
  return isSameShape(shown, header) ? 1 : shown / header;
}

/**
 * Size and shape may change within a stream; every frame is shown whole and in its own shape. Returns the position of a frame, before
 * rotation, in a picture of `size`, in even numbers; null: it fills the picture.
 */
export function framePlacement(stream: Stream, frame: Frame, { width, height }: Size): Placement | null {
  const wider = relativeWidth(stream, frame);
  if (wider === 1) return null;
  const part = (length: number, share: number) =>
    share >= 1 ? length : Math.max(2, 2 * Math.round((length * share) / 2));
  const inner = { width: part(width, wider), height: part(height, 1 / wider) };
  return {
    ...inner,
    x: 2 * Math.floor((width - inner.width) / 4),
    y: 2 * Math.floor((height - inner.height) / 4),
  };
}

/** The filter that adds black around a frame scaled to its place. */
export function padFilter({ width, height }: Size, { x, y }: Placement): string {
  return `pad=${width}:${height}:${x}:${y}:black`;
}

/**
 * Parts of a filter chain that converts a decoded frame of the stream to an upright SDR picture of `size`.
 * `stored`: that size before rotation. `placement`: position of the frame in it; null: all of it. `matrix`:
 * the frame's matrix for FFmpeg's filter `scale` after tone mapping. `toneMap` and `turn`: filters, each
 * ending in a comma.
 */
export function uprightConversion(frame: Frame, stream: Stream, size: Size) {
  const orientation = streamOrientation(stream);
  const stored = turnedSize(size, orientation);
  return {
    orientation,
    stored,
    placement: framePlacement(stream, frame, stored),
    matrix: isHdrTransfer(frame.colorTrc) ? 'bt709' : colorMatrix(frame),
    toneMap: toneMapFilters(frame),
    turn: turnFilters(orientation),
  };
}

/** Filters that scale a decoded frame of the stream to an upright SDR picture of `size` with the matrix of BT.709, each followed by a comma. */
export function uprightFilters(frame: Frame, size: Size, stream: Stream): string {
  const { stored, placement, matrix, toneMap, turn } = uprightConversion(frame, stream, size);
  const { width, height } = placement ?? stored;
  // Tone mapping converts the matrix itself.
  const toBt709 = toneMap === '' ? `:in_color_matrix=${matrix}:out_color_matrix=bt709` : '';
  const pad = placement === null ? '' : `${padFilter(stored, placement)},`;
  return `scale=${width}:${height}:flags=area+accurate_rnd${toBt709},${toneMap}${pad}${turn}`;
}
