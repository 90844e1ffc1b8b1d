import { CONFIDENCE_POWER, CONFIDENCE_WEIGHTS } from './confidence-weights.ts';
import { evidenceFor, type PassageSound } from './evidence.ts';
import { hasSwungQuarters } from './feel.ts';
import { type Evidence, hypothesesOf, isSparse, type MetricalHypothesis } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, type OnsetCurve } from './onset-curve.ts';
import { rivalsOf } from './rivals.ts';
import { scoreOf, shareOfInterval, softmax } from './scores.ts';
import { FAST_POWER, type Likelihood, lacksSubdivision, supportOf } from './support.ts';
import { PREFERRED_BPM } from './tempo.ts';
import { WEIGHTS } from './weights.ts';

/** Largest confidence of a tempo if another one explains the sound as well. */
const MAX_DOUBTFUL_CONFIDENCE = 0.75;
/** From this tempo on, a swung ride may belong to half the tempo. */
const MIN_SWUNG_BPM = 100;
/**
 * Largest concentration of bass on every third beat, 0 to log 3. Above it, the piece is a waltz, or 12/8 with beats of three
 * halves of these. Of confident songs and pieces three are above it.
 */
const MAX_TRIPLE_BASS = 0.75;
/**
 * From this tempo on, bass mostly on one of four or eight beats may mark the beats of half the tempo: above the limits are 12 of 13
 * confident doubled tempi of pianos alone, and a tenth of the confident right tempi of all songs.
 */
const MIN_SPARSE_BPM = 112;
const MAX_SPARSE_BASS = { four: 0.45, eight: 0.5 } as const;
/** Ratios of intervals whose relative difference is smaller are equal. */
const SAME_RATIO = 0.03;
const THIRDS = [1 / 3, 2 / 3, 3 / 2, 3] as const;
const QUARTERS = [3 / 4, 4 / 3] as const;
const CONFIDENCE_CYCLES = ['harmony', 'low', 'snare', 'full'].flatMap((band) =>
  [2, 3, 4].map((length) => `cycle.${band}.${length}`),
);

export interface ChosenHypothesis extends MetricalHypothesis {
  /** Probability of being right, calibrated on songs. */
  readonly confidence: Likelihood;
  /** Whether to use the beats depends on it (`supportOf`). */
  readonly support: Likelihood;
}

/** A hypothesis or rival, with the evidence for its tempo. */
interface TempoCandidate {
  /** Frames per beat. */
  readonly interval: number;
  readonly evidence: Evidence;
}

/** The hypothesis that `WEIGHTS` select, and what its confidence depends on. */
interface TempoChoice {
  readonly chosen: MetricalHypothesis;
  readonly chosenIndex: number;
  /** All hypotheses in their order, then the rivals. */
  readonly candidates: readonly TempoCandidate[];
  /** Whether another tempo explains the sound as well. */
  readonly isDoubtful: boolean;
  /** Fast beats with nothing between them: `lacksSubdivision`. */
  readonly isUndivided: boolean;
  readonly support: Likelihood;
}

/** The most likely hypothesis of a tracked grid of beats, with its confidence. */
export function chooseHypothesis(grid: MetricalHypothesis, sound: PassageSound): ChosenHypothesis {
  const choice = chooseTempo(grid, sound);
  const { chosen, chosenIndex, candidates, support } = choice;
  const scores = candidates.map(({ evidence }) => scoreOf(evidence, CONFIDENCE_WEIGHTS));
  const shares = softmax(scores);
  const tempoShare = shareOfInterval(shares, candidates, chosen.interval);
  const tempo = tempoConfidence(choice, tempoShare);
  // Hypotheses of one tempo differ in phase; the chosen one has this share of its tempo's odds.
  const beats = (tempo * shares[chosenIndex]) / tempoShare;
  return { ...chosen, confidence: { beats, tempo }, support };
}

/** Selects a hypothesis and collects the evidence for it and against its rivals. */
function chooseTempo(grid: MetricalHypothesis, sound: PassageSound): TempoChoice {
  const hypotheses = hypothesesOf(grid, sound.curve);
  const evidence = hypotheses.map((hypothesis) => evidenceFor(hypothesis, sound));
  const scores = evidence.map((one) => scoreOf(one, WEIGHTS));
  const chosenIndex = scores.indexOf(Math.max(...scores));
  const chosen = hypotheses[chosenIndex];
  const rivals = rivalsOf(chosen, hypotheses, sound.curve);
  const all = [...evidence, ...rivals.map((rival) => evidenceFor(rival, sound))];
  const candidates = [...hypotheses, ...rivals].map(({ interval }, i) => ({
    interval,
    evidence: confidenceEvidence(all[i], interval, chosen.interval),
  }));
  const { curve } = sound;
  const isUndivided = lacksSubdivision(chosen, curve);
  return {
    chosen,
    chosenIndex,
    candidates,
    isDoubtful: isDoubtful(chosen, evidence[chosenIndex], curve),
    isUndivided,
    support: supportOf(hypotheses, scores, chosenIndex, isUndivided),
  };
}

function isDoubtful(chosen: MetricalHypothesis, evidence: Evidence, curve: OnsetCurve): boolean {
  const { beats, interval } = chosen;
  const bpm = (60 * FPS) / interval;
  return (
    isSparse(chosen, curve.full) ||
    evidence['cycle.low.3'] > MAX_TRIPLE_BASS ||
    (bpm >= MIN_SPARSE_BPM && hasSparseBass(evidence)) ||
    (bpm >= MIN_SWUNG_BPM && hasSwungQuarters(beats, interval, curve.high))
  );
}

function hasSparseBass(evidence: Evidence): boolean {
  return evidence['cycle.low.4'] > MAX_SPARSE_BASS.four || evidence['cycle.low.8'] > MAX_SPARSE_BASS.eight;
}

/** Confidence in a tempo from `share`, the share of the odds that its hypotheses have. */
function tempoConfidence(
  { isDoubtful, isUndivided }: Pick<TempoChoice, 'isDoubtful' | 'isUndivided'>,
  share: number,
): number {
  return Math.min(
    isDoubtful ? MAX_DOUBTFUL_CONFIDENCE : 1,
    share ** (isUndivided ? FAST_POWER : CONFIDENCE_POWER),
  );
}

/**
 * Evidence for the confidence in a candidate's tempo. `WEIGHTS`, which give its score, were fitted to generated pieces only.
 * `CONFIDENCE_WEIGHTS`, fitted to songs too, correct it by the tempo and the cycles of beats, which differ in songs, and lower
 * candidates whose interval is a multiple of a third or quarter of the chosen one.
 */
function confidenceEvidence(evidence: Evidence, interval: number, chosenInterval: number): Evidence {
  const octaves = Math.log2((60 * FPS) / interval / PREFERRED_BPM);
  const isOneOf = (ratios: readonly number[]) =>
    Number(ratios.some((ratio) => Math.abs(interval / chosenInterval / ratio - 1) < SAME_RATIO));
  return {
    score: scoreOf(evidence, WEIGHTS),
    octaves,
    octavesSquared: octaves ** 2,
    ...Object.fromEntries(CONFIDENCE_CYCLES.map((name) => [name, evidence[name]])),
    thirds: isOneOf(THIRDS),
    quarters: isOneOf(QUARTERS),
  };
}
