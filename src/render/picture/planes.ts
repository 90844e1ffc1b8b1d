import type { Frame } from 'node-av/lib';
import type { Yuv } from './composite.ts';

const kept = new WeakMap<Frame, Yuv>();

/** Views into the memory of a yuv420p frame: valid as long as the frame is. */
export function planesOf(frame: Frame): Yuv {
  return kept.get(frame) ?? viewPlanes(frame);
}

/** From now on `planesOf` gives the same views: for a frame that keeps its memory until `forgetPlanes`. */
export function keepPlanes(frame: Frame): void {
  kept.set(frame, viewPlanes(frame));
}

export function forgetPlanes(frame: Frame): void {
  kept.delete(frame);
}

function viewPlanes(frame: Frame): Yuv {
  // Each is read from native code anew: once is enough.
  const { data, linesize, width, height } = frame;
  const plane = (index: number, shift: number) => ({
    data: data![index],
    stride: linesize[index],
    width: (width + shift) >> shift,
    height: (height + shift) >> shift,
  });
  return [plane(0, 0), plane(1, 1), plane(2, 1)];
}
