/** Colors of several templates as one. */

import { labToRgb, rgbToLab } from '../../signal/color-space.ts';
import { rounded } from '../../signal/rounding.ts';
import { GREY_LEVELS, lookAt } from '../model/look.ts';
import type { Style } from '../model/schema.ts';
import {
  having,
  majority,
  toFieldStep,
  totalWeight,
  type Weighted,
  weightedMean,
  weightedMedian,
} from './weighted.ts';

type Field<Name extends keyof Style> = NonNullable<Style[Name]>;
type Vector = readonly [number, number];
type Lab = readonly [number, number, number];

/**
 * The vector at the circular mean of the hues, each weighted by its chroma. Its chroma is the median chroma, less
 * where the hues differ: opposite casts give none.
 */
export function meanCast(casts: readonly Weighted<Vector>[]): [number, number] {
  const sum = (axis: 0 | 1) => casts.reduce((total, { value, weight }) => total + weight * value[axis], 0);
  const [a, b] = [sum(0), sum(1)];
  const lengths = having(casts, ([one, other]) => Math.hypot(one, other));
  const all = lengths.reduce((total, { value, weight }) => total + weight * value, 0);
  const length = Math.hypot(a, b);
  if (length === 0 || all === 0) return [0, 0];
  const chroma = (weightedMedian(lengths) * length) / all;
  return [toFieldStep((chroma * a) / length), toFieldStep((chroma * b) / length)];
}

/** Curves: medians of the outputs. Casts: circular means of their hues. */
export function mergedLook(looks: readonly Weighted<Field<'look'>>[]): Field<'look'> {
  const at = looks.map(({ value, weight }) => ({
    weight,
    value: GREY_LEVELS.map((level) => lookAt(value, level)),
  }));
  return {
    greys: GREY_LEVELS.map((level, index) => {
      const greys = having(at, (levels) => levels[index]);
      const [a, b] = meanCast(having(greys, (grey) => [grey.a, grey.b] as const));
      return { in: level, out: toFieldStep(weightedMedian(having(greys, ({ out }) => out))), a, b };
    }),
    chroma: toFieldStep(weightedMedian(having(looks, ({ chroma }) => chroma))),
    confidence: toFieldStep(weightedMedian(having(looks, ({ confidence }) => confidence ?? 1))),
  };
}

/** Colors nearer than this (CIE76) look like one in a palette. */
const SAME_COLOR = 10;

/** The mixture of the palettes; like colors become one. As many colors as the palettes have. */
export function mergedPalette(palettes: readonly Weighted<Field<'palette'>>[]): Field<'palette'> {
  const total = totalWeight(palettes);
  const colors = palettes
    .flatMap(({ value, weight }) =>
      value.map((color) => ({ hex: color.hex.toLowerCase(), share: (color.weight * weight) / total })),
    )
    .sort((one, other) => other.share - one.share || (one.hex < other.hex ? -1 : 1));
  const clusters: { lab: Lab; share: number }[] = [];
  for (const { hex, share } of colors) {
    const lab = labOf(hex);
    const like = clusters.find((cluster) => labDistance(cluster.lab, lab) < SAME_COLOR);
    if (like === undefined) clusters.push({ lab, share });
    else {
      const part = like.share + share === 0 ? 0 : share / (like.share + share);
      like.lab = like.lab.map((value, axis) => value + part * (lab[axis]! - value)) as unknown as Lab;
      like.share += share;
    }
  }
  const count = Math.max(1, Math.round(weightedMedian(having(palettes, ({ length }) => length))));
  return clusters
    .map(({ lab, share }) => ({ hex: hexOf(lab), weight: Math.min(1, rounded(share, 3)) }))
    .sort((one, other) => other.weight - one.weight || (one.hex < other.hex ? -1 : 1))
    .slice(0, count);
}

/** Statistics of the mixture of all pictures; the lightness percentiles are medians. */
export function mergedStatistics(
  statistics: readonly Weighted<Field<'color_statistics'>>[],
): Field<'color_statistics'> {
  const mean = (read: (value: Field<'color_statistics'>) => number) => weightedMean(having(statistics, read));
  const [a, b] = [mean(({ mean_ab }) => mean_ab[0]), mean(({ mean_ab }) => mean_ab[1])];
  const moment = (read: (value: Field<'color_statistics'>) => number) => toFieldStep(mean(read));
  const neutral = having(statistics, ({ neutral_ab }) => neutral_ab);
  const tones = having(statistics, ({ tones_ab }) => tones_ab);
  return {
    lightness_percentiles: Array.from({ length: 21 }, (_, at) =>
      toFieldStep(weightedMedian(having(statistics, (one) => one.lightness_percentiles[at]))),
    ),
    mean_ab: [toFieldStep(a), toFieldStep(b)],
    covariance_ab: [
      Math.max(
        0,
        moment(({ covariance_ab: [aa], mean_ab }) => aa + mean_ab[0] ** 2 - a * a),
      ),
      moment(({ covariance_ab: [, ab], mean_ab }) => ab + mean_ab[0] * mean_ab[1] - a * b),
      Math.max(
        0,
        moment(({ covariance_ab: [, , bb], mean_ab }) => bb + mean_ab[1] ** 2 - b * b),
      ),
    ],
    ...(tones.length === 0
      ? {}
      : { tones_ab: [toneOf(tones, 0), toneOf(tones, 1), toneOf(tones, 2)] as const }),
    ...(neutral.length === 0 ? {} : { neutral_ab: meanCast(neutral) }),
  } as Field<'color_statistics'>;
}

/** Null where most have hardly any pixels of the tone. */
function toneOf(
  tones: readonly Weighted<NonNullable<Field<'color_statistics'>['tones_ab']>>[],
  tone: 0 | 1 | 2,
): [number, number] | null {
  const found = having(tones, (value) => value[tone]);
  return 2 * totalWeight(found) < totalWeight(tones) ? null : meanCast(found);
}

/** The color with the least distance to all others. */
export function centralColor(colors: readonly Weighted<string>[]): string {
  const distanceOf = (hex: string) =>
    colors.reduce((sum, { value, weight }) => sum + weight * labDistance(labOf(hex), labOf(value)), 0);
  const distances = colors.map(({ value }) => ({ hex: value.toLowerCase(), distance: distanceOf(value) }));
  const least = Math.min(...distances.map(({ distance }) => distance));
  return majority(
    distances.filter(({ distance }) => distance === least).map(({ hex }) => ({ value: hex, weight: 1 })),
  )!;
}

function labOf(hex: string): Lab {
  const out = new Float64Array(3);
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  rgbToLab(red!, green!, blue!, out);
  return [out[0]!, out[1]!, out[2]!];
}

function hexOf([lightness, a, b]: Lab): string {
  const out = new Float64Array(3);
  labToRgb(lightness, a, b, out);
  const byte = (value: number) => Math.round(255 * Math.max(0, Math.min(1, value)));
  return `#${[...out].map((value) => byte(value).toString(16).padStart(2, '0')).join('')}`;
}

function labDistance(one: Lab, other: Lab): number {
  return Math.hypot(...one.map((value, axis) => value - other[axis]!));
}
