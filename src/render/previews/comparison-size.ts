import type { Size } from '../../domain/footage.ts';

const MAX_LINES = 720;
/** A black line between the two, in pixels. */
export const GAP = 4;

/** Of the pictures' height, below them: says which is which, and covers nothing of what is compared. */
const MIN_BAND = 0.05;
const MIN_BAND_LINES = 16;
/** x264 codes blocks of 16 lines; a picture of whole blocks needs no lines that nobody sees. */
const BLOCK_LINES = 16;

/** How high the band of words below pictures of so many lines is: with them a whole number of blocks. */
export function bandLines(lines: number): number {
  const least = lines + Math.max(MIN_BAND_LINES, MIN_BAND * lines);
  return BLOCK_LINES * Math.ceil(least / BLOCK_LINES) - lines;
}

/** One side of a comparison with an output of so many lines: even, and no higher than `MAX_LINES`. */
export function sideSize(picture: Size, lines: number): Size {
  const height = 2 * Math.round(Math.min(MAX_LINES, lines) / 2);
  return { width: Math.max(2, 2 * Math.round((height * picture.width) / picture.height / 2)), height };
}

/** Source and output side by side, and the band below them. */
export function comparisonSize(source: Size, output: Size): Size {
  const [left, right] = [sideSize(source, output.height), sideSize(output, output.height)];
  return { width: left.width + GAP + right.width, height: left.height + bandLines(left.height) };
}
