/** Sums over the parts of a picture and along its sides, against their formulas: the same numbers to the last bit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contrastSides, type Sides, sharesOf, sidesOf } from '../../src/analysis/subjects/profile.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const PARTS = 24;
const random = seededRandom(11);
const factors = Float64Array.from({ length: PARTS * PARTS }, () => 40 * random());

const noSides = (): Sides => ({ across: new Float64Array(PARTS), down: new Float64Array(PARTS) });
const addTo = ({ across, down }: Sides, column: number, row: number, value: number) => {
  across[column] += value;
  down[row] += value;
};
/** Along the sides: of 24 rows of as many parts, each times `scale`. */
const plainSides = (parts: Float64Array, scale: number) => {
  const sides = noSides();
  for (const [at, part] of parts.entries()) addTo(sides, at % PARTS, Math.floor(at / PARTS), scale * part);
  return sides;
};

describe('profiles of pictures', () => {
  test('parts are added up along both sides', () => {
    assert.deepEqual(sidesOf(factors), plainSides(factors, 1));
  });

  for (const [width, height] of [
    [256, 144],
    [144, 256],
    [37, 61],
    [24, 24],
    [5, 3],
  ] as const) {
    const values = Float32Array.from({ length: width * height }, () => random());

    test(`shares of ${width}×${height}, each part times its factor`, () => {
      const observed = new Float64Array(PARTS * PARTS);
      for (const [at, value] of values.entries()) {
        const [x, y] = [at % width, Math.floor(at / width)];
        observed[PARTS * Math.floor((PARTS * y) / height) + Math.floor((PARTS * x) / width)] += value;
      }
      const counted = observed.map((value, part) => value * factors[part]);
      const all = counted.reduce((sum, value) => sum + value, 0);
      const size = { width, height };
      assert.deepEqual(sharesOf(values, size, factors, 0.2), plainSides(counted, 1 / all));
      const mean = values.reduce((sum, value) => sum + value, 0) / (width * height);
      assert.notDeepEqual(sharesOf(values, size, factors, mean * 0.999), noSides());
      assert.deepEqual(sharesOf(values, size, factors, mean * 1.001), noSides(), 'the mean is too small');
      assert.deepEqual(sharesOf(values, size, new Float64Array(PARTS * PARTS), 0), noSides(), 'no factors');
    });

    test(`contrast of ${width}×${height} cells in a box`, () => {
      const distance = values.map((value) => 60 * value);
      const picture = { width: 3 * width, height: 2 * height };
      for (const box of [
        { left: 0, top: 0, ...picture },
        { left: 1, top: 2, width: 2 * width, height: 2 * height - 3 },
      ]) {
        const expected = noSides();
        for (const [at, value] of distance.entries()) {
          const x = box.left + (((at % width) + 0.5) / width) * box.width;
          const y = box.top + ((Math.floor(at / width) + 0.5) / height) * box.height;
          const part = (share: number) => Math.min(PARTS - 1, Math.floor(PARTS * share));
          // Half as much as can be at 16 units.
          addTo(
            expected,
            part(x / picture.width),
            part(y / picture.height),
            value ** 2 / (value ** 2 + 16 ** 2),
          );
        }
        assert.deepEqual(contrastSides({ distance, width, height }, box, picture), expected);
      }
    });
  }
});
