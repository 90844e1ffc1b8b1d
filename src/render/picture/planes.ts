import type { Frame } from 'node-av/lib';
import type { Yuv } from './composite.ts';

const cached = new WeakMap<Frame, Yuv>();

/** Views into the memory of a yuv420p frame, valid as long as the frame is. */
export function planesOf(frame: Frame): Yuv {
  return cached.get(frame) ?? viewPlanes(frame);
}

/** Caches the views that `planesOf` returns. Only for a frame that keeps its memory until `forgetPlanes`. */
export function keepPlanes(frame: Frame): void {
  cached.set(frame, viewPlanes(frame));
}

export function forgetPlanes(frame: Frame): void {
  cached.delete(frame);
}

function viewPlanes(frame: Frame): Yuv {
  // Every access calls native code, so each property is read once.
  const { data, linesize, width, height } = frame;
  const plane = (index: number, shift: number) => ({
    data: data![index],
    stride: linesize[index],
    width: (width + shift) >> shift,
    height: (height + shift) >> shift,
  });
  return [plane(0, 0), plane(1, 1), plane(2, 1)];
}
