/** Casts of templates that are their content: a sky, water, a drawing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { castOnGrey, fadedBy, keepingCool, whiteScaleOf } from '../../src/style/look/content-casts.ts';

const SKY = [-5, -40] as const;
const WATER = [-35, 15] as const;
const ROOM = { whiteGround: 0, whiteScale: 1, caution: 1 };
const PAGE = { ...ROOM, whiteGround: 1 };
const size = (cast: readonly [number, number]) => Math.hypot(...cast);

test('paper, white walls, asphalt and black clothes take a slight tint of a sky and of green water', () => {
  for (const [cast, limits] of [
    [SKY, [3.4, 4.3, 4.1, 3.1, 2.3, 1.9]],
    [WATER, [2, 2.5, 2.4, 1.8, 1.3, 1.1]],
  ] as const)
    for (const [at, lightness] of [0, 20, 45, 60, 80, 95].entries()) {
      const taken = size(castOnGrey(cast, lightness, ROOM));
      assert.ok(taken > limits[at]! - 0.3 && taken < limits[at]! + 0.1, `${cast} at ${lightness}: ${taken}`);
    }
});

test('white goods, walls and snow stay neutral, in the shade too: the largest cast by lightness, along the line of daylight too', () => {
  for (const cast of [SKY, WATER, [15, 35], [-8, -30], [30, 0]] as const)
    for (const [lightness, most] of [
      [60, 3.6],
      [65, 3.4],
      [70, 3.1],
      [75, 2.8],
      [82, 2.6],
      [90, 2.3],
    ] as const) {
      const taken = castOnGrey(cast, lightness, ROOM);
      assert.ok(size(taken) <= most, `${cast} at ${lightness}: ${taken}`);
    }
});

test('the white of a page takes no visible cast', () => {
  for (const cast of [SKY, WATER, [15, 35], [30, 0]] as const)
    for (const lightness of [92, 97]) assert.ok(size(castOnGrey(cast, lightness, PAGE)) < 0.8, `${cast}`);
});

test('a page in dim light takes as little of a cast as a white one; asphalt, a lit page and a colored wall are no such page', () => {
  const scaleOf = (page: readonly number[], share: number) =>
    whiteScaleOf(
      Float64Array.from(
        Array.from({ length: 100 }, (_, at) => (at < 100 * (1 - share) ? [20, 8, 14] : page)).flat(),
      ),
    );
  for (const [page, share, wanted] of [
    [[64, 1, 6], 0.5, 85 / 64],
    [[64, 1, 6], 0.2, 1],
    [[50, 0, 2], 0.5, 1],
    [[90, 0, 2], 0.5, 1],
    [[64, 8, 20], 0.5, 1],
  ] as const)
    assert.equal(scaleOf(page, share), wanted, `${page}, ${share}`);
  const [dim, lit] = [64, 85].map((lightness) =>
    size(castOnGrey(SKY, lightness, { ...ROOM, whiteScale: 85 / lightness })),
  );
  assert.ok(dim! < 3.5 && Math.abs(dim! - lit!) < 1e-9, `${dim}, ${lit}`);
});

test('weak casts arrive, and all of a cast where nothing is protected', () => {
  assert.ok(size(castOnGrey([0.5, -1], 45, ROOM)) > 0.95 * size([0.5, -1]));
  assert.deepEqual(castOnGrey(SKY, 80, { ...ROOM, caution: 0 }), SKY);
});

test('evening light may tint white more than green water does', () => {
  assert.ok(size(castOnGrey([15, 35], 80, ROOM)) > 1.3 * size(castOnGrey(WATER, 80, ROOM)));
});

test('brown wood under a sky loses chroma and keeps its hue; blue cloth keeps both', () => {
  const [a, b] = fadedBy(SKY, [10, 20], 22, 1);
  assert.ok(Math.hypot(a, b) < 0.5 * Math.hypot(10, 20), `${a}, ${b}`);
  assert.ok(a > 0 && Math.abs(a * 20 - b * 10) < 1e-9);
  assert.deepEqual(fadedBy(SKY, [-2, -20], 20, 1), [-2, -20]);
});

test('a protected red keeps its chroma', () => {
  assert.deepEqual(fadedBy(WATER, [60, 35], 70, 1), [60, 35]);
});

test('the loss folds no colors: the map of (a, b) keeps its orientation', () => {
  const step = 0.01;
  for (const guard of [0, 1]) {
    const at = (a: number, b: number) => fadedBy(SKY, [a, b], Math.hypot(a, b), guard);
    for (let a = -60; a <= 60; a += 3) {
      for (let b = -60; b <= 60; b += 3) {
        const [here, right, up] = [at(a, b), at(a + step, b), at(a, b + step)];
        const determinant =
          (right[0] - here[0]) * (up[1] - here[1]) - (right[1] - here[1]) * (up[0] - here[0]);
        assert.ok(determinant > 0, `folds at ${a}, ${b}, guard ${guard}`);
      }
    }
  }
});

test('cool colors keep .6 of their chroma under a warm cast, warm ones and greys do not', () => {
  const left = (own: readonly [number, number], cast: readonly [number, number], guard = 1) => {
    const [a, b] = keepingCool(own, [own[0] + cast[0], own[1] + cast[1]], guard);
    return (a * own[0] + b * own[1]) / Math.hypot(...own) ** 2;
  };
  const [warm, warmer] = [
    [8, 14],
    [24, 42],
  ] as const;
  for (const own of [
    [-10, -14],
    [-5, -22],
    [-18, -8],
  ] as const) {
    assert.ok(left(own, warm) > 0.6 && left(own, warm) < 0.85, `${own}: ${left(own, warm)}`);
    assert.ok(left(own, warmer) > 0.6 && left(own, warmer) < 0.64, `${own}: ${left(own, warmer)}`);
    assert.ok(left(own, warm, 0) < left(own, warm), 'not where nothing is guarded');
  }
  for (const own of [
    [-1, -3],
    [12, -10],
    [-18, 16],
  ] as const)
    assert.deepEqual(keepingCool(own, [own[0] + 8, own[1] + 14], 1), [own[0] + 8, own[1] + 14], `${own}`);
  assert.deepEqual(keepingCool([-10, -12], [-12, -16], 1), [-12, -16], 'a cool cast adds to it');
});
