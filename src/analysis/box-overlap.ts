import type { Box } from './facts.ts';

/** Area that two boxes share over that of the smaller, 0..1; 0 where they are apart. */
export function overlapShare(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  if (width <= 0 || height <= 0) return 0;
  return (width * height) / Math.min(one.width * one.height, other.width * other.height);
}
