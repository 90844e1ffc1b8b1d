import { mean } from '../../signal/statistics.ts';
import { CONFIDENCE_WEIGHTS } from './confidence-weights.ts';
import { evidenceFor, type PassageSound } from './evidence.ts';
import { type Evidence, hypothesesOf, type MetricalHypothesis } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS } from './onset-curve.ts';
import { levelsAt } from './places.ts';
import { WEIGHTS } from './weights.ts';

/**
 * Exponent of the share. Of the tempi of songs from families left out of the fit with a confidence of .8 and
 * more, .96 are right with this exponent, .92 without it
 * (docs/decisions/0036-track-beats-over-the-whole-piece.md).
 */
const TEMPO_POWER = 2;
/**
 * Fast beats without onsets between them may be notes of a slower beat. Of rendered songs at 160 BPM and more
 * with less than this share of the level half-way, all below a share of .94 were wrong.
 */
const FAST_BPM = 160;
const QUIET_BETWEEN = 0.25;
const FAST_POWER = 12;
/** Faster isolated sounds may be a metronome's beats or halves of a beat, with equal odds. */
const FASTEST_CERTAIN_BPM = 215;
const FASTEST_SHARE = 0.5;

export interface ChosenHypothesis extends MetricalHypothesis {
  /** 0..1: confidence in tempo and phase. */
  readonly share: number;
  /** 0..1: confidence in the tempo, for any phase of the beats. */
  readonly tempoShare: number;
}

/**
 * The most likely hypothesis of a tracked grid of beats. `WEIGHTS` select it; `CONFIDENCE_WEIGHTS`, which are
 * less certain of songs, determine its confidence.
 */
export function chooseHypothesis(grid: MetricalHypothesis, sound: PassageSound): ChosenHypothesis {
  const hypotheses = hypothesesOf(grid, sound.curve);
  const evidence = hypotheses.map((hypothesis) => evidenceFor(hypothesis, sound));
  const scores = evidence.map((one) => scoreOf(one, WEIGHTS));
  const best = scores.indexOf(Math.max(...scores));
  const { interval } = hypotheses[best];
  const shares = softmax(evidence.map((one) => scoreOf(one, CONFIDENCE_WEIGHTS)));
  const tempoShare = shares.reduce(
    (sum, share, i) => sum + (hypotheses[i].interval === interval ? share : 0),
    0,
  );
  const confident = tempoConfidence(hypotheses[best], tempoShare, sound);
  return { ...hypotheses[best], share: (confident * shares[best]) / tempoShare, tempoShare: confident };
}

function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const total = odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => value / total);
}

function tempoConfidence(
  { beats, interval }: MetricalHypothesis,
  share: number,
  { curve }: PassageSound,
): number {
  const bpm = (60 * FPS) / interval;
  if (bpm > FASTEST_CERTAIN_BPM) return FASTEST_SHARE * share ** FAST_POWER;
  if (bpm < FAST_BPM) return share ** TEMPO_POWER;
  const [on, between] = [0, 1 / 2].map((part) => mean(levelsAt(beats, interval, part, curve.full)));
  return share ** (between < QUIET_BETWEEN * on ? FAST_POWER : TEMPO_POWER);
}

/** Logarithmic odds up to a constant. */
function scoreOf(evidence: Evidence, weights: Readonly<Record<string, number>>): number {
  return Object.entries(evidence).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
}
