import { mean } from '../../signal/statistics.ts';
import type { Evidence } from './metrical-hypothesis.ts';
import type { OnsetCurve } from './onset-curve.ts';
import { levelsAt, logRatio, quarterLevels, stepAt } from './places.ts';

/** Positions of the second of two swung eighths, and the same if the off-beat were the beat. */
const LATE = [0.58, 0.62, 0.66, 0.7] as const;
const EARLY = LATE.map((part) => 1 - part);
const BANDS = ['low', 'mid', 'high'] as const;
/** Positions of swung quarters of a beat, and of straight ones: with the first two, the beat may be two. */
const SWUNG_QUARTERS = [0.3, 0.315, 0.33, 0.345, 0.8, 0.815, 0.83, 0.845] as const;
const STRAIGHT_QUARTERS = [0.25, 0.75] as const;
/** Of swung rides at half their tempo .35 to .81 of the level on beats and half-way; of 60 songs one more than .22. */
const MIN_SWUNG_LEVEL = 0.25;
/** Fast swing is nearly even: of a ride at 215 BPM straight quarters have .44 of the short notes' level. */
const MAX_STRAIGHT_SHARE = 0.6;

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

/** Whether hats swing between the beats and half-way, as a ride does on beats twice as fast. */
export function hasSwungQuarters(beats: readonly number[], interval: number, high: Float32Array): boolean {
  const most = (parts: readonly number[]) =>
    Math.max(...parts.map((part) => loudestOf([part], beats, interval, high)));
  const swung = most(SWUNG_QUARTERS);
  // A snare may drown the ride on one of them.
  const usual = Math.min(...[0, 1 / 2].map((part) => loudestOf([part], beats, interval, high)));
  return swung > MIN_SWUNG_LEVEL * usual && most(STRAIGHT_QUARTERS) < MAX_STRAIGHT_SHARE * swung;
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
