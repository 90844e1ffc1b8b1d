import type { Frame, Stream } from 'node-av/lib';
import type { Size } from '../../domain/footage.ts';
import { pixelAspect } from './upright.ts';

/** A part of a picture in its pixels. */
export interface Place extends Size {
  readonly x: number;
  readonly y: number;
}

/** Shapes that differ by less are drawn as one: 1080 lines in a picture of 1088. */
const MAX_SHAPE_DIFFERENCE = 0.01;

/** Whether frames of two ratios of width to height are shown as one shape. */
export function isSameShape(one: number, other: number): boolean {
  return Math.abs(one / other - 1) <= MAX_SHAPE_DIFFERENCE;
}

/** How much wider a frame is, as displayed and before its turn, than the stream's header says; 1: its shape is the stream's. */
function relativeWidth(stream: Stream, frame: Frame): number {
  const { width, height } = stream.codecpar;
  const header = (width * pixelAspect(stream)) / height;
  const shown = (frame.width * pixelAspect(stream, frame)) / frame.height;
  return isSameShape(shown, header) ? 1 : shown / header;
}

/**
 * Size and shape may change within a stream: a picture of the stream holds each frame whole, in its own shape. Gives the place
 * of a frame, before its turn, in a picture of `size`, in even numbers where it is smaller; null: it fills the picture.
 */
export function frameInside(stream: Stream, frame: Frame, { width, height }: Size): Place | null {
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

/** The filter that puts black around a frame which was scaled to its place. */
export function padFilter({ width, height }: Size, { x, y }: Place): string {
  return `pad=${width}:${height}:${x}:${y}:black`;
}
