/** Sizes of framings that show their whole part: pure, because the page's player draws them too. */
import type { Size } from '../../domain/footage.ts';

/** The blurred copy behind a padded picture is so many times smaller than the output, and blurred by so many of its pixels. */
export const BLUR_SHRINK = 8;
export const BLUR_SIGMA = 4;
/** Added to its luma, as a share of 255 levels. */
export const PAD_DARKEN = -0.08;
/** Lines of an edge that are averaged for its continuation, and pixels averaged along it. */
export const EDGE_PIXELS = 4;
const SMOOTHED_PIXELS = 128;

/** Size of a part of `width` × `height` pixels inside an output that continues its edges: the same shape, even sides. */
export function extendedSize(output: Size, { width, height }: Size): Size {
  const scale = Math.min(output.width / width, output.height / height);
  const even = (value: number, most: number) => Math.min(most, Math.max(2, 2 * Math.round(value / 2)));
  return { width: even(width * scale, output.width), height: even(height * scale, output.height) };
}

/** Number of colors that continue an edge of `side` pixels. */
export function edgeColors(side: number): number {
  return Math.max(2, 2 * Math.round(side / SMOOTHED_PIXELS / 2));
}
