import type { PixelBox } from '../bars/picture-area.ts';
import { TILE, type TileStructure } from './picture-kernel.ts';

/**
 * Only the sharpest tenth of the tiles with structure is evaluated: a blurred background does not make the picture
 * blurred.
 */
const SHARPEST = 0.9;
/**
 * Laplacian energy at quarter size below which a tile has no structure, squared grey levels. Codec noise in a
 * blurred road has 13, the road itself 260.
 */
const MIN_STRUCTURE = 16;
/** Least share of the strongest tile's energy. */
const MIN_SHARE = 0.05;
/**
 * The noise is estimated from the tenth of the tiles with the least energy, up to two levels per pixel. The
 * Laplacian has 20 times its variance.
 */
const QUIET = 0.1;
const MAX_NOISE = 20 * 2 ** 2;
/** White noise loses three quarters of its variance at each halving. */
const NOISE_LOSS = 4;
/** A hard edge has half as much energy per pixel at each finer scale; a wide one an eighth; fine texture more. */
const HARD_EDGE = 0.5;
const MAX_RATIO = 4;

export interface PictureStructure {
  /** Full against half size, and half against quarter size: 1 for hard edges, .25 for wide ones, more for fine texture; 0 without structure. */
  readonly fine: number;
  readonly medium: number;
  /** Share of pixels with fine structure. */
  readonly detail: number;
}

/** Sharpness from the decrease of structure towards fine scales, which does not depend on contrast. */
export function structureOf(tiles: TileStructure, box: PixelBox): PictureStructure {
  const inside = tilesWithin(tiles, box);
  if (inside.length === 0) return { fine: 0, medium: 0, detail: 0 };
  const [whole, half, quarter] = tiles.energies;
  const noise = Math.min(
    MAX_NOISE,
    quantileOf(
      inside.map((tile) => whole[tile]),
      QUIET,
    ),
  );
  const most = Math.max(...inside.map((tile) => quarter[tile]));
  const least = Math.max(MIN_STRUCTURE, MIN_SHARE * most);
  const fine: number[] = [];
  const medium: number[] = [];
  for (const tile of inside) {
    const wide = quarter[tile] - noise / NOISE_LOSS ** 2;
    if (wide < least) continue;
    const middle = Math.max(0, half[tile] - noise / NOISE_LOSS);
    medium.push(ratio(middle, wide));
    fine.push(ratio(whole[tile] - noise, middle));
  }
  return {
    fine: fine.length === 0 ? 0 : quantileOf(fine, SHARPEST),
    medium: medium.length === 0 ? 0 : quantileOf(medium, SHARPEST),
    detail: inside.reduce((sum, tile) => sum + tiles.fine[tile], 0) / inside.length,
  };
}

function ratio(finer: number, coarser: number): number {
  return coarser <= 0 ? 0 : Math.min(MAX_RATIO, Math.max(0, finer) / coarser / HARD_EDGE);
}

/** Numbers of the tiles that are completely inside. */
function tilesWithin({ columns, rows }: TileStructure, box: PixelBox): number[] {
  const tiles: number[] = [];
  for (let row = Math.ceil(box.top / TILE); (row + 1) * TILE <= box.top + box.height && row < rows; row++) {
    for (let column = Math.ceil(box.left / TILE); column < columns; column++) {
      if ((column + 1) * TILE > box.left + box.width) break;
      tiles.push(row * columns + column);
    }
  }
  return tiles;
}

function quantileOf(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
