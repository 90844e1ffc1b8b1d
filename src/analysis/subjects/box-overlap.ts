import type { Box } from '../facts.ts';

/** Area that two boxes share; 0 where they are apart. */
export function sharedArea(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/** The same over the area of the smaller, 0..1; 0 for a box without area. */
export function overlapShare(one: Box, other: Box): number {
  const shared = sharedArea(one, other);
  return shared === 0 ? 0 : shared / Math.min(one.width * one.height, other.width * other.height);
}

/** The same over the area of both together, 0..1: of boxes of different sizes it is small, however they lie. */
export function intersectionOverUnion(one: Box, other: Box): number {
  const shared = sharedArea(one, other);
  return shared === 0 ? 0 : shared / (one.width * one.height + other.width * other.height - shared);
}
