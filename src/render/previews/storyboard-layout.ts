import type { Size } from '../../domain/footage.ts';
import type { PixelBox } from '../../domain/preview.ts';

/** A tile for each slot, in rows, and below each a band for its label. */
export interface StoryboardLayout extends Size {
  readonly tiles: readonly PixelBox[];
}

/** About as wide as a screen. */
const MAX_WIDTH = 1600;
const TILE_PIXELS = 320 * 180;
/** Longer pictures are squeezed to this ratio, like thumbnails. */
const MAX_RATIO = 8;
const GAP = 12;
/** Lines of a label's band; even, like all sides. */
export const BAND_LINES = 28;

/** Size of each tile: the output's shape, never enlarged. */
export function storyboardTile(output: Size): Size {
  const ratio = Math.min(MAX_RATIO, Math.max(1 / MAX_RATIO, output.width / output.height));
  const width = Math.min(Math.sqrt(TILE_PIXELS * ratio), output.width, output.height * ratio);
  const even = (length: number) => Math.max(16, 2 * Math.round(length / 2));
  return { width: even(width), height: even(width / ratio) };
}

export function storyboardLayout(tile: Size, slots: number): StoryboardLayout {
  const columns = Math.max(1, Math.min(slots, Math.floor((MAX_WIDTH - GAP) / (tile.width + GAP))));
  const row = tile.height + BAND_LINES + GAP;
  const tiles = Array.from({ length: slots }, (_, index) => ({
    x: GAP + (index % columns) * (tile.width + GAP),
    y: GAP + Math.floor(index / columns) * row,
    ...tile,
  }));
  return {
    width: GAP + columns * (tile.width + GAP),
    height: GAP + Math.ceil(slots / columns) * row,
    tiles,
  };
}
