/** How far colors are from those of a picture's edges, against the formula. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { distanceFromEdges } from '../../src/analysis/subjects/edge-distance.ts';
import { bytesToLab } from '../../src/signal/color-space.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const LIGHTNESS_WEIGHT = 0.6;
const TOUCHING_SHARE = 0.1;

describe('distances of colors from the edges', () => {
  for (const [width, height] of [
    [48, 27],
    [27, 48],
    [144, 9],
    [5, 4],
    [1, 1],
    [2, 30],
  ] as const) {
    const random = seededRandom(width);
    for (const [what, level] of [
      ['noise', () => 256 * random()],
      ['greys', (at: number) => 20 * Math.floor(at / 36)],
      ['black and white', () => (random() < 0.5 ? 0 : 255)],
    ] as const) {
      test(`${what}, ${width}×${height}`, () => {
        const data = Uint8Array.from({ length: 3 * width * height }, (_, at) => level(at));
        const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
        const lab = new Float64Array(3);
        const colors = Array.from({ length: across * down }, (_, cell) => {
          const columns = [0, 1].map((k) => Math.min(width - 1, 2 * (cell % across) + k));
          const rows = [0, 1].map((k) => Math.min(height - 1, 2 * Math.floor(cell / across) + k));
          const mean = (channel: number) => {
            const levels = rows.flatMap((y) => columns.map((x) => data[3 * (y * width + x) + channel]));
            return levels.reduce((sum, one) => sum + one, 0) >> 2;
          };
          bytesToLab(mean(0), mean(1), mean(2), lab);
          return [LIGHTNESS_WEIGHT * lab[0], lab[1], lab[2]].map(Math.fround);
        });
        const edge = colors.filter((_, cell) => {
          const x = cell % across;
          return cell < across || x === 0 || x === across - 1;
        });
        // A picture of one column has it for both of its sides.
        if (across === 1) edge.push(...colors.slice(1));
        const rank = Math.floor(TOUCHING_SHARE * edge.length);
        const expected = colors.map((one) => {
          const squares = edge.map((other) =>
            one.reduce((sum, value, at) => sum + (value - other[at]) ** 2, 0),
          );
          const near = squares.sort((a, b) => a - b)[rank];
          return Math.fround(Math.sqrt(Math.fround(near)));
        });
        const found = distanceFromEdges({ width, height, channels: 3, data });
        assert.deepEqual([found.width, found.height], [across, down]);
        assert.deepEqual([...found.distance], expected);
      });
    }
  }
});
