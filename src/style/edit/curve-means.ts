/** Means of a take's curves over any span, and how they rank among all that can be used. */
import type { Span } from '../../analysis/facts.ts';
import type { MaterialCurves, TakeMaterial } from '../../analysis/material/take-material.ts';
import { lengthOf } from '../../domain/spans.ts';
import { clamp } from '../../signal/interpolation.ts';
import { emptyMoments } from './empty-scenes.ts';
import { RANKED_CURVES, type RankedCurve } from './ranked-curves.ts';

export type CurveName = keyof MaterialCurves | 'empty';

/** Prefix sums of a take's curves: a mean over a span costs two look-ups. */
export class CurveMeans {
  readonly #step: number;
  readonly #sums: Record<CurveName, Float64Array>;
  readonly #curves: Record<CurveName, readonly number[]>;

  constructor(material: TakeMaterial) {
    const { curves, stepSeconds } = material;
    this.#step = stepSeconds;
    const empty = emptyMoments(material);
    const {
      quality = curves.sharpness,
      figure = [],
      people = [],
      worth = curves.contrast.map(() => 1),
    } = curves;
    this.#curves = { ...curves, quality, figure, people, worth, empty };
    this.#sums = Object.fromEntries(
      Object.entries(this.#curves).map(([name, values]) => [name, prefixSums(values)]),
    ) as Record<CurveName, Float64Array>;
  }

  /** 0 where the take has no values. */
  mean(name: CurveName, startSeconds: number, endSeconds: number): number {
    const sums = this.#sums[name];
    const count = sums.length - 1;
    if (count <= 0) return 0;
    const from = clamp(Math.round(startSeconds / this.#step), 0, count - 1);
    const to = clamp(Math.round(endSeconds / this.#step), from + 1, count);
    return (sums[to] - sums[from]) / (to - from);
  }

  at(name: CurveName, seconds: number): number {
    const values = this.#curves[name];
    return values.length === 0 ? 0 : values[clamp(Math.floor(seconds / this.#step), 0, values.length - 1)];
  }
}

function prefixSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let at = 0; at < values.length; at++) sums[at + 1] = sums[at] + values[at];
  return sums;
}

/** Curves with ranks: those that templates have, and what there is to see. */
const WITH_RANKS = [...RANKED_CURVES, 'worth'] as const;
type CurveWithRanks = RankedCurve | 'worth';

/** Means over windows of all usable runs, sorted: the reference of ranks. */
export class UsableRanks {
  readonly #sorted: Record<CurveWithRanks, Float64Array>;

  /** @param windowSeconds Length of a usual shot of the edit. */
  constructor(
    takes: readonly { readonly means: CurveMeans; readonly runs: readonly Span[] }[],
    windowSeconds: number,
  ) {
    const values: Record<CurveWithRanks, number[]> = {
      motion: [],
      activity: [],
      contrast: [],
      detail: [],
      lightness: [],
      worth: [],
    };
    for (const { means, runs } of takes) {
      for (const run of runs) {
        const length = Math.min(windowSeconds, lengthOf(run));
        for (let start = run.startSeconds; start + length <= run.endSeconds + 1e-9; start += length / 2)
          for (const name of WITH_RANKS) values[name].push(means.mean(name, start, start + length));
      }
    }
    this.#sorted = Object.fromEntries(
      WITH_RANKS.map((name) => [name, Float64Array.from(values[name]).sort()]),
    ) as Record<CurveWithRanks, Float64Array>;
  }

  /** 0..1; of equal values the middle; .5 if there are none. */
  rank(name: CurveWithRanks, value: number): number {
    const sorted = this.#sorted[name];
    if (sorted.length === 0) return 0.5;
    return (countBelow(sorted, value, false) + countBelow(sorted, value, true)) / 2 / sorted.length;
  }
}

function countBelow(sorted: Float64Array, value: number, inclusive: boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value || (inclusive && sorted[middle] === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
