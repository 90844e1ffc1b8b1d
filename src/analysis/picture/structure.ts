import type { PixelBox } from '../bars/picture-area.ts';
import { TILE, type TileStructure } from './picture-kernel.ts';

/**
 * Only the sharpest tenth of the tiles with structure is evaluated: a blurred background does not make the picture
 * blurred.
 */
const SHARPEST = 0.9;
/** The noise of the tenth of the tiles with the least structure bounds the picture's. */
const QUIET = 0.1;
/** The Laplacian of white noise has 20 times its variance; a picture of half the size has a quarter of it. */
const LAPLACIAN_NOISE = 20;
const NOISE_LOSS = 4;
/** Laplacian (four times a pixel less its neighbors) beyond which a pixel counts as detail, grey levels. */
const DETAIL_LEVELS = 24;
/** The same for noise of one level: three standard deviations of its Laplacian. */
const DETAIL_PER_NOISE = 3 * Math.sqrt(LAPLACIAN_NOISE);
/** Energies of single tiles of noise exceed their mean by a third. */
const NOISE_SPREAD = 1.5;
/** A tile's range and its steepest slope by noise alone, in standard deviations of it at half size, where it is twice that at quarter size. */
const NOISE_RANGE = 8;
const NOISE_SLOPE = 3;
/** Least range of a tile with an edge, grey levels, and share of the greatest range. */
const MIN_RANGE = 16;
const MIN_RANGE_SHARE = 0.25;
const GREATEST = 0.98;
/** Laplacian energy at eighth size below which a tile has no structure, squared grey levels, and share of the strongest tile's. */
const MIN_STRUCTURE = 16;
const MIN_STRUCTURE_SHARE = 0.05;
/** Fine texture has more energy at the finer scale; edges have half. */
const MAX_RATIO = 2;

export interface PictureStructure {
  /**
   * Mean of the slope of edges and of the decrease of structure towards fine scales, both measured at an eighth to a half of the detailed
   * picture's size. 0: no structure; independent of contrast.
   */
  readonly sharpness: number;
  /** Standard deviation of the noise at quarter size, grey levels. */
  readonly noise: number;
  /** Share of pixels with fine structure. */
  readonly detail: number;
}

/**
 * Sharpness as a share of the picture's width: at the detailed picture's own scale small files have nothing but their codec's noise.
 * `mostNoise`: an upper bound of the noise's standard deviation at quarter size.
 */
export function structureOf(tiles: TileStructure, box: PixelBox, mostNoise: number): PictureStructure {
  const inside = tilesWithin(tiles, box);
  if (inside.length === 0) return { sharpness: 0, noise: 0, detail: 0 };
  const quiet = quantileOf(
    inside.map((tile) => tiles.quarter[tile]),
    QUIET,
  );
  const noise = Math.min(mostNoise, Math.sqrt(quiet / LAPLACIAN_NOISE));
  const detail = tiles.detailBeyond(Math.max(DETAIL_LEVELS, DETAIL_PER_NOISE * noise));
  return {
    sharpness: Math.sqrt(edgeSlope(tiles, inside, noise) * fineShare(tiles, inside, noise)),
    noise,
    detail: inside.reduce((sum, tile) => sum + detail[tile], 0) / inside.length,
  };
}

/** Steepest slope per range, in 1 per pixel: .5 for hard edges, .2 for those of pictures with a blur of 2 % of the width. */
function edgeSlope({ ranges, slopes }: TileStructure, inside: readonly number[], noise: number): number {
  const known = inside.map((tile) => ranges[tile] - NOISE_RANGE * noise);
  const least = Math.max(MIN_RANGE, MIN_RANGE_SHARE * quantileOf(known, GREATEST));
  const found = inside.flatMap((tile, at) =>
    known[at] < least ? [] : [Math.max(0, slopes[tile] - NOISE_SLOPE * noise) / known[at]],
  );
  return found.length === 0 ? 0 : quantileOf(found, SHARPEST);
}

/** Laplacian energy at quarter size over that at eighth size. */
function fineShare({ quarter, eighth }: TileStructure, inside: readonly number[], noise: number): number {
  const noiseEnergy = LAPLACIAN_NOISE * noise ** 2;
  const coarse = inside.map((tile) => eighth[tile] - noiseEnergy / NOISE_LOSS);
  const least = Math.max(MIN_STRUCTURE, MIN_STRUCTURE_SHARE * Math.max(...coarse));
  const found = inside.flatMap((tile, at) => {
    if (coarse[at] < least) return [];
    return [Math.max(0, quarter[tile] - NOISE_SPREAD * noiseEnergy) / coarse[at]];
  });
  return found.length === 0 ? 0 : Math.min(MAX_RATIO, quantileOf(found, SHARPEST));
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
