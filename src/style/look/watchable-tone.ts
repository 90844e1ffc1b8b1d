/** The lightness curve of a grade: as far as a picture can be watched. */
import { between, clamp, smoothstep } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { withFaces } from './faces.ts';
import { leastLights, whiteShare, withLights } from './lights.ts';
import { fitToneCurve } from './tone-curve.ts';

/**
 * Slopes of the lightness curve, at strengths up to .8 and at 1: lights keep their separation, edges become twice as steep at the most. Dark
 * templates lower mid-tones and not lights: with 1.45 at the most, whites became grey with them. At 1, with 2, 2.4 and 3.5,
 * 52, 54 and 56 % of other clips are recognized.
 */
const MIN_SLOPE = 0.4;
const MAX_SLOPE = { protected: 2, full: 2.6 } as const;
/** Pull of the slopes towards 1, at the same strengths: see `fitToneCurve`. From .2 to 1 as many clips are recognized at 1. */
const RESTRAINT = { protected: 2, full: 1 } as const;
/**
 * Blacks lifted further than in faded film look like fog. They are lifted at most this much further than the look lifts
 * them, because a template without anything dark is no evidence of blacks.
 */
const MAX_BLACK = 14;
const BLACK_SLACK = 2;
/** The median keeps this part of its distance to white, at strengths up to .8 and at 1: the subject stays visible. */
const KEPT_MEDIAN = { protected: 0.5, full: 0.3 } as const;
/** The same to black; protected, without and with people: dark templates make streets dark, but not faces. */
const DARKENED_MEDIAN = { protected: [0.4, 0.6], full: 0.3 } as const;
/** A median may be raised by this even where it is near black. */
const MEDIAN_RAISE = 8;
/** Stops by which the median of a dim picture may be raised: more made fog of asphalt and dark portraits. */
const DIM_RAISE = 0.8;
/** Lightness P95 of a picture: below the first it is dim, above the second it is not. Asphalt has 54, dark portraits 35. */
const DIM = [55, 70] as const;
/** Least difference in lightness, of the median or of the lights, from which a limit is reported: less is not visible beside the template. */
const REPORTED = 5;
/** Places of the median and of the lights among the percentiles 0, 5, 10 … 100. */
export const [MEDIAN, LIGHTS] = [10, 19];

interface TonedSource {
  /** Lightness at the percentiles 0, 5, 10 … 100. */
  readonly percentiles: readonly number[];
  /** 0..1: see `peopleShare`. */
  readonly people: number;
  /** Undefined: no face was found. */
  readonly faceLightness: number | undefined;
}

interface RequestedTone {
  /** Lightness of the look's black. */
  readonly black: number;
  /** P95 of the template's lightness; 0: unknown. */
  readonly lights: number;
  /** 0..1: how far harmful parts of the move are left out. */
  readonly caution: number;
}

/** The lightness curve: the full move `lightness` at the source's percentiles, limited so that details, faces and lights stay visible. */
export function watchableTone(
  { percentiles: from, people, faceLightness }: TonedSource,
  { black, lights, caution }: RequestedTone,
  lightness: (lightness: number) => number,
): { readonly knots: Grade['lightness']; readonly isHeldBack: boolean } {
  const requested = from.map(lightness);
  const [median, brightest] = [from[MEDIAN], from[LIGHTS]];
  const highest = highestMedian(median, brightest, caution);
  const limited = clamp(
    requested[MEDIAN],
    between(DARKENED_MEDIAN.full, between(...DARKENED_MEDIAN.protected, people), caution) * median,
    highest,
  );
  const moved = limited - requested[MEDIAN];
  const least = leastLights({ lights: brightest, whites: whiteShare(from) }, lights, caution);
  const raised = Math.max(0, least - clamp(requested[LIGHTS] + moved, 0, 100));
  const lightShare = (value: number) => clamp((value - median) / Math.max(1, brightest - median), 0, 1);
  const knots = fitToneCurve(
    from,
    requested.map((value, at) => clamp(value + moved, 0, 100) + raised * lightShare(from[at])),
    {
      minSlope: MIN_SLOPE,
      maxSlope: between(MAX_SLOPE.full, MAX_SLOPE.protected, caution),
      restraint: between(RESTRAINT.full, RESTRAINT.protected, caution),
      maxBlack: Math.min(MAX_BLACK, black + BLACK_SLACK),
    },
  );
  return {
    knots: withFaces(withLights(knots, brightest, least), { face: faceLightness, brightest, caution }),
    isHeldBack: Math.abs(moved) > REPORTED || raised > REPORTED,
  };
}

/** Limit of the median of dark footage, which shows noise, fog and pale colors when it is raised. */
function highestMedian(median: number, brightest: number, caution: number): number {
  const kept = between(KEPT_MEDIAN.full, KEPT_MEDIAN.protected, caution);
  const highest = 100 - kept * (100 - median);
  const raised = Math.max(median / kept, median + MEDIAN_RAISE);
  const cautious = Math.min(highest, raised);
  const dim = Math.min(cautious, exposedBy(DIM_RAISE, median));
  return between(highest, between(dim, cautious, smoothstep(...DIM, brightest)), caution);
}

/** Lightness after an exposure by so many stops: CIELAB's cube root, without its straight part below 8. */
function exposedBy(stops: number, lightness: number): number {
  return (lightness + 16) * 2 ** (stops / 3) - 16;
}
