import type { Box } from '../facts.ts';

/** Area that two boxes share; 0 if they do not overlap. */
export function sharedArea(one: Box, other: Box): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return Math.max(0, width) * Math.max(0, height);
}

/** The shared area over that of the smaller box, 0..1; 0 for a box without area. */
export function overlapShare(one: Box, other: Box): number {
  const shared = sharedArea(one, other);
  return shared === 0 ? 0 : shared / Math.min(one.width * one.height, other.width * other.height);
}

/** The shared area over that of the union, 0..1: small for boxes of different sizes. */
export function intersectionOverUnion(one: Box, other: Box): number {
  const shared = sharedArea(one, other);
  return shared === 0 ? 0 : shared / (one.width * one.height + other.width * other.height - shared);
}
