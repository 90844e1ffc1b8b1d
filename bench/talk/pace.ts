/** How near the pauses that are left come to a template's. */

import { pausesOf } from '../../src/analysis/speech/pauses.ts';
import type { TalkFacts } from '../../src/analysis/talk-facts.ts';
import { polylineAt } from '../../src/signal/interpolation.ts';
import { quantile } from '../../src/signal/statistics.ts';
import type { TalkStyle } from '../../src/style/model/talk.ts';
import type { Cuts } from './methods.ts';
import type { PauseOf } from './planted.ts';

/** Templates with medians of .22 to .48 s, the range of four edited talks. */
export const TEMPLATES: readonly TalkStyle['pauses'][] = [
  { p10: 0.16, p25: 0.18, p50: 0.22, p75: 0.3, p90: 0.4 },
  { p10: 0.18, p25: 0.22, p50: 0.3, p75: 0.4, p90: 0.6 },
  { p10: 0.2, p25: 0.28, p50: 0.4, p75: 0.55, p90: 0.8 },
  { p10: 0.22, p25: 0.32, p50: 0.48, p75: 0.7, p90: 1 },
];

/** Pauses of a template's distribution. */
export function pauseOf({ p10, p25, p50, p75, p90 }: TalkStyle['pauses']): PauseOf {
  const knots: [number, number][] = [
    [0, p10 * 0.8],
    [0.1, p10],
    [0.25, p25],
    [0.5, p50],
    [0.75, p75],
    [0.9, p90],
    [1, p90 * 1.2],
  ];
  return (share) => polylineAt(knots, share);
}

/** The manner of measured pauses. */
export function mannerOf(lengths: readonly number[]): TalkStyle['pauses'] {
  const at = (share: number) => quantile(lengths, share);
  return { p10: at(0.1), p25: at(0.25), p50: at(0.5), p75: at(0.75), p90: at(0.9), longest: at(1) };
}

/** Measured pauses, those within utterances too, after cuts. */
export function lengthsLeft(talk: TalkFacts | null, removed: Cuts['removed']): number[] {
  return (talk === null ? [] : pausesOf(talk)).map(({ startSeconds, endSeconds, lengthSeconds }) =>
    removed.reduce(
      (rest, [from, to]) => rest - Math.max(0, Math.min(endSeconds, to) - Math.max(startSeconds, from)),
      lengthSeconds,
    ),
  );
}

/** Largest difference of two distributions (Kolmogorov–Smirnov). */
export function distance(one: readonly number[], other: readonly number[]): number {
  const shareUpTo = (all: readonly number[], value: number) =>
    all.filter((each) => each <= value).length / all.length;
  return Math.max(
    ...[...one, ...other].map((value) => Math.abs(shareUpTo(one, value) - shareUpTo(other, value))),
  );
}
