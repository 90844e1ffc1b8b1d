import type { ColorStatistics } from '../../analysis/facts.ts';
import { bytesToLab } from '../../signal/color-space.ts';
import { between, segmentAt } from '../../signal/interpolation.ts';
import type { Style } from '../model/schema.ts';
import { eigenvalues, majorAxis, type Symmetric } from './symmetric.ts';

type Pair = readonly [number, number];

/** The part of a clip's statistics that locates its colors. */
export interface CloudStatistics {
  readonly lightnessPercentiles: readonly number[];
  readonly mean: Pair;
  readonly covariance: Symmetric;
  /** Mean (a, b) of L < 35, 35..70, > 70; null where next to nothing lies. */
  readonly tones: readonly [Pair | null, Pair | null, Pair | null];
}

/** Points of a cloud: enough for means and spreads of a tenth of it. */
const CLOUD_POINTS = 400;
const TONE_ENDS = [
  [0, 35],
  [35, 70],
  [70, 100.1],
] as const;
/** Spread of (a, b) at one lightness, as a share of all of it, that the tones' means never explain away. */
const MIN_SPREAD = 0.1;
/** Beyond, in deviations, a Gaussian has colors that no picture shows. */
const MAX_DEVIATIONS = 2;
/** Steps of an even sequence in the plane (Roberts 2018): 1/g and 1/g² with g³ = g + 1. */
const EVEN_STEPS = [0.7548776662466927, 0.5698402909980532] as const;

export function cloudOfStatistics(statistics: ColorStatistics): Float64Array {
  const { lightnessPercentiles, meanA, meanB, covariance, tones } = statistics;
  const ofTones = [tones.shadows, tones.midtones, tones.highlights] as const;
  return colorCloud({ lightnessPercentiles, mean: [meanA, meanB], covariance, tones: ofTones });
}

/** Evenly many of the pixels (RGB, 0..255, one after the other) at every lightness that they have. */
export function cloudOfPixels(rgb: readonly number[]): Float64Array {
  const count = rgb.length / 3;
  const lab = new Float64Array(rgb.length);
  const one = new Float64Array(3);
  for (let at = 0; at < rgb.length; at += 3) {
    bytesToLab(rgb[at], rgb[at + 1], rgb[at + 2], one);
    lab.set(one, at);
  }
  const sorted = sortedByLightness(lab);
  const cloud = new Float64Array(CLOUD_POINTS * 3);
  for (let point = 0; point < CLOUD_POINTS; point++) {
    const at = 3 * Math.floor(((point + 0.5) / CLOUD_POINTS) * count);
    cloud.set(sorted.subarray(at, at + 3), 3 * point);
  }
  return cloud;
}

/** A cloud of (L, a, b) triples, ascending in L. */
export function sortedByLightness(cloud: Float64Array | Float32Array): Float64Array {
  const order = Array.from({ length: cloud.length / 3 }, (_, at) => at).sort(
    (one, other) => cloud[3 * one] - cloud[3 * other],
  );
  const sorted = new Float64Array(cloud.length);
  for (const [to, at] of order.entries()) sorted.set(cloud.subarray(3 * at, 3 * at + 3), 3 * to);
  return sorted;
}

export function cloudOfStyle(statistics: NonNullable<Style['color_statistics']>): Float64Array {
  return colorCloud({
    lightnessPercentiles: statistics.lightness_percentiles,
    mean: statistics.mean_ab,
    covariance: statistics.covariance_ab,
    tones: statistics.tones_ab ?? [null, null, null],
  });
}

/**
 * `CLOUD_POINTS` triples (L, a, b), ascending in L, of a picture with these statistics: L by its percentiles, (a, b) a
 * Gaussian whose mean goes with L as the tones' means do.
 */
export function colorCloud(statistics: CloudStatistics): Float64Array {
  const lightness = Float64Array.from({ length: CLOUD_POINTS }, (_, at) =>
    percentileAt(statistics.lightnessPercentiles, (at + 0.5) / CLOUD_POINTS),
  );
  const means = meansByLightness(statistics, lightness);
  const spread = withinSpread(statistics, means);
  const [large, small] = eigenvalues(spread).map((value) => Math.sqrt(Math.max(0, value))) as [
    number,
    number,
  ];
  const [cosine, sine] = majorAxis(spread);
  const cloud = new Float64Array(CLOUD_POINTS * 3);
  for (let at = 0; at < CLOUD_POINTS; at++) {
    const radius = Math.min(MAX_DEVIATIONS, Math.sqrt(-2 * Math.log(1 - ((at * EVEN_STEPS[0] + 0.5) % 1))));
    const turn = 2 * Math.PI * ((at * EVEN_STEPS[1] + 0.5) % 1);
    const [u, v] = [large * radius * Math.cos(turn), small * radius * Math.sin(turn)];
    cloud[at * 3] = lightness[at];
    cloud[at * 3 + 1] = means[at][0] + u * cosine - v * sine;
    cloud[at * 3 + 2] = means[at][1] + u * sine + v * cosine;
  }
  return cloud;
}

/** Linear between the tones' means, each where the tone's pixels lie; then moved so that the overall mean is right. */
function meansByLightness({ mean, tones }: CloudStatistics, lightness: Float64Array): Pair[] {
  const knots = tones.flatMap((tone, index) => {
    const [from, to] = TONE_ENDS[index];
    const inside = lightness.filter((value) => value >= from && value < to);
    if (tone === null || inside.length === 0) return [];
    return [{ at: inside.reduce((sum, value) => sum + value, 0) / inside.length, tone }];
  });
  if (knots.length === 0) return Array.from(lightness, () => mean);
  const means = Array.from(lightness, (value): Pair => {
    const { left, right, share } = segmentAt(knots, ({ at }) => at, value);
    return [between(left.tone[0], right.tone[0], share), between(left.tone[1], right.tone[1], share)];
  });
  const [a, b] = meanOf(means);
  return means.map((one): Pair => [one[0] + mean[0] - a, one[1] + mean[1] - b]);
}

/** What of the covariance is left when the means by lightness have explained their part. */
function withinSpread({ covariance, mean }: CloudStatistics, means: readonly Pair[]): Symmetric {
  let [aa, ab, bb] = covariance;
  for (const [a, b] of means) {
    aa -= (a - mean[0]) ** 2 / means.length;
    ab -= ((a - mean[0]) * (b - mean[1])) / means.length;
    bb -= (b - mean[1]) ** 2 / means.length;
  }
  return [Math.max(MIN_SPREAD * covariance[0], aa), ab, Math.max(MIN_SPREAD * covariance[2], bb)];
}

function percentileAt(percentiles: readonly number[], share: number): number {
  const place = share * (percentiles.length - 1);
  const below = Math.min(percentiles.length - 2, Math.floor(place));
  return percentiles[below] + (place - below) * (percentiles[below + 1] - percentiles[below]);
}

function meanOf(pairs: readonly Pair[]): Pair {
  return [
    pairs.reduce((sum, [a]) => sum + a, 0) / pairs.length,
    pairs.reduce((sum, [, b]) => sum + b, 0) / pairs.length,
  ];
}
