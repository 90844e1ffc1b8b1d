import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { placeAt, polylineAt, segmentAt, smoothstep } from '../../src/signal/interpolation.ts';

describe('interpolation', () => {
  const knots = [
    [10, 1],
    [20, 3],
    [40, -1],
  ] as const;

  for (const [at, value] of [
    [-5, 1],
    [10, 1],
    [12.5, 1.5],
    [20, 3],
    [30, 1],
    [40, -1],
    [41, -1],
  ] as const) {
    it(`draws a polyline, held beyond its ends: ${at} → ${value}`, () => {
      assert.equal(polylineAt(knots, at), value);
    });
  }

  it('returns a single knot everywhere', () => {
    for (const at of [-1, 0, 1]) assert.equal(polylineAt([[0, 7]], at), 7);
  });

  it('names the neighbours of a place, and the first at a knot itself as their end', () => {
    const placeOf = ([place]: readonly [number, number]) => place;
    assert.deepEqual(segmentAt(knots, placeOf, 25), { left: knots[1], right: knots[2], share: 0.25 });
    assert.deepEqual(segmentAt(knots, placeOf, 20), { left: knots[0], right: knots[1], share: 1 });
  });

  it('steps smoothly in both directions', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((value) => smoothstep(2, 4, value)),
      [0, 0, 0.5, 1, 1],
    );
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((value) => smoothstep(4, 2, value)),
      [1, 1, 0.5, 0, 0],
    );
  });

  it('a path through points is straight between them, and constant beyond its ends', () => {
    const path = [
      { timeSeconds: 1, x: 0, y: 0 },
      { timeSeconds: 2, x: 0.4, y: -0.2 },
    ];
    for (const [seconds, x, y] of [
      [0, 0, 0],
      [1.5, 0.2, -0.1],
      [3, 0.4, -0.2],
    ] as const)
      assert.deepEqual(placeAt(path, seconds), { x, y });
  });
});
