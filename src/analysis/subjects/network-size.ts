import type { Size } from '../../domain/footage.ts';

/** A size with about this many pixels in the picture's ratio, in whole cells, with at least two cells per side. */
export function networkSize({ width, height }: Size, pixels: number, cellPixels: number): Size {
  const scale = Math.sqrt(pixels / (width * height)) / cellPixels;
  const side = (length: number) => cellPixels * Math.max(2, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}
