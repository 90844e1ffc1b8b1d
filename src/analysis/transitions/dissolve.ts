import type { FrameSketch } from '../frames/sketch.ts';
import { DISSOLVE, type DissolveEvidence, dissolveEvidence, type MixedSpan } from './dissolve-evidence.ts';
import { WEIGHTS } from './dissolve-weights.ts';
import type { Span } from './window.ts';

/** Logistic regression. */
export function isDissolve(samples: readonly FrameSketch[], span: MixedSpan, stretch: Span): boolean {
  if (span.blend.dissolveResidual > DISSOLVE.MOST_RESIDUAL) return false;
  const evidence = dissolveEvidence(samples, span, stretch);
  let odds = 0;
  for (const name of NAMES) odds += WEIGHTS[name] * evidence[name];
  return odds > 0;
}

const NAMES = Object.keys(WEIGHTS) as (keyof DissolveEvidence)[];
