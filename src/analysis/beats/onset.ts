import { slidingMaximum, slidingMean } from '../../signal/statistics.ts';
import type { AudioFacts } from '../facts.ts';
import { bandReader } from './band.ts';
import { AUDIBLE, ONSET_FRAMES_PER_SECOND as FPS, NEAR_FRAMES, type OnsetCurve } from './onset-curve.ts';

/** Peak picking of Böck & Widmer 2013: maximum within 30 ms, above the mean of 100 ms to each side. */
const MEAN_RADIUS = 10;
/**
 * Least excess of an onset over that mean, as a share of the clip's strong onsets; at least an audible rise.
 */
const THRESHOLD_SHARE = 0.08;
/** A Hann frame responds to an onset a little before its middle: measured on clicks. */
export const ONSET_DELAY_SECONDS = 0.004;

/** Onsets in time order; `clipPeak` is the curve's level at the clip's strong onsets. */
export function pickOnsets(curve: OnsetCurve, clipPeak: number): AudioFacts['onsets'] {
  const highest = slidingMaximum(curve.full, NEAR_FRAMES);
  const average = slidingMean(curve.full, MEAN_RADIUS);
  const threshold = Math.max(AUDIBLE, THRESHOLD_SHARE * clipPeak);
  const bandAt = bandReader(curve);
  const onsets: AudioFacts['onsets'][number][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let t = 0; t < curve.full.length; t++) {
    const value = curve.full[t];
    if (value < highest[t] || value < average[t] + threshold || t - last <= NEAR_FRAMES) continue;
    last = t;
    onsets.push({
      timeSeconds: t / FPS + ONSET_DELAY_SECONDS,
      strength: Math.min(1, value / Math.max(clipPeak, threshold)),
      band: bandAt(t),
    });
  }
  return onsets;
}
