/** Moments and tile sizes of a filmstrip, without FFmpeg. */
import type { Size } from '../../domain/footage.ts';

/** Enough to distinguish tiles under a pointer on a card 300 pixels wide. */
export const FILMSTRIP_TILES = 12;
const TILE_HEIGHT = 120;

/** Size of a tile for pictures of a displayed size. */
export function tileSize(displayed: Size): Size {
  const width = TILE_HEIGHT * thumbnailAspect(displayed);
  return { width: 2 * Math.round(width / 2), height: TILE_HEIGHT };
}

/** Moments of the tiles: the centres of equal parts of the running time. */
export function tileMoments(durationSeconds: number, tiles: number): number[] {
  return Array.from({ length: tiles }, (_, index) => ((index + 0.5) / tiles) * durationSeconds);
}

/** Width over height of a thumbnail, clamped to 1:8 and 8:1. */
export function thumbnailAspect({ width, height }: Size): number {
  return Math.min(Math.max(width / height, 1 / 8), 8);
}
