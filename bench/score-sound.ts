import type { SoundFacts } from '../src/analysis/facts.ts';
import type { TrueBeats } from './truth.ts';

export interface BeatScore {
  /** F-measure within ±70 ms, as in MIREX audio beat tracking. */
  readonly beatF: number;
  /** Null: no tempo was found. */
  readonly bpm: number | null;
  /** Relative; 1 where no tempo was found. */
  readonly tempoError: number;
  /** The same, to the nearest of half, once and twice the true tempo. */
  readonly octaveError: number;
}

const TOLERANCE_SECONDS = 0.07;

/** Scores tempo and beats against a constant beat. */
export function scoreBeats(facts: SoundFacts, truth: TrueBeats): BeatScore {
  const found = facts.beats.map(({ timeSeconds }) => timeSeconds);
  const step = 60 / truth.bpm;
  const gridAt = (offset: number) => {
    const first = offset - Math.floor(offset / step) * step;
    return Array.from(
      { length: Math.max(0, Math.ceil((facts.durationSeconds - first) / step - 1e-6)) },
      (_, beat) => first + beat * step,
    );
  };
  const { offsetSeconds, phaseFree } = truth;
  const offsets = phaseFree ? [offsetSeconds, offsetSeconds + step / 2] : [offsetSeconds];
  const bpm = facts.tempo?.bpm ?? null;
  const errorTo = (wanted: number) => (bpm === null ? 1 : Math.abs(bpm / wanted - 1));
  return {
    beatF: Math.max(...offsets.map((offset) => beatFMeasure(found, gridAt(offset)))),
    bpm,
    tempoError: errorTo(truth.bpm),
    octaveError: Math.min(...[0.5, 1, 2].map((factor) => errorTo(truth.bpm * factor))),
  };
}

function beatFMeasure(found: readonly number[], wanted: readonly number[]): number {
  let hits = 0;
  let at = 0;
  for (const time of wanted) {
    while (at < found.length && found[at]! < time - TOLERANCE_SECONDS) at++;
    if (at < found.length && found[at]! <= time + TOLERANCE_SECONDS) {
      hits++;
      at++;
    }
  }
  const all = found.length + wanted.length;
  return all === 0 ? 1 : (2 * hits) / all;
}
