import { smoothstep } from '../../signal/interpolation.ts';
import type { LabPicture } from './evidence.ts';
import { NEAR_BLACK } from './near-black.ts';

/** Width of the bins of lightness in which colors are compared: a tint goes with lightness. */
const BIN_LIGHTNESS = 5;
const BINS = 100 / BIN_LIGHTNESS + 1;
/**
 * Root mean square distance in (a, b) of colors from the mean of their lightness. Black-and-white, sepia and
 * blue-toned clips have .1 to .9; the greyest of 75 others, a ball on paving stones, 2.4.
 */
export const SPREAD = { colored: 2.2, toned: 1 } as const;
/** Chroma of the strongest mean: tints have up to 25. A green screen before a black figure has one color for each lightness as well, and 90. */
const TINT = { colored: 45, toned: 35 } as const;
/** Of all pixels; less at one lightness is no evidence of a tint. */
const MIN_SHARE = 0.005;

/** 0..1: how far pictures are black and white, or toned in one color that goes with lightness. Near-black pixels show neither. */
export function monochromeShare(pictures: readonly LabPicture[]): number {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, a: 0, b: 0, squares: 0 }));
  let all = 0;
  for (const { lab, isCounted } of pictures) {
    for (let at = 0; at < lab.length / 3; at++) {
      if (isCounted?.[at] === 0 || lab[3 * at] < NEAR_BLACK) continue;
      const a = lab[3 * at + 1];
      const b = lab[3 * at + 2];
      const bin = bins[Math.floor(lab[3 * at] / BIN_LIGHTNESS)];
      bin.count++;
      bin.a += a;
      bin.b += b;
      bin.squares += a * a + b * b;
      all++;
    }
  }
  if (all === 0) return 0;
  let residual = 0;
  let tint = 0;
  for (const { count, a, b, squares } of bins) {
    if (count === 0) continue;
    residual += squares - (a * a + b * b) / count;
    if (count >= MIN_SHARE * all) tint = Math.max(tint, Math.hypot(a, b) / count);
  }
  const spread = Math.sqrt(Math.max(0, residual) / all);
  return smoothstep(SPREAD.colored, SPREAD.toned, spread) * smoothstep(TINT.colored, TINT.toned, tint);
}
