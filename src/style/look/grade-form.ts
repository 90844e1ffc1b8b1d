import { clamp } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { ofEigenvalues, type Symmetric } from './symmetric.ts';
import type { ToneKnot } from './tone-curve.ts';

export type Pair = readonly [number, number];

/** Lightness at which a shift of (a, b) is set: shadows, mid-tones, highlights. */
export const SHIFT_KNOTS = [25, 52, 85] as const;
/**
 * Share of a shift that black and white themselves receive: tinted ends look like a fault, and a steep way
 * from untinted ones draws out edges.
 */
const BLACK_SHARE = 0.3;
const WHITE_SHARE = 0.4;

export interface TransformLimits {
  readonly minSlope: number;
  /** Down to which a slope may fall where the whole is darkened: see `fitToneCurve`. */
  readonly darkestSlope: number;
  readonly maxSlope: number;
  readonly restraint: number;
  readonly maxBlack: number;
  readonly minScale: number;
  readonly maxScale: number;
  readonly skinGuardDegrees: number;
  /** See `Grade`. */
  readonly paleness: number;
}

/** A transform of Lab: L by its curve, (a, b) by the map and a shift that goes with L. */
export interface ColourTransform {
  readonly lightness: readonly ToneKnot[];
  readonly map: Symmetric;
  /** Added to (a, b) after the map, about grey. */
  readonly shifts: readonly [Pair, Pair, Pair];
}

/** The part `reach` of a transform, and of what its map stretches the part `boost`; `centre` stays where it goes. */
export function partOfTransform(
  { lightness, map, shifts }: ColourTransform,
  part: { readonly reach: number; readonly boost: number; readonly centre: Pair },
): ColourTransform {
  const { reach, boost, centre } = part;
  const stretched = ofEigenvalues(map, (value) => (value > 1 ? 1 + boost * (value - 1) : value));
  const [xx, xy, yy] = [0, 1, 2].map((at) => map[at]! - stretched[at]!) as [number, number, number];
  const [lostA, lostB] = [xx * centre[0] + xy * centre[1], xy * centre[0] + yy * centre[1]];
  return {
    lightness: lightness.map((knot) => ({ in: knot.in, out: knot.in + reach * (knot.out - knot.in) })),
    map: [1 + reach * (stretched[0] - 1), reach * stretched[1], 1 + reach * (stretched[2] - 1)],
    shifts: shifts.map(
      ([a, b]): Pair => [reach * (a + lostA), reach * (b + lostB)],
    ) as unknown as ColourTransform['shifts'],
  };
}

export function gradeOfTransform(
  { lightness, map, shifts }: ColourTransform,
  { skinGuardDegrees, paleness }: Pick<TransformLimits, 'skinGuardDegrees' | 'paleness'>,
): Grade {
  const [shadows, midtones, highlights] = shifts;
  const offset = (at: number, [a, b]: Pair, share = 1) => ({
    at,
    a: rounded(share * a),
    b: rounded(share * b),
  });
  return {
    lightness: lightness.map((knot) => ({ in: knot.in, out: rounded(knot.out) })),
    matrix: [rounded(map[0]), rounded(map[1]), rounded(map[1]), rounded(map[2])],
    centre: [0, 0],
    offsets: [
      offset(0, shadows, BLACK_SHARE),
      offset(SHIFT_KNOTS[0], shadows),
      offset(SHIFT_KNOTS[1], midtones),
      offset(SHIFT_KNOTS[2], highlights),
      offset(100, highlights, WHITE_SHARE),
    ],
    skinGuardDegrees,
    ...(paleness > 1 ? { paleness: rounded(paleness) } : {}),
  };
}

export const IDENTITY: ColourTransform = {
  lightness: [
    { in: 0, out: 0 },
    { in: 100, out: 100 },
  ],
  map: [1, 0, 1],
  shifts: [
    [0, 0],
    [0, 0],
    [0, 0],
  ],
};

/** How much each knot's shift counts at a lightness, into `out[0..2]`. */
export function shiftWeights(lightness: number, out: Float64Array): void {
  const [low, middle, high] = SHIFT_KNOTS;
  const rise = (from: number, to: number) => clamp((lightness - from) / (to - from), 0, 1);
  const [toMiddle, toHigh] = [rise(low, middle), rise(middle, high)];
  out[0] = lightness < low ? BLACK_SHARE + (1 - BLACK_SHARE) * rise(0, low) : 1 - toMiddle;
  out[1] = Math.min(toMiddle, 1 - toHigh);
  out[2] = lightness > high ? 1 - (1 - WHITE_SHARE) * rise(high, 100) : toHigh;
}

function rounded(value: number): number {
  return Math.round(value * 10000) / 10000 + 0;
}
