import { RGB } from '../../domain/footage.ts';
import type { PixelBox } from '../bars/picture-area.ts';
import { type FrameSketch, resketch, structureDistance } from '../frames/sketch.ts';

const BARS = {
  /** Highest level of a black line: bars with a wrongly converted range, and coding noise. */
  BLACK_LEVEL: 32,
  /** Largest difference, in lines, between the bars of a pair. */
  UNEVEN_LINES: 1,
  /** Least lines of both bars together: the line beside a bar may be black or not. */
  MIN_LINES: 3,
  /** Least share of a side that bars leave. */
  MIN_PICTURE: 0.22,
  /**
   * The picture between the bars changes by at most this many levels, or this many times the smaller of the steps
   * beside it.
   */
  STILL_LEVELS: 3,
  STILL_RATIO: 2,
} as const;

/**
 * Whether the only change from `old` to `fresh` is that black bars appear or disappear while the picture between
 * them continues. `before` and `after`: the adjacent frames, if any.
 */
export function isBarChange(
  { old, fresh }: { readonly old: FrameSketch; readonly fresh: FrameSketch },
  { before, after }: { readonly before: FrameSketch | undefined; readonly after: FrameSketch | undefined },
): boolean {
  const [wide, narrow] = [insideBars(old), insideBars(fresh)];
  if (wide === null || narrow === null) return false;
  const isOpened = wide.width * wide.height < narrow.width * narrow.height;
  const inner = isOpened ? wide : narrow;
  const outer = isOpened ? narrow : wide;
  const lines = Math.max(outer.width - inner.width, outer.height - inner.height);
  if (lines < BARS.MIN_LINES) return false;
  const change = (a: FrameSketch, b: FrameSketch) =>
    structureDistance(resketch(a, inner), resketch(b, inner));
  const beside = Math.min(
    before === undefined ? 0 : change(before, old),
    after === undefined ? 0 : change(fresh, after),
  );
  return change(old, fresh) <= Math.max(BARS.STILL_LEVELS, BARS.STILL_RATIO * beside);
}

/** Area inside pairs of black lines at the edges of the whole frame; null if it is too small. */
function insideBars({ whole: { width, height, pixels } }: FrameSketch): PixelBox | null {
  const isBlack = (x: number, y: number) => {
    const at = RGB * (y * width + x);
    return Math.max(pixels[at], pixels[at + 1], pixels[at + 2]) <= BARS.BLACK_LEVEL;
  };
  const rows = barLines(height, width, (y, x) => isBlack(x, y));
  const columns = barLines(width, height, (x, y) => isBlack(x, y));
  // The line beside a bar mixes bar and picture.
  const withMixed = (lines: number) => (lines === 0 ? 0 : lines + 1);
  const [left, top] = [withMixed(columns.first), withMixed(rows.first)];
  const inner = {
    ...{ left, top },
    width: width - left - withMixed(columns.last),
    height: height - top - withMixed(rows.last),
  };
  return inner.width < BARS.MIN_PICTURE * width || inner.height < BARS.MIN_PICTURE * height ? null : inner;
}

/** Black lines at the first and the last side of `count` lines of a length; none unless they are a pair. */
function barLines(
  count: number,
  length: number,
  isBlackAt: (line: number, at: number) => boolean,
): { readonly first: number; readonly last: number } {
  const isBar = (line: number) => Array.from({ length }, (_, at) => at).every((at) => isBlackAt(line, at));
  let [first, last] = [0, 0];
  while (first < count && isBar(first)) first += 1;
  while (last < count - first && isBar(count - 1 - last)) last += 1;
  return Math.abs(first - last) <= BARS.UNEVEN_LINES ? { first, last } : { first: 0, last: 0 };
}
