/**
 * Colored light of dark templates. On stages, in bars and at fires, the lamps of the scene color all that is visible. Such
 * casts are content of the template, not its grade, and look like a fault on footage in other light.
 */
import { between, smoothstep } from '../../signal/interpolation.ts';
import { byDaylight } from './daylight.ts';

type Pair = readonly [number, number];

const DEGREES = 180 / Math.PI;
/** Median lightness of a template between which its casts count as those of lamps: stages and nights have 0 to 24, most scenes by day above 40. */
const DARK = [38, 25] as const;
/** Longest cast in (a, b) across the line of daylight and incandescent light, such as purple, red and green; with 10, stages are recognized less (0220). */
const LARGEST_ACROSS = 18;
/** The same along that line, warm and blue, whose colors footage can have without a fault. */
const LARGEST_ALONG = [26, 22] as const;

/** The cast of a template of this median lightness without the part that comes from lamps, as far as `caution` (0..1) requests. */
export function withoutLamps([a, b]: Pair, median: number, caution: number): [number, number] {
  const length = Math.hypot(a, b);
  const weight = caution * smoothstep(...DARK, median);
  if (weight === 0 || length < 1e-6) return [a, b];
  const limit = largestCast(DEGREES * Math.atan2(b, a));
  const share = between(1, (limit * Math.tanh(length / limit)) / length, weight);
  return [share * a, share * b];
}

function largestCast(hue: number): number {
  return byDaylight(hue, LARGEST_ACROSS, LARGEST_ALONG);
}
