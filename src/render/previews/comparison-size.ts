import type { Size } from '../../domain/footage.ts';

const MAX_LINES = 720;
/** Width of the black line between the two pictures, in pixels. */
export const GAP = 4;

/** Height of the labels' band below the pictures, as a share of their height. */
const MIN_BAND = 0.05;
const MIN_BAND_LINES = 16;
/** x264 codes blocks of 16 lines; other heights would cost invisible lines. */
const BLOCK_LINES = 16;

/** Height of the labels' band below pictures of `lines` lines; the sum is a whole number of blocks. */
export function bandLines(lines: number): number {
  const least = lines + Math.max(MIN_BAND_LINES, MIN_BAND * lines);
  return BLOCK_LINES * Math.ceil(least / BLOCK_LINES) - lines;
}

/** Size of one side of a comparison with an output of `lines` lines: even, and at most `MAX_LINES` high. */
export function sideSize(picture: Size, lines: number): Size {
  const height = 2 * Math.round(Math.min(MAX_LINES, lines) / 2);
  return { width: Math.max(2, 2 * Math.round((height * picture.width) / picture.height / 2)), height };
}

/** Size of source and output side by side with the band below them. */
export function comparisonSize(source: Size, output: Size): Size {
  const [left, right] = [sideSize(source, output.height), sideSize(output, output.height)];
  return { width: left.width + GAP + right.width, height: left.height + bandLines(left.height) };
}
