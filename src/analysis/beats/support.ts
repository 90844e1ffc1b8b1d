import { mean } from '../../signal/statistics.ts';
import type { Evidence, MetricalHypothesis } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve } from './onset-curve.ts';
import { levelsAt } from './places.ts';
import { scoreOf, shareOfInterval, softmax } from './scores.ts';
import { SUPPORT_WEIGHTS } from './support-weights.ts';

/** Two numbers 0..1. */
export interface Shares {
  /** Of tempo and phase. */
  readonly beats: number;
  /** Of the tempo, for any phase of the beats. */
  readonly tempo: number;
}

/** Exponents of the share, for usual tempi and for fast beats that may be notes of a slower beat. */
const POWER = 2;
const FAST_POWER = 12;
const FAST_BPM = 160;
/** Of rendered songs at 160 BPM and more with less than this share of the level half-way, most are wrong. */
const QUIET_BETWEEN = 0.25;

/**
 * Evidence for a hypothesis among its alternatives: whether beats are used depends on it, not on the
 * calibrated confidence. Beats of an uncertain octave are still beats. `areNotes`: by `mayBeNotes`.
 */
export function supportOf(
  hypotheses: readonly MetricalHypothesis[],
  evidence: readonly Evidence[],
  chosen: number,
  areNotes: boolean,
): Shares {
  const shares = softmax(evidence.map((one) => scoreOf(one, SUPPORT_WEIGHTS)));
  const share = shareOfInterval(shares, hypotheses, hypotheses[chosen].interval);
  const tempo = share ** (areNotes ? FAST_POWER : POWER);
  return { beats: (tempo * shares[chosen]) / share, tempo };
}

/** Whether nearly nothing sounds between fast beats: they may be notes of a slower beat. */
export function mayBeNotes({ beats, interval }: MetricalHypothesis, { full }: OnsetCurve): boolean {
  if ((60 * FPS) / interval < FAST_BPM) return false;
  const [on, between] = [0, 1 / 2].map((part) => mean(levelsAt(beats, interval, part, full)));
  return between < QUIET_BETWEEN * on;
}
