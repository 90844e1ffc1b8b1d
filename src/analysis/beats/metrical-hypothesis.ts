import { mean } from '../../signal/statistics.ts';
import { AUDIBLE, ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve, peakNear } from './onset-curve.ts';
import { TEMPO_BPM } from './tempo.ts';

/** One way to hear a tracked grid: its places taken as beats at another level or phase. */
export interface MetricalHypothesis {
  /** Frames, ascending. */
  readonly beats: readonly number[];
  /** Frames per beat. */
  readonly interval: number;
}

/** What speaks for and against a hypothesis, by name, about -3..3 each. */
export type Evidence = Readonly<Record<string, number>>;

/** A beat that would lie so little before the sound begins is its first. */
const EDGE_FRAMES = 2;
/** What has less than this share of the sound of its neighbours is silent beside them. */
const SILENT_SHARE = 0.1;
/** Of a beat: its quarters and triplets. */
export const PARTS_BETWEEN = [1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4] as const;
/** Beats whose neighbours differ by less, in every band, are all alike. */
const EVEN_SHARE = 0.95;

/**
 * Beats every so many places of the grid, from which place on: the grid itself, its half-way places, twice and half as
 * many; and a quarter or third of a beat aside, where a tracker hangs on to sixteenths or triplets that ring out.
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
 * The hypotheses of a grid of beats within 50..215 BPM, the grid itself when there is none. Of clicks, all alike and with
 * nothing between them, each is a beat: no weighing of drums and bass should be asked there.
 */
export function hypothesesOf(grid: MetricalHypothesis, curve: OnsetCurve): readonly MetricalHypothesis[] {
  const hypotheses = STEPS_AND_STARTS.map(([step, start]) => ({
    beats: placesOf(grid, step, start),
    interval: grid.interval * step,
  })).filter(({ beats, interval }) => {
    const bpm = (60 * FPS) / interval;
    return bpm >= TEMPO_BPM.slowest && bpm <= TEMPO_BPM.fastest && beats.length > 1;
  });
  const clicks = hypotheses.filter((hypothesis) => areClicks(hypothesis, curve));
  if (clicks.length > 0) return clicks;
  return hypotheses.length === 0 ? [grid] : hypotheses;
}

/** Beats all alike and nothing between them. */
function areClicks({ beats, interval }: MetricalHypothesis, curve: OnsetCurve): boolean {
  const levelAside = (part: number) =>
    mean(beats.map((beat) => peakNear(curve.full, beat + part * interval)));
  const most = SILENT_SHARE * levelAside(0);
  return (
    PARTS_BETWEEN.every((part) => levelAside(part) < most) &&
    [curve.low, curve.mid, curve.high].every((band) => alternationOf(beats, band) > EVEN_SHARE)
  );
}

/** Level of the weaker of every other beat over that of the stronger; 1 where neither sounds. */
export function alternationOf(beats: readonly number[], band: Float32Array): number {
  const levels = beats.map((beat) => peakNear(band, beat));
  const [a, b] = [0, 1].map((parity) => mean(levels.filter((_, i) => i % 2 === parity)));
  return Math.max(a, b) < AUDIBLE ? 1 : Math.min(a, b) / Math.max(a, b);
}

/** Places before the grid's first are kept when they fall on the very beginning. */
function placesOf({ beats, interval }: MetricalHypothesis, step: number, start: number): number[] {
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
