import type { Size } from '../footage.ts';

const MAX_LINES = 720;
/** A black line between the two, in pixels. */
export const GAP = 4;

/** One side of a comparison with an output of so many lines: even, and no higher than `MAX_LINES`. */
export function sideSize(picture: Size, lines: number): Size {
  const height = 2 * Math.round(Math.min(MAX_LINES, lines) / 2);
  return { width: Math.max(2, 2 * Math.round((height * picture.width) / picture.height / 2)), height };
}

/** Of a picture's height: small beside what is compared, and legible on a card 400 pixels wide. */
const LABEL_SIZE = 0.034;
/** Smaller letters cannot be read. */
const MIN_LABEL_PIXELS = 10;

/** Type size of the labels over sides that are so high. */
export function labelPixels(lines: number): number {
  return Math.max(MIN_LABEL_PIXELS, Math.round(lines * LABEL_SIZE));
}

/** Lines of the black strip over the sides, for their labels: they cover nothing of the pictures. Even. */
export function stripLines(lines: number): number {
  return 2 * labelPixels(lines);
}

/** Source and output side by side, below the strip. */
export function comparisonSize(source: Size, output: Size): Size {
  const [left, right] = [sideSize(source, output.height), sideSize(output, output.height)];
  return { width: left.width + GAP + right.width, height: stripLines(left.height) + left.height };
}
