import { evidenceFor, type Heard } from './beat-evidence.ts';
import { type Evidence, type Reading, readingsOf } from './beat-reading.ts';
import { WEIGHTS } from './beat-weights.ts';

export interface ChosenReading extends Reading {
  /** 0..1 among the readings of the grid. */
  readonly share: number;
}

/** The likeliest reading of a tracked grid of beats. */
export function chooseReading(grid: Reading, heard: Heard): ChosenReading {
  const readings = readingsOf(grid, heard.curve);
  const scores = readings.map((reading) => scoreOf(evidenceFor(reading, heard)));
  const best = scores.indexOf(Math.max(...scores));
  const total = scores.reduce((sum, score) => sum + Math.exp(score - scores[best]), 0);
  return { ...readings[best], share: 1 / total };
}

/** Logarithmic odds but for a constant. */
function scoreOf(evidence: Evidence): number {
  return Object.entries(evidence).reduce((sum, [name, value]) => sum + (WEIGHTS[name] ?? 0) * value, 0);
}
