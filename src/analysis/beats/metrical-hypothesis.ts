import { mean } from '../../signal/statistics.ts';
import { AUDIBLE, ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import { levelsAt, stepAt } from './places.ts';
import { TEMPO_BPM } from './tempo.ts';

/** One reading of a tracked grid: every position a beat, or every second, or the places half-way between them. */
export interface MetricalHypothesis {
  /** Frames, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
}

/** Evidence for and against a hypothesis, by name, about -3..3 each. */
export type Evidence = Readonly<Record<string, number>>;

/** A first beat this long before the sound counts as its beginning. */
const EDGE_FRAMES = 2;
/** Positions with less than this share of their neighbors' level are silent. */
const SILENT_SHARE = 0.1;
/** Where notes between two beats lie, as parts of a beat: quarters and triplets. */
export const PARTS_BETWEEN = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4] as const;
/** The quarters that are neither a beat nor half-way. */
const QUARTERS = [1 / 4, 3 / 4] as const;

/**
 * Step from beat to beat and place of the first beat, in positions of the grid. Shifts by a quarter or third of a beat occur
 * where a tracker follows decaying sixteenths or triplets.
 */
const READINGS = [
  { step: 1, start: 0 },
  { step: 1, start: 1 / 2 },
  { step: 1 / 2, start: 0 },
  { step: 2, start: 0 },
  { step: 2, start: 1 },
  { step: 2, start: 1 / 2 },
  { step: 2, start: 3 / 2 },
  { step: 1, start: 1 / 4 },
  { step: 1, start: 3 / 4 },
  { step: 1, start: 1 / 3 },
  { step: 1, start: 2 / 3 },
  { step: 1 / 2, start: 1 / 4 },
] as const;

/**
 * The hypotheses of a beat grid within 50..215 BPM whose beats sound, or the grid itself if there is none. A hypothesis with silence on
 * every second beat counts only if all have it.
 */
export function hypothesesOf(grid: MetricalHypothesis, curve: OnsetCurve): readonly MetricalHypothesis[] {
  const all = READINGS.map(({ step, start }) => ({
    beats: gridPositions(grid, step, start),
    interval: grid.interval * step,
  })).filter((hypothesis) => hypothesis.beats.length > 1 && isWithin(hypothesis, TEMPO_BPM));
  const sounding = withoutSilentBeats(all, curve.full);
  if (sounding.length === 0) return [grid];
  const gapless = sounding.filter(({ beats }) => weakerBeatRatio(beats, curve.full) >= SILENT_SHARE);
  return gapless.length > 0 ? gapless : sounding;
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

/** Mean level of the odd beats over that of the even ones, or the reverse: 0..1. 1 if both are silent. */
export function weakerBeatRatio(beats: readonly number[], band: Float32Array): number {
  const levels = beats.map((beat) => peakNear(band, beat));
  const [even, odd] = [0, 1].map((parity) => mean(levels.filter((_, i) => i % 2 === parity)));
  const most = Math.max(even, odd);
  return most < AUDIBLE ? 1 : Math.min(even, odd) / most;
}

/**
 * Frames of the positions `start`, `start` + `step`, … of a grid; position 1.5 is half-way between its second and third beat. One
 * before the grid's first beat is added where the sound begins with it.
 */
export function gridPositions(
  { beats, interval }: MetricalHypothesis,
  step: number,
  start: number,
): number[] {
  const frames: number[] = [];
  const earlier = beats[0] + (start - step) * interval;
  if (earlier >= -EDGE_FRAMES) frames.push(Math.max(0, earlier));
  for (let position = start; position < beats.length; position += step) {
    const index = Math.floor(position);
    frames.push(beats[index] + (position - index) * stepAt(beats, index, interval));
  }
  return frames;
}
