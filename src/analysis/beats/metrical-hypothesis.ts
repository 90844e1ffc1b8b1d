import { mean } from '../../signal/statistics.ts';
import { AUDIBLE, ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import { levelsAt } from './places.ts';
import { TEMPO_BPM } from './tempo.ts';

/** One interpretation of a tracked grid: its positions as beats at another metrical level or phase. */
export interface MetricalHypothesis {
  /** Frames, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
}

/** Evidence for and against a hypothesis, by name, about -3..3 each. */
export type Evidence = Readonly<Record<string, number>>;

/** Largest distance of the first beat before the sound begins. */
const EDGE_FRAMES = 2;
/** Positions with less than this share of their neighbors' level are silent. */
const SILENT_SHARE = 0.1;
/** Parts of a beat: its quarters and triplets. */
export const PARTS_BETWEEN = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4] as const;
/** Parts of a beat beside the beat and beside its half. */
const QUARTERS = [1 / 4, 3 / 4] as const;

/**
 * Steps between beats and their starts, in positions of the grid: the grid itself, half-way positions, double and
 * half tempo. Shifts by a quarter or third of a beat occur where a tracker follows decaying sixteenths or triplets.
 */
const STEPS_AND_STARTS = [
  [1, 0],
  [1, 1 / 2],
  [1 / 2, 0],
  [2, 0],
  [2, 1],
  [2, 1 / 2],
  [2, 3 / 2],
  [1, 1 / 4],
  [1, 3 / 4],
  [1, 1 / 3],
  [1, 2 / 3],
  [1 / 2, 1 / 4],
] as const;

/**
 * The hypotheses of a beat grid within 50..215 BPM whose beats sound, or the grid itself if there is none. A hypothesis with silence on
 * every second beat counts only if all have it.
 */
export function hypothesesOf(grid: MetricalHypothesis, curve: OnsetCurve): readonly MetricalHypothesis[] {
  const all = STEPS_AND_STARTS.map(([step, start]) => ({
    beats: placesOf(grid, step, start),
    interval: grid.interval * step,
  })).filter((hypothesis) => hypothesis.beats.length > 1 && isWithin(hypothesis, TEMPO_BPM));
  const sounding = withoutSilentBeats(all, curve.full);
  const gapless = sounding.filter(({ beats }) => alternationOf(beats, curve.full) >= SILENT_SHARE);
  return [gapless, sounding, [grid]].find((some) => some.length > 0)!;
}

/** Whether nothing sounds beside the beats and their halves, as in clicks alone. Such a sound does not show which clicks are beats. */
export function isSparse({ beats, interval }: MetricalHypothesis, full: Float32Array): boolean {
  const levelAt = (part: number) => mean(levelsAt(beats, interval, part, full));
  const most = SILENT_SHARE * levelAt(0);
  return QUARTERS.every((part) => levelAt(part) < most);
}

export function isWithin(
  { interval }: MetricalHypothesis,
  { slowest, fastest }: { readonly slowest: number; readonly fastest: number },
) {
  const bpm = (60 * FPS) / interval;
  return bpm >= slowest && bpm <= fastest;
}

/** Without those whose beats are silent relative to the loudest hypothesis. */
export function withoutSilentBeats<Kind extends MetricalHypothesis>(
  hypotheses: readonly Kind[],
  full: Float32Array,
): readonly Kind[] {
  const levels = hypotheses.map(({ beats }) => mean(beats.map((beat) => peakNear(full, beat))));
  const least = SILENT_SHARE * Math.max(0, ...levels);
  return hypotheses.filter((_, i) => levels[i] >= least);
}

/** Level of the weaker of every other beat over the stronger; 1 if both are silent. */
export function alternationOf(beats: readonly number[], band: Float32Array): number {
  const levels = beats.map((beat) => peakNear(band, beat));
  const [even, odd] = [0, 1].map((parity) => mean(levels.filter((_, i) => i % 2 === parity)));
  const most = Math.max(even, odd);
  return most < AUDIBLE ? 1 : Math.min(even, odd) / most;
}

/**
 * Every `step`-th position of a grid from `start` on, fractions too. Positions before the grid's first count
 * only at the very beginning.
 */
export function placesOf({ beats, interval }: MetricalHypothesis, step: number, start: number): number[] {
  const places: number[] = [];
  const earlier = beats[0] + (start - step) * interval;
  if (earlier >= -EDGE_FRAMES) places.push(Math.max(0, earlier));
  for (let place = start; place < beats.length; place += step) {
    const whole = Math.floor(place);
    const next = beats[whole + 1] ?? beats[whole] + interval;
    places.push(beats[whole] + (place - whole) * (next - beats[whole]));
  }
  return places;
}
