/** The lightness curve of a grade: as far as a picture can be watched. */
import { between, clamp, polylineAt, smoothstep } from '../../signal/interpolation.ts';
import type { Grade } from '../model/timeline.ts';
import { withFaces } from './faces.ts';
import { leastLights, withLights } from './lights.ts';
import { fitToneCurve } from './tone-curve.ts';

/**
 * Slopes of the lightness curve: tones keep their separation, and edges do not become rough. With 2.2 known looks are no nearer than with 1.6 (.78, .77
 * left), and phone footage looked hard.
 */
const [MIN_SLOPE, MAX_SLOPE] = [0.3, 1.6];
/** Pull of the slopes towards 1: see `fitToneCurve`. From .2 to 1 as many clips are recognized. */
const RESTRAINT = 0.7;
/**
 * Blacks are lifted at most this much: further than in faded film (the first, for strength 1) they look like fog; with more than the second, for strengths
 * up to .8, borders of the source become grey. As many clips are recognized with 3, 6 and 14 (0292).
 */
const MAX_BLACK = [14, 3] as const;
/** They are lifted at most this much further than the look lifts them, because a template without anything dark is no evidence of blacks. */
const BLACK_SLACK = 2;
/** Largest raise of darks by their lightness where faces are found: black hair and clothes at 10 to 20 became grey at 25 to 44. */
const LARGEST_RAISE = [
  [0, 3],
  [10, 7],
  [20, 14],
  [30, 22],
  [40, 40],
] as const;
/**
 * Lightness P5 of a template between which it has blacks. Then darks rise by at most this share of `LARGEST_RAISE`, with or without faces: night skies at 10
 * became 20 under templates with P5 at 5.
 */
const [BLACK_DARKS, DEEP_SHARE] = [[24, 12], 0.4] as const;
/** The median keeps this part of its distance to white and to black: the subject stays visible. */
const KEPT_MEDIAN = 0.3;
/**
 * A tone loses at most this, by its lightness. With 10 at 50 to 100, a strict eye found 8 of 18 videos darker than their sources, and white walls, shirts and
 * skin grey; known looks left are .74 and .75.
 */
const LARGEST_LOSS = [
  [0, 4],
  [10, 5],
  [25, 6],
  [40, 6],
  [55, 5],
  [70, 4],
  [85, 3.5],
  [100, 2.5],
] as const;
/** A tone gains at most this, by its lightness: dark containers that gained 22 at 40 were milky, a road that gained 16 at 70 was burnt (0319). */
const LARGEST_GAIN = [
  [0, 4],
  [10, 6],
  [20, 9],
  [35, 14],
  [45, 16],
  [55, 16],
  [70, 13],
  [85, 8],
  [100, 0],
] as const;
/** Share of `LARGEST_GAIN` from the second median on: of 15 videos four with medians of 45, 45, 60 and 72 were milky, one with 25 was better than its source. */
const LIGHT = { median: [40, 60], gain: 0.6 } as const;
/** A median may be raised by this even where it is near black. */
const MEDIAN_RAISE = 8;
/** Stops by which the median of a dim picture may be raised: more made fog of asphalt and dark portraits. */
const DIM_RAISE = 0.8;
/** Lightness P95 of a picture: below the first it is dim, above the second it is not. Asphalt has 54, dark portraits 35. */
const DIM = [55, 70] as const;
/** Least difference in lightness, of the median or of the lights, from which a limit is reported: less is not visible beside the template. */
const REPORTED = 5;
/** Places of the darks, the median and the lights among the percentiles 0, 5, 10 … 100. */
export const DARKS = 1;
const MEDIAN = 10;
export const LIGHTS = 19;

interface TonedSource {
  /** Lightness at the percentiles 0, 5, 10 … 100. */
  readonly percentiles: readonly number[];
  /** See `whiteGroundOf`. */
  readonly whiteGround: number;
  /** Undefined: no face was found. */
  readonly faceLightness: number | undefined;
}

interface RequestedTone {
  /** Lightness of the look's black. */
  readonly black: number;
  /** P5 of the template's lightness; undefined: unknown. */
  readonly darks: number | undefined;
  /** P95 of the template's lightness; 0: unknown. */
  readonly lights: number;
  /** 0..1: how far harmful parts of the move are left out. */
  readonly caution: number;
}

/** The lightness curve: the full move `lightness` at the source's percentiles, limited so that details, faces and lights stay visible. */
export function watchableTone(
  { percentiles: from, whiteGround, faceLightness }: TonedSource,
  { black, darks, lights, caution }: RequestedTone,
  lightness: (lightness: number) => number,
): { readonly knots: Grade['lightness']; readonly isHeldBack: boolean } {
  const requested = from.map(lightness);
  const [median, brightest] = [from[MEDIAN], from[LIGHTS]];
  const highest = highestMedian(median, brightest, caution);
  const limited = clamp(requested[MEDIAN], KEPT_MEDIAN * median, highest);
  const moved = limited - requested[MEDIAN];
  const least = leastLights({ lights: brightest, whiteGround }, lights, caution);
  const raised = Math.max(0, least - clamp(requested[LIGHTS] + moved, 0, 100));
  const lightShare = (value: number) => clamp((value - median) / Math.max(1, brightest - median), 0, 1);
  const deep = darks === undefined ? 0 : smoothstep(...BLACK_DARKS, darks);
  const raise = {
    limited: caution * (faceLightness === undefined ? deep : 1),
    most: between(1, DEEP_SHARE, deep),
  };
  const knots = fitToneCurve(
    from,
    requested.map((value, at) => clamp(value + moved, 0, 100) + raised * lightShare(from[at])),
    {
      minSlope: MIN_SLOPE,
      maxSlope: MAX_SLOPE,
      restraint: RESTRAINT,
      maxBlack: Math.min(between(...MAX_BLACK, caution), black + BLACK_SLACK),
    },
  );
  return {
    knots: withFaces(
      withoutGreatMoves(withLights(withDarks(knots, raise), brightest, least), median, caution),
      {
        ...{ face: faceLightness, brightest, caution },
      },
    ),
    isHeldBack: Math.abs(moved) > REPORTED || raised > REPORTED,
  };
}

/** The curve without tones that lose more than `LARGEST_LOSS` or gain more than `LARGEST_GAIN`; `caution`: how far they are kept, 0..1. */
function withoutGreatMoves(knots: Grade['lightness'], median: number, caution: number): Grade['lightness'] {
  const gain = between(1, LIGHT.gain, smoothstep(...LIGHT.median, median));
  return knots.map(({ in: at, out }) => {
    const least = at - polylineAt(LARGEST_LOSS, at);
    const most = at + gain * polylineAt(LARGEST_GAIN, at);
    return { in: at, out: Math.min(Math.max(out, caution * least), between(100, most, caution)) };
  });
}

/** The curve with darks raised no further than the part `most` of `LARGEST_RAISE`, as far as `limited` (0..1) requests. */
function withDarks(
  knots: Grade['lightness'],
  { limited, most }: { readonly limited: number; readonly most: number },
): Grade['lightness'] {
  return knots.map(({ in: at, out }) => ({
    in: at,
    out: between(out, Math.min(out, at + most * polylineAt(LARGEST_RAISE, at)), limited),
  }));
}

/** Limit of the median of dark footage, which shows noise, fog and pale colors when it is raised. */
function highestMedian(median: number, brightest: number, caution: number): number {
  const highest = 100 - KEPT_MEDIAN * (100 - median);
  const raised = Math.max(median / KEPT_MEDIAN, median + MEDIAN_RAISE);
  const cautious = Math.min(highest, raised);
  const dim = Math.min(cautious, exposedBy(DIM_RAISE, median));
  return between(highest, between(dim, cautious, smoothstep(...DIM, brightest)), caution);
}

/** Lightness after an exposure by so many stops: CIELAB's cube root, without its straight part below 8. */
function exposedBy(stops: number, lightness: number): number {
  return (lightness + 16) * 2 ** (stops / 3) - 16;
}
