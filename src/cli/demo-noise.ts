import { seededRandom } from '../signal/seeded-random.ts';

/** Side of the tile, a power of two; it repeats without a seam. */
export const TILE = 512;

/** Five octaves of value noise, 0..1: clouds, haze, the grain of a hillside. */
export function noiseTile(seed: number): Float32Array {
  const tile = new Float32Array(TILE * TILE);
  let total = 0;
  for (let octave = 0; octave < 5; octave++) {
    const cells = 4 << octave;
    const weight = 0.5 ** octave;
    total += weight;
    addOctave(tile, cells, weight, seededRandom(seed + octave));
  }
  for (let at = 0; at < tile.length; at++) tile[at] /= total;
  return tile;
}

/** Random values at the corners of a grid, and smooth steps between. */
function addOctave(tile: Float32Array, cells: number, weight: number, random: () => number): void {
  const corners = Float32Array.from({ length: cells * cells }, random);
  const size = TILE / cells;
  for (let y = 0; y < TILE; y++) {
    const row = Math.floor(y / size);
    const down = smooth(y / size - row);
    const [above, below] = [row * cells, ((row + 1) % cells) * cells];
    for (let x = 0; x < TILE; x++) {
      const column = Math.floor(x / size);
      const next = (column + 1) % cells;
      const along = smooth(x / size - column);
      const top = corners[above + column] + (corners[above + next] - corners[above + column]) * along;
      const bottom = corners[below + column] + (corners[below + next] - corners[below + column]) * along;
      tile[y * TILE + x] += weight * (top + (bottom - top) * down);
    }
  }
}

function smooth(share: number): number {
  return share * share * (3 - 2 * share);
}
