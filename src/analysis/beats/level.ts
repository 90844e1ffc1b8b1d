import { mean } from '../../signal/statistics.ts';
import { CONFIDENCE_POWER, CONFIDENCE_WEIGHTS } from './confidence-weights.ts';
import { evidenceFor, type PassageSound } from './evidence.ts';
import { hasSwungQuarters } from './feel.ts';
import { type Evidence, hypothesesOf, isOnlyClicks, type MetricalHypothesis } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve } from './onset-curve.ts';
import { levelsAt } from './places.ts';
import { rivalsOf } from './rivals.ts';
import { PREFERRED_BPM } from './tempo.ts';
import { WEIGHTS } from './weights.ts';

/** Confidence of a tempo that another explains as well, whatever the odds. */
const MAX_DOUBTFUL_SHARE = 0.75;
/**
 * Fast beats without onsets between them may be notes of a slower beat. Of rendered songs at 160 BPM and more
 * with less than this share of the level half-way, all below a share of .94 were wrong.
 */
const FAST_BPM = 160;
const QUIET_BETWEEN = 0.25;
const FAST_POWER = 12;
/** A swung ride on beats as fast as this is mistaken for one of half the tempo. */
const FASTEST_UNSWUNG_BPM = 100;
/**
 * With nearly all bass on every third beat it is a waltz, or 12/8 whose beats last three halves of these: of
 * confident songs and pieces three are above it; all bass on one of three beats gives log 3.
 */
const MAX_TRIPLE_BASS = 0.75;
/** Ratios of intervals that differ by less are equal. */
const SAME_RATIO = 0.03;
const THIRDS = [1 / 3, 2 / 3, 3 / 2, 3] as const;
const QUARTERS = [3 / 4, 4 / 3] as const;
const DOUBTED_CYCLES = ['harmony', 'low', 'snare', 'full'].flatMap((band) =>
  [2, 3, 4].map((length) => `cycle.${band}.${length}`),
);

export interface ChosenHypothesis extends MetricalHypothesis {
  /** 0..1: confidence in tempo and phase. */
  readonly share: number;
  /** 0..1: confidence in the tempo, for any phase of the beats. */
  readonly tempoShare: number;
}

/** A hypothesis or rival, with the evidence for its tempo. */
export interface TempoCandidate {
  /** Frames per beat. */
  readonly interval: number;
  readonly evidence: Evidence;
}

/** The hypothesis that `WEIGHTS` select, and what its confidence depends on. */
export interface TempoChoice {
  readonly chosen: MetricalHypothesis;
  readonly chosenIndex: number;
  /** All hypotheses in their order, then the rivals. */
  readonly candidates: readonly TempoCandidate[];
  /** Whether another tempo explains the sound as well. */
  readonly isDoubtful: boolean;
  /** Whether its beats may be notes of a slower beat. */
  readonly mayBeNotes: boolean;
}

/** The most likely hypothesis of a tracked grid of beats, with its confidence. */
export function chooseHypothesis(grid: MetricalHypothesis, sound: PassageSound): ChosenHypothesis {
  const choice = chooseTempo(grid, sound);
  const { chosen, chosenIndex, candidates } = choice;
  const scores = candidates.map(({ evidence }) => scoreOf(evidence, CONFIDENCE_WEIGHTS));
  const shares = softmax(scores);
  const ofTempo = candidates.reduce(
    (sum, { interval }, i) => sum + (interval === chosen.interval ? shares[i] : 0),
    0,
  );
  const tempoShare = tempoConfidence(choice, ofTempo, CONFIDENCE_POWER);
  return { ...chosen, share: (tempoShare * shares[chosenIndex]) / ofTempo, tempoShare };
}

/** Selects a hypothesis and collects the evidence for it and against its rivals. */
export function chooseTempo(grid: MetricalHypothesis, sound: PassageSound): TempoChoice {
  const hypotheses = hypothesesOf(grid, sound.curve);
  const evidence = hypotheses.map((hypothesis) => evidenceFor(hypothesis, sound));
  const scores = evidence.map((one) => scoreOf(one, WEIGHTS));
  const chosenIndex = scores.indexOf(Math.max(...scores));
  const chosen = hypotheses[chosenIndex];
  const rivals = rivalsOf(chosen, hypotheses, sound.curve);
  const all = [...evidence, ...rivals.map((rival) => evidenceFor(rival, sound))];
  const candidates = [...hypotheses, ...rivals].map(({ interval }, i) => ({
    interval,
    evidence: doubtEvidence(all[i], interval, chosen.interval),
  }));
  const { curve } = sound;
  return {
    chosen,
    chosenIndex,
    candidates,
    isDoubtful: isDoubtful(chosen, evidence[chosenIndex], curve),
    mayBeNotes: mayBeNotes(chosen, curve),
  };
}

function mayBeNotes({ beats, interval }: MetricalHypothesis, { full }: OnsetCurve): boolean {
  if ((60 * FPS) / interval < FAST_BPM) return false;
  const [on, between] = [0, 1 / 2].map((part) => mean(levelsAt(beats, interval, part, full)));
  return between < QUIET_BETWEEN * on;
}

function isDoubtful(chosen: MetricalHypothesis, evidence: Evidence, curve: OnsetCurve): boolean {
  const { beats, interval } = chosen;
  return (
    isOnlyClicks(chosen, curve) ||
    evidence['cycle.low.3'] > MAX_TRIPLE_BASS ||
    ((60 * FPS) / interval >= FASTEST_UNSWUNG_BPM && hasSwungQuarters(beats, interval, curve.high))
  );
}

/** Confidence in a tempo from the share of the odds that its hypotheses have. */
export function tempoConfidence(
  { isDoubtful, mayBeNotes }: Pick<TempoChoice, 'isDoubtful' | 'mayBeNotes'>,
  share: number,
  power: number,
): number {
  return Math.min(isDoubtful ? MAX_DOUBTFUL_SHARE : 1, share ** (mayBeNotes ? FAST_POWER : power));
}

/**
 * Evidence of a candidate's tempo: its score by `WEIGHTS`, which have seen no song; what songs differ in from
 * generated pieces: tempi, cycles of beats; and whether its interval is a multiple of a third or quarter of
 * the chosen one.
 */
function doubtEvidence(evidence: Evidence, interval: number, chosenInterval: number): Evidence {
  const octaves = Math.log2((60 * FPS) / interval / PREFERRED_BPM);
  const isOneOf = (ratios: readonly number[]) =>
    Number(ratios.some((ratio) => Math.abs(interval / chosenInterval / ratio - 1) < SAME_RATIO));
  return {
    score: scoreOf(evidence, WEIGHTS),
    octaves,
    octavesSquared: octaves ** 2,
    ...Object.fromEntries(DOUBTED_CYCLES.map((name) => [name, evidence[name]])),
    thirds: isOneOf(THIRDS),
    quarters: isOneOf(QUARTERS),
  };
}

function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const total = odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => value / total);
}

/** Logarithmic odds up to a constant. */
function scoreOf(evidence: Evidence, weights: Readonly<Record<string, number>>): number {
  return Object.entries(evidence).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
}
