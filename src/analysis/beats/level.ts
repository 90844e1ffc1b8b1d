import { evidenceFor, type Heard } from './evidence.ts';
import { type Evidence, hypothesesOf, type MetricalHypothesis } from './metrical-hypothesis.ts';
import { WEIGHTS } from './weights.ts';

export interface ChosenHypothesis extends MetricalHypothesis {
  /** 0..1 among the hypotheses of the grid. */
  readonly share: number;
}

/** The likeliest hypothesis of a tracked grid of beats. */
export function chooseHypothesis(grid: MetricalHypothesis, heard: Heard): ChosenHypothesis {
  const hypotheses = hypothesesOf(grid, heard.curve);
  const scores = hypotheses.map((hypothesis) => scoreOf(evidenceFor(hypothesis, heard)));
  const best = scores.indexOf(Math.max(...scores));
  const total = scores.reduce((sum, score) => sum + Math.exp(score - scores[best]), 0);
  return { ...hypotheses[best], share: 1 / total };
}

/** Logarithmic odds but for a constant. */
function scoreOf(evidence: Evidence): number {
  return Object.entries(evidence).reduce((sum, [name, value]) => sum + (WEIGHTS[name] ?? 0) * value, 0);
}
