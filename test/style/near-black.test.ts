import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleShare } from '../../src/style/look/near-black.ts';

test('the share of a picture that is lighter than near black', () => {
  const percentiles = (from: number, to: number) =>
    Array.from({ length: 21 }, (_, at) => from + ((to - from) * at) / 20);
  assert.equal(visibleShare(percentiles(8, 90)), 1);
  assert.equal(visibleShare(percentiles(0, 6)), 0);
  assert.ok(Math.abs(visibleShare(percentiles(0, 16)) - 0.5) < 1e-9);
  // A black opening with a title: 18 of 20 parts are black.
  assert.ok(visibleShare(percentiles(0, 6).map((value, at) => (at > 18 ? 95 : value))) < 0.1);
});
