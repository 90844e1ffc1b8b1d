/** Which moments a filmstrip shows, and in which size: nothing here needs FFmpeg. */
import type { Size } from '../../domain/footage.ts';

/** As many as can be told apart under a pointer on a card 300 pixels wide. */
export const FILMSTRIP_TILES = 12;
const TILE_HEIGHT = 120;

/** The size of a tile for pictures of a size as displayed. */
export function tileSize(displayed: Size): Size {
  const width = TILE_HEIGHT * shapeOf(displayed);
  return { width: 2 * Math.round(width / 2), height: TILE_HEIGHT };
}

/** The moments that the tiles show: the middles of equal parts of the running time. */
export function tileMoments(durationSeconds: number, tiles: number): number[] {
  return Array.from({ length: tiles }, (_, index) => ((index + 0.5) / tiles) * durationSeconds);
}

/** Width over height of a small picture of such a clip: a hair's breadth could not be looked at. */
export function shapeOf({ width, height }: Size): number {
  return Math.min(Math.max(width / height, 1 / 8), 8);
}
