/** The generator's transitions: intermediate pictures with known pixels. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as draw from '../../bench/generate/edit-drawing.ts';
import type { RgbPicture } from '../../bench/generate/footage.ts';

const WIDTH = 8;
const SIZE = { width: WIDTH, height: 4, data: new Uint8Array() };
const fresh = draw.plainColor(SIZE, 200);
/** Levels 0, 10, 20 … from the left. */
const old: RgbPicture = {
  ...SIZE,
  data: Uint8Array.from({ length: WIDTH * 4 * 3 }, (_, i) => 10 * (Math.floor(i / 3) % WIDTH)),
};
const firstRow = ({ data }: RgbPicture) => Array.from({ length: WIDTH }, (_, x) => data[3 * x]);

const cases: [string, draw.Drawing, number, number[]][] = [
  ['a dissolve', draw.dissolve, 0.5, [100, 105, 110, 115, 120, 125, 130, 135]],
  ['a fade through black', draw.fadeThrough(0, 0), 0.75, Array(WIDTH).fill(100)],
  ['a fade that rests in white', draw.fadeThrough(255, 0.4), 0.6, Array(WIDTH).fill(255)],
  ['a wipe to the right', draw.wipe('right', 0), 0.5, [200, 200, 200, 200, 40, 50, 60, 70]],
  ['a wipe to the left', draw.wipe('left', 0), 0.25, [0, 10, 20, 30, 40, 50, 200, 200]],
  [
    'a wipe from the upper left corner',
    draw.cornerWipe(true, true, 0),
    0.25,
    [200, 200, 200, 30, 40, 50, 60, 70],
  ],
  [
    'a wipe from the lower right corner',
    draw.cornerWipe(false, false, 0),
    0.75,
    [0, 10, 20, 200, 200, 200, 200, 200],
  ],
  ['a push to the left', draw.slide('left', 'push'), 0.25, [20, 30, 40, 50, 60, 70, 200, 200]],
  ['a cover from the left', draw.slide('right', 'cover'), 0.25, [200, 200, 20, 30, 40, 50, 60, 70]],
  ['a slide down that reveals', draw.slide('down', 'reveal'), 0.25, Array(WIDTH).fill(200)],
  ['a circle that has hardly opened', draw.circle(true, 0), 0.1, [0, 10, 20, 30, 40, 50, 60, 70]],
  ['a zoom at its start', draw.zoom('mix', 4), 0, [0, 10, 20, 30, 40, 50, 60, 70]],
  ['a zoom at its end', draw.zoom('dive', 4), 1, Array(WIDTH).fill(200)],
];

for (const [name, drawing, share, levels] of cases) {
  it(`draws ${name}`, () => assert.deepEqual(firstRow(drawing(old, fresh, share)), levels));
}

it('magnifies around the requested point', () => {
  const shown = draw.viewed(old, { width: 4, height: 2 }, { x: 0.5, y: 0.5, scale: 2 });
  assert.deepEqual(
    Array.from({ length: 4 }, (_, x) => shown.data[3 * x]),
    [28, 33, 38, 43],
  );
});
