import { rounded } from '../../signal/rounding.ts';
import { median } from '../../signal/statistics.ts';
import type { Beat } from '../facts.ts';
import type { MusicFacts } from '../music-facts.ts';
import type { HarmonicChange } from '../spectrum/chroma.ts';
import { ONSET_DELAY_SECONDS } from './onset.ts';
import { ONSET_FRAMES_PER_SECOND, type OnsetCurve, peakNear, strongOnsets } from './onset-curve.ts';

const PLACES = 3;

/** What sounds at each beat, and the harmony until the next one. */
export function beatAccents(
  beats: readonly Beat[],
  curve: OnsetCurve,
  harmony: HarmonicChange,
  clipPeak: number,
): MusicFacts['beats'] {
  const at = (band: Float32Array, strong: number) =>
    beats.map(({ timeSeconds }) => {
      const peak = peakNear(band, (timeSeconds - ONSET_DELAY_SECONDS) * ONSET_FRAMES_PER_SECOND);
      return strong > 0 ? rounded(peak / strong, PLACES) : 0;
    });
  const steps = beats.slice(1).map(({ timeSeconds }, i) => timeSeconds - beats[i].timeSeconds);
  const usual = steps.length === 0 ? 0 : median(steps);
  return {
    low: at(curve.low, clipPeak),
    kick: at(curve.kick, strongOnsets(curve.kick)),
    snare: at(curve.snare, strongOnsets(curve.snare)),
    full: at(curve.full, clipPeak),
    chroma: beats.map(({ timeSeconds }, i) =>
      harmony
        .chromaBetween(timeSeconds, timeSeconds + Math.min(steps[i] ?? usual, 2 * usual))
        .map((share) => rounded(share, PLACES)),
    ),
  };
}
