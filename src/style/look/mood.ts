import { between, clamp, polylineAt, smoothstep } from '../../signal/interpolation.ts';
import type { ColorMap } from './color-map.ts';
import { stepKeepingLight } from './lights.ts';
import { NEAR_BLACK } from './near-black.ts';

/**
 * The main features of a palette: lightness at five percentiles, mean chroma, mean (a, b) of the dark, the middle
 * and the light third.
 */
export type Impression = readonly number[];

/** Of the first figures of an impression, the lightness. */
export const PERCENTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;
const MEDIAN = 2;
const CHROMA = PERCENTILES.length;
const THIRDS = CHROMA + 1;

/** Means and deviations of the impression over 1,500 natural pictures of many kinds (the ones the looks were fitted on). */
export const NATURAL = {
  mean: [19.7, 34.6, 48, 61.7, 77, 16.2, 0.6, 7, 0.1, 9.7, -0.5, 9.9],
  deviation: [12.8, 15.1, 15.6, 15.6, 14.1, 9.8, 8.4, 10.6, 9.4, 13.6, 8.4, 14.9],
} as const;
/** Share of a raise that the darkest two percentiles follow: raised as much as mid-tones they become fog. */
const RAISED_DARKS = [0.5, 0.7] as const;
/** The mood's curve is nowhere flatter than this, its factor of chroma within these. */
const MIN_SLOPE = 0.2;
const [MIN_CHROMA, MAX_CHROMA] = [0.7, 1.2];

/** Whites take this share of a palette's casts, which mid-tones and not whites have shown; lightness between which it falls. */
const WHITE_SHARE = 0.6;
const WHITE = [70, 95] as const;
/** Place of the percentile of lightness in the middle of each third; the light third's is P75. */
const MIDDLES = [1, MEDIAN, 3] as const;
/** Its lightness between which a third's cast becomes evidence: at night, black streets and skies have 0 to 5, lit rooms 12 and more. */
const SEEN = [4, 12] as const;

/** Mean distance of colors from the mean of their third: how colorful a picture is, casts and near-black colors left out. */
function spreadOf(cloud: Float64Array, impression: Impression): number {
  const count = cloud.length / 3;
  let [sum, seen] = [0, 0];
  for (let at = 0; at < count; at++) {
    if (cloud[3 * at] < NEAR_BLACK) continue;
    const third = THIRDS + 2 * Math.min(2, Math.floor((3 * at) / count));
    sum += Math.hypot(cloud[3 * at + 1] - impression[third], cloud[3 * at + 2] - impression[third + 1]);
    seen++;
  }
  return seen === 0 ? 0 : sum / seen;
}

/** `cloud`: (L, a, b) triples, ascending in lightness. */
export function impressionOf(cloud: Float64Array): Impression {
  const count = cloud.length / 3;
  const lightness = PERCENTILES.map((share) => cloud[3 * Math.floor(share * count)]);
  let chroma = 0;
  const thirds = new Float64Array(6);
  for (let at = 0; at < count; at++) {
    const [a, b] = [cloud[3 * at + 1], cloud[3 * at + 2]];
    const third = 2 * Math.min(2, Math.floor((3 * at) / count));
    chroma += Math.hypot(a, b) / count;
    thirds[third] += (3 * a) / count;
    thirds[third + 1] += (3 * b) / count;
  }
  return [...lightness, chroma, ...thirds];
}

/** How far a palette is followed. */
interface MoodReach {
  /** 0..1: share of the step to the template. */
  readonly share: number;
  /** 0..1: how far features that are content of the template and harm a picture are left out. */
  readonly caution: number;
}

/**
 * Part of a template's palette on top of its look. `looked` is the source's cloud in the template's look. The map moves its impression towards the
 * template's by `share`.
 */
export function moodMap(
  looked: Float64Array,
  template: Float64Array,
  { share, caution }: MoodReach,
): ColorMap {
  const [from, to] = [impressionOf(looked), impressionOf(template)];
  const steps = from.map((value, at) => {
    const step = share * (to[at] - value) * (at < THIRDS ? 1 : castEvidence(to, at, caution));
    return step > 0 && at < RAISED_DARKS.length ? step * between(1, RAISED_DARKS[at], caution) : step;
  });
  const ratio = spreadOf(template, to) / Math.max(1, spreadOf(looked, from));
  for (const [third, lightness] of MIDDLES.map((at) => from[at]).entries()) {
    const at = THIRDS + 2 * third;
    const own = [from[at], from[at + 1]] as const;
    [steps[at], steps[at + 1]] = stepKeepingLight([steps[at], steps[at + 1]], { own, lightness, caution });
  }
  return mapOfSteps(from, steps, clamp(1 + share * (ratio - 1), MIN_CHROMA, MAX_CHROMA));
}

/** 0..1: share of the step of a cast, by what the template shows of its third. */
function castEvidence(template: Impression, at: number, caution: number): number {
  const middle = template[MIDDLES[Math.floor((at - THIRDS) / 2)]];
  return between(1, smoothstep(...SEEN, middle), caution);
}

function mapOfSteps(from: Impression, steps: readonly number[], chroma: number): ColorMap {
  const places = from.slice(0, CHROMA);
  const middle = [0, 1].map(
    (axis) => (from[THIRDS + axis] + from[THIRDS + 2 + axis] + from[THIRDS + 4 + axis]) / 3,
  );
  const tones = [(places[0] + places[1]) / 2, places[2], (places[3] + places[4]) / 2];
  const shifts = steps.slice(THIRDS);
  return {
    lightness: curveThrough(places, steps.slice(0, CHROMA)),
    chroma,
    cast: (lightness) => {
      const [a, b] = [0, 1].map(
        (axis) =>
          (1 - chroma) * middle[axis] +
          polylineAt(
            tones.map((tone, third) => [tone, shifts[2 * third + axis]]),
            lightness,
          ),
      ) as [number, number];
      const white = 1 - (1 - WHITE_SHARE) * smoothstep(...WHITE, lightness);
      return [white * a, white * b];
    },
  };
}

/** A rising curve through places moved by steps, from black to white. */
function curveThrough(places: readonly number[], steps: readonly number[]): (lightness: number) => number {
  const moved = places.map((place, at) => place + steps[at]);
  for (let at = 1; at < moved.length; at++)
    moved[at] = Math.max(moved[at], moved[at - 1] + MIN_SLOPE * (places[at] - places[at - 1]));
  const first = clamp(moved[0], MIN_SLOPE * places[0], 100);
  const last = clamp(moved.at(-1)!, 0, 100 - MIN_SLOPE * (100 - places.at(-1)!));
  const inner = moved.map((value) => clamp(value, first, last));
  const knots = [
    [0, 0] as const,
    ...places.map((place, at) => [place, inner[at]] as const),
    [100, 100] as const,
  ];
  return (lightness) => clamp(polylineAt(knots, lightness), 0, 100);
}
