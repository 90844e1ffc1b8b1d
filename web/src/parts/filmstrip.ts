import type { PointerEvent } from 'react';

/** Frames of a filmstrip, side by side in one picture (`docs/decisions/0039-previews-and-products.md`). */
export const TILES = 12;

/** The tile at a share (0..1) of the video's length. */
export function tileAt(share: number): number {
  return Math.min(TILES - 1, Math.max(0, Math.floor(share * TILES)));
}

/** Position of the pointer over an element, 0..1 from its left. */
export function pointedShare({ currentTarget, clientX }: PointerEvent): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.min(1, Math.max(0, (clientX - left) / width));
}
