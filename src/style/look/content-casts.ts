/**
 * Casts of a palette that are content of the template: a sky, water, leaves, a drawing. Greys take them up to a limit, so that white walls
 * and asphalt stay what they are. Colors of the opposite hue lose chroma instead: brown wood under a blue sky becomes grey, not blue.
 */
import { between, polylineAt, smoothstep } from '../../signal/interpolation.ts';
import { byDaylight } from './daylight.ts';

type Pair = readonly [number, number];

const DEGREES = 180 / Math.PI;
/** Largest cast on a grey across the line of daylight, by its lightness; chosen by eye on 24 pairs (0220). White walls have 75 to 90, asphalt 40 to 50. */
const LARGEST = {
  dark: [
    [0, 60],
    [45, 46],
    [62, 18],
    [76, 8],
    [100, 3],
  ],
  bright: [
    [0, 30],
    [30, 20],
    [50, 12],
    [75, 7],
    [100, 3],
  ],
} as const;
/** Median lightness of a template between which its limits change from `dark` to `bright`: stages and blue skies have up to 40, water by day 51, drawings 60 to 70. */
const BRIGHT = [40, 55] as const;
/** P5 of a template between which they change as well: stages have up to 14, deep blue skies 29 to 46. */
const WITHOUT_DARKS = [18, 28] as const;
/** Weight of the change by P5 across the line of daylight, and along it, warm and blue: brown tables have no darks either. */
const OF_SKY = [0.5, [0, 0.5]] as const;
/** The limit times this along the line, warm and blue: evening light on white is no fault. */
const ALONG = [1.8, 1.2] as const;
/** Largest share of its chroma that an opposite color loses. Less than 1: neighboring colors stay neighbors. */
const LARGEST_LOSS = 0.9;
/** Chroma (CIELAB) between which colors lose less: strong ones keep their own. */
const STRONG = [25, 42] as const;

/**
 * The part of a palette's cast that a grey takes, as far as `caution` (0..1) requests; `median` and `darks` (P5): of the template's
 * lightness.
 */
export function castOnGrey(
  [a, b]: Pair,
  lightness: number,
  { median, darks, caution }: { readonly median: number; readonly darks: number; readonly caution: number },
): [number, number] {
  const length = Math.hypot(a, b);
  if (length < 1e-6) return [a, b];
  const hue = DEGREES * Math.atan2(b, a);
  const across = between(
    polylineAt(LARGEST.dark, lightness),
    polylineAt(LARGEST.bright, lightness),
    Math.max(smoothstep(...BRIGHT, median), byDaylight(hue, ...OF_SKY) * smoothstep(...WITHOUT_DARKS, darks)),
  );
  const limit = across * byDaylight(hue, 1, ALONG);
  const share = between(1, (limit * Math.tanh(length / limit)) / length, caution);
  return [share * a, share * b];
}

/** A color after the loss of chroma by a cast that greys do not take; `chroma` is that of the source, `guard` protects strong colors. */
export function fadedBy([castA, castB]: Pair, [a, b]: Pair, chroma: number, guard: number): [number, number] {
  const [length, own] = [Math.hypot(castA, castB), Math.hypot(a, b)];
  if (length < 1e-6 || own < 1e-6) return [a, b];
  const opposite = Math.max(0, -(a * castA + b * castB) / (own * length));
  const weak = 1 - guard * smoothstep(...STRONG, chroma);
  const left = 1 - weak * LARGEST_LOSS * Math.tanh((opposite ** 2 * length) / own);
  return [left * a, left * b];
}
