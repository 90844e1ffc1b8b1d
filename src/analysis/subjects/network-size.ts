import type { Size } from '../../domain/footage.ts';

/** About so many pixels in the picture's ratio, in whole cells, of which each side has two at least. */
export function networkSize({ width, height }: Size, pixels: number, cellPixels: number): Size {
  const scale = Math.sqrt(pixels / (width * height)) / cellPixels;
  const side = (length: number) => cellPixels * Math.max(2, Math.round(length * scale));
  return { width: side(width), height: side(height) };
}
