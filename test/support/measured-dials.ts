import type { ColorStatistics } from '../../src/analysis/facts.ts';
import { dialsOf } from '../../src/style/model/color-dials.ts';

/** Where measured statistics lie from the neutral prior, each in one number. */
export function measuredDials({ lightnessPercentiles, neutral, medianChroma }: ColorStatistics) {
  const [p5, p95] = [lightnessPercentiles[1], lightnessPercentiles[19]];
  return dialsOf({ neutral: [neutral.a, neutral.b], p5, p95, medianChroma });
}
