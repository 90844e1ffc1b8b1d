/** Ratios that cameras, screens and cinemas use; each counts upright and lying. */
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

/** `width:height`: the nearest common ratio within 1 %, else the reduced fraction. */
export function aspectRatioOf(width: number, height: number): string {
  const ratio = width / height;
  let best: readonly [number, number] | null = null;
  let least = 0.01;
  for (const [wide, narrow] of COMMON) {
    for (const pair of [[wide, narrow] as const, [narrow, wide] as const]) {
      const error = Math.abs(ratio / (pair[0] / pair[1]) - 1);
      if (error < least) [best, least] = [pair, error];
    }
  }
  if (best !== null) return `${best[0]}:${best[1]}`;
  const divisor = greatestDivisor(width, height);
  return `${width / divisor}:${height / divisor}`;
}

/** Width over height of a `width:height` text. */
export function ratioOf(aspectRatio: string): number {
  const [width, height] = aspectRatio.split(':').map(Number);
  return width! / height!;
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
