/** Ratios of cameras, screens and cinemas, each in portrait and in landscape. */
const COMMON = [
  [16, 9],
  [4, 3],
  [1, 1],
  [5, 4],
  [3, 2],
  [16, 10],
  [2, 1],
  [21, 9],
  [37, 20],
  [47, 20],
  [64, 27],
  [239, 100],
] as const;

/** Ratios that players and platforms show without bars. */
const PUBLISHED = [
  [16, 9],
  [9, 16],
  [1, 1],
  [4, 5],
  [4, 3],
] as const;
/** A smaller relative difference is rounding to whole pixels. */
const MAX_ROUNDING = 0.01;
/**
 * A smaller relative difference from a published ratio is unintended. A recorded player of 226×426 differs by
 * 5.7 %, sides rounded to macroblocks (640×352, 640×368) by 2.3 %. The next one, 1.85:1 beside 16:9, is a
 * common ratio of its own.
 */
const NEAR_PUBLISHED = 0.06;

type Pair = readonly [number, number];

/** `width:height`: the nearest common ratio within 1 %, or the reduced fraction. */
export function aspectRatioOf(width: number, height: number): string {
  const common = commonRatio(width / height);
  if (common !== null) return `${common[0]}:${common[1]}`;
  const divisor = greatestDivisor(width, height);
  return `${width / divisor}:${height / divisor}`;
}

/**
 * The output ratio for a style's ratio: a nearly published ratio becomes the published one, unless the source's
 * ratio `own` is as unusual.
 */
export function outputRatio(ratio: number, own: number): number {
  if (Math.abs(ratio / own - 1) < MAX_ROUNDING || commonRatio(ratio) !== null) return ratio;
  const published = nearest(ratio, PUBLISHED, NEAR_PUBLISHED);
  return published === null ? ratio : published[0] / published[1];
}

function commonRatio(ratio: number): Pair | null {
  return nearest(
    ratio,
    COMMON.flatMap(([wide, narrow]) => [[wide, narrow] as const, [narrow, wide] as const]),
    MAX_ROUNDING,
  );
}

/** The nearest of the pairs with a relative difference below `within`. */
function nearest(ratio: number, pairs: readonly Pair[], within: number): Pair | null {
  let [best, least] = [null as Pair | null, within];
  for (const pair of pairs) {
    const error = Math.abs(ratio / (pair[0] / pair[1]) - 1);
    if (error < least) [best, least] = [pair, error];
  }
  return best;
}

/** Width over height of a `width:height` text. */
export function ratioOf(aspectRatio: string): number {
  const [width, height] = aspectRatio.split(':').map(Number);
  return width! / height!;
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
