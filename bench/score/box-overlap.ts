import type { Box } from '../../src/analysis/facts.ts';

/** Shared area over joint area: 0..1. */
export function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  return shared / (a.width * a.height + b.width * b.height - shared);
}
