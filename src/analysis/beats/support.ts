import { mean } from '../../signal/statistics.ts';
import type { MetricalHypothesis } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve } from './onset-curve.ts';
import { levelsAt } from './places.ts';
import { shareOfInterval, softmax } from './scores.ts';

/** How likely a hypothesis is right, 0..1. */
export interface Likelihood {
  /** That its beats are: tempo and phase. */
  readonly beats: number;
  /** That its tempo is, for any phase of the beats. */
  readonly tempo: number;
}

/** Exponent of the share of the odds. */
const POWER = 2;
/** The same for fast beats without subdivision: of rendered songs at 160 BPM and more all below a share of .94 were wrong. */
export const FAST_POWER = 12;
const FAST_BPM = 160;
/** Level half-way between beats over that on beats: of rendered songs from 160 BPM with less, most are wrong. */
const MIN_SUBDIVISION_LEVEL = 0.25;

/**
 * Evidence for a hypothesis among its alternatives, from their scores by `WEIGHTS`. It decides whether beats are used; the calibrated
 * confidence does not, because beats of an uncertain octave are still beats. `isUndivided`: by `lacksSubdivision`.
 */
export function supportOf(
  hypotheses: readonly MetricalHypothesis[],
  scores: readonly number[],
  chosen: number,
  isUndivided: boolean,
): Likelihood {
  const shares = softmax(scores);
  const share = shareOfInterval(shares, hypotheses, hypotheses[chosen].interval);
  const tempo = share ** (isUndivided ? FAST_POWER : POWER);
  return { beats: (tempo * shares[chosen]) / share, tempo };
}

/** Whether nearly nothing sounds between fast beats: they may be the notes of a slower beat. */
export function lacksSubdivision({ beats, interval }: MetricalHypothesis, { full }: OnsetCurve): boolean {
  if ((60 * FPS) / interval < FAST_BPM) return false;
  const [on, between] = [0, 1 / 2].map((part) => mean(levelsAt(beats, interval, part, full)));
  return between < MIN_SUBDIVISION_LEVEL * on;
}
