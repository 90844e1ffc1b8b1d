import { evidenceFor, type Heard } from './evidence.ts';
import { type Evidence, hypothesesOf, type MetricalHypothesis } from './metrical-hypothesis.ts';
import { WEIGHTS } from './weights.ts';

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
  return { ...hypotheses[best], share: 1 / total, tempoShare: alike / total };
}

/** Logarithmic odds but for a constant. */
function scoreOf(evidence: Evidence): number {
  return Object.entries(evidence).reduce((sum, [name, value]) => sum + (WEIGHTS[name] ?? 0) * value, 0);
}
