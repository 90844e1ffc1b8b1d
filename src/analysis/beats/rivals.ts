import {
  gridPositions,
  isWithin,
  type MetricalHypothesis,
  withoutSilentBeats,
} from './metrical-hypothesis.ts';
import type { OnsetCurve } from './onset-curve.ts';

/** A tempo that is never chosen, but for which the chosen one may be mistaken. */
export interface Rival extends MetricalHypothesis {
  /** How many beats of the chosen tempo a beat lasts. */
  readonly ratio: number;
}

/**
 * Intervals and possible first beats, in beats of the chosen tempo. Of 353 songs the true tempo of 15 is none of the
 * hypotheses, of one it is neither a hypothesis nor a rival.
 */
const READINGS = [
  { ratio: 1 / 2, starts: [0] },
  { ratio: 2 / 3, starts: [0, 1 / 3] },
  { ratio: 3 / 4, starts: [0, 1 / 4, 1 / 2] },
  { ratio: 4 / 3, starts: [0, 1 / 3, 2 / 3, 1] },
  { ratio: 3 / 2, starts: [0, 1 / 2, 1] },
  { ratio: 2, starts: [0, 1] },
  { ratio: 3, starts: [0, 1, 2] },
  { ratio: 4, starts: [0, 1, 2, 3] },
] as const;
/** Wider than the range of hypotheses: jazz is swung at up to 300 BPM. */
const RIVAL_BPM = { slowest: 40, fastest: 305 } as const;
/** Rivals whose interval differs by less from that of a hypothesis equal it. */
const SAME_INTERVAL = 0.02;

/** The rivals of the chosen hypothesis that are none of `hypotheses`, without those on silence. */
export function rivalsOf(
  chosen: MetricalHypothesis,
  hypotheses: readonly MetricalHypothesis[],
  curve: OnsetCurve,
): readonly Rival[] {
  const all = READINGS.flatMap(({ ratio, starts }) =>
    starts.map((start) => ({
      ratio,
      beats: gridPositions(chosen, ratio, start),
      interval: chosen.interval * ratio,
    })),
  ).filter(
    (rival) =>
      rival.beats.length > 1 &&
      isWithin(rival, RIVAL_BPM) &&
      hypotheses.every(({ interval }) => Math.abs(interval / rival.interval - 1) >= SAME_INTERVAL),
  );
  return withoutSilentBeats([{ ...chosen, ratio: 1 }, ...all], curve.full).filter(({ ratio }) => ratio !== 1);
}
