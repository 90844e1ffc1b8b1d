import type { Frame } from 'node-av/lib';
import type { Yuv } from './composite.ts';

/** Views into the memory of a yuv420p frame: valid as long as the frame is. */
export function planesOf(frame: Frame): Yuv {
  const plane = (index: number, shift: number) => ({
    data: frame.data![index]!,
    stride: frame.linesize[index]!,
    width: (frame.width + shift) >> shift,
    height: (frame.height + shift) >> shift,
  });
  return [plane(0, 0), plane(1, 1), plane(2, 1)];
}
