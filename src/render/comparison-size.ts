import type { Size } from '../footage.ts';

const MAX_LINES = 720;
/** A black line between the two, in pixels. */
export const GAP = 4;

/** One side of a comparison with an output of so many lines: even, and no higher than `MAX_LINES`. */
export function sideSize(picture: Size, lines: number): Size {
  const height = 2 * Math.round(Math.min(MAX_LINES, lines) / 2);
  return { width: Math.max(2, 2 * Math.round((height * picture.width) / picture.height / 2)), height };
}

/** Source and output side by side. */
export function comparisonSize(source: Size, output: Size): Size {
  const [left, right] = [sideSize(source, output.height), sideSize(output, output.height)];
  return { width: left.width + GAP + right.width, height: left.height };
}
