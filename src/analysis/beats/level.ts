import { mean } from '../../signal/statistics.ts';
import { evidenceFor, type Heard } from './evidence.ts';
import { type Evidence, hypothesesOf, type MetricalHypothesis } from './metrical-hypothesis.ts';
import { ONSET_FRAMES_PER_SECOND as FPS } from './onset-curve.ts';
import { levelsAt } from './places.ts';
import { WEIGHTS } from './weights.ts';

/**
 * Fast beats with nothing between them may as well be notes of a slower beat: two, or three of which four make a beat. Of rendered songs
 * at 160 BPM and more in which half-way less than this share of the beats' level sounds none was right below a share of .94.
 */
const FAST_BPM = 160;
const QUIET_BETWEEN = 0.25;
const FAST_POWERS = { tempo: 12, beats: 4 } as const;

export interface ChosenHypothesis extends MetricalHypothesis {
  /** 0..1 among the hypotheses of the grid. */
  readonly share: number;
  /** 0..1: of all hypotheses with its interval, wherever they lay the beats. */
  readonly tempoShare: number;
}

/** The likeliest hypothesis of a tracked grid of beats. */
export function chooseHypothesis(grid: MetricalHypothesis, heard: Heard): ChosenHypothesis {
  const hypotheses = hypothesesOf(grid, heard.curve);
  const scores = hypotheses.map((hypothesis) => scoreOf(evidenceFor(hypothesis, heard)));
  const best = scores.indexOf(Math.max(...scores));
  const odds = scores.map((score) => Math.exp(score - scores[best]));
  const { interval } = hypotheses[best];
  const total = odds.reduce((sum, value) => sum + value, 0);
  const alike = odds.reduce((sum, value, i) => sum + (hypotheses[i].interval === interval ? value : 0), 0);
  const powers = areFastNotes(hypotheses[best], heard) ? FAST_POWERS : { tempo: 1, beats: 1 };
  const tempoShare = alike / total;
  return {
    ...hypotheses[best],
    share: tempoShare ** powers.beats / alike,
    tempoShare: tempoShare ** powers.tempo,
  };
}

function areFastNotes({ beats, interval }: MetricalHypothesis, { curve }: Heard): boolean {
  if ((60 * FPS) / interval < FAST_BPM) return false;
  const [on, between] = [0, 1 / 2].map((part) => mean(levelsAt(beats, interval, part, curve.full)));
  return between < QUIET_BETWEEN * on;
}

/** Logarithmic odds but for a constant. */
function scoreOf(evidence: Evidence): number {
  return Object.entries(evidence).reduce((sum, [name, value]) => sum + (WEIGHTS[name] ?? 0) * value, 0);
}
