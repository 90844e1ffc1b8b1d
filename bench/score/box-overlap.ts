import type { Box } from '../../src/analysis/facts.ts';
import { sharedArea } from '../../src/analysis/subjects/box-overlap.ts';

/** Shared area over joint area: 0..1. */
export function overlapOf(a: Box, b: Box): number {
  const shared = sharedArea(a, b);
  return shared / (a.width * a.height + b.width * b.height - shared);
}
