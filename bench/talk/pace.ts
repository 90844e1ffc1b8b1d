/** How near the pauses that are left come to a template's. */
import { polylineAt } from '../../src/signal/interpolation.ts';
import type { TalkStyle } from '../../src/style/model/talk.ts';
import type { Cuts } from './methods.ts';
import type { PlantedTalk } from './planted.ts';

/** Templates with medians of .22 to .48 s, as of four edited talks. */
export const TEMPLATES: readonly TalkStyle['pauses'][] = [
  { p10: 0.16, p25: 0.18, p50: 0.22, p75: 0.3, p90: 0.4 },
  { p10: 0.18, p25: 0.22, p50: 0.3, p75: 0.4, p90: 0.6 },
  { p10: 0.2, p25: 0.28, p50: 0.4, p75: 0.55, p90: 0.8 },
  { p10: 0.22, p25: 0.32, p50: 0.48, p75: 0.7, p90: 1 },
];

/** Largest difference between the distributions of the planted pauses' rests and of the template (Kolmogorov–Smirnov). */
export function paceDistance(
  { pauses }: PlantedTalk,
  removed: Cuts['removed'],
  template: TalkStyle['pauses'],
): number {
  const left = pauses
    .map(([start, end]) =>
      removed.reduce(
        (rest, [from, to]) => rest - Math.max(0, Math.min(end, to) - Math.max(start, from)),
        end - start,
      ),
    )
    .sort((one, other) => one - other);
  const { p10, p25, p50, p75, p90 } = template;
  const knots: [number, number][] = [
    [p10 * 0.8, 0],
    [p10, 0.1],
    [p25, 0.25],
    [p50, 0.5],
    [p75, 0.75],
    [p90, 0.9],
    [p90 * 1.2, 1],
  ];
  const distances = left.flatMap((length, at) => {
    const share = polylineAt(knots, length);
    return [Math.abs(share - at / left.length), Math.abs(share - (at + 1) / left.length)];
  });
  return Math.max(...distances);
}
