import { mean } from '../../signal/statistics.ts';
import type { Evidence } from './metrical-hypothesis.ts';
import type { OnsetCurve } from './onset-curve.ts';
import { levelsAt, logRatio, quarterLevels, stepAt } from './places.ts';

/** Positions of the second of two swung eighths, and the same if the off-beat were the beat. */
const LATE = [0.58, 0.62, 0.66, 0.7] as const;
const EARLY = LATE.map((part) => 1 - part);
const BANDS = ['low', 'mid', 'high'] as const;

/**
 * Subdivision of the beats. Swing is long-short, never short-long: onsets between two beats are late
 * (`late.…`, by band). Hats play halves of a beat (`high.half`), and of its quarters rather the last, which
 * leads to the next beat (`high.order`).
 */
export function feelOf(beats: readonly number[], interval: number, curve: OnsetCurve): Evidence {
  const late = BANDS.map((band): [string, number] => [
    `late.${band}`,
    logRatio(
      loudestOf(LATE, beats, interval, curve[band]),
      loudestOf(EARLY, beats, interval, curve[band]),
      mean(levelsAt(beats, interval, 0, curve[band])),
    ),
  ]);
  const hats = quarterLevels(beats, interval, curve.high);
  const usual = mean(hats);
  return {
    ...Object.fromEntries(late),
    'high.half': logRatio(hats[2], hats[0], usual),
    'high.order': logRatio(hats[3], hats[1], usual),
  };
}

/** Mean over the beats of the strongest of these parts of each. */
function loudestOf(
  parts: readonly number[],
  beats: readonly number[],
  interval: number,
  band: Float32Array,
): number {
  return mean(
    beats.map((beat, i) =>
      Math.max(...parts.map((part) => peakAt(band, beat + part * stepAt(beats, i, interval)))),
    ),
  );
}

/** Within one frame only: late and early are close to each other. */
function peakAt(band: Float32Array, frame: number): number {
  const at = Math.round(frame);
  return Math.max(band[at - 1] ?? 0, band[at] ?? 0, band[at + 1] ?? 0);
}
