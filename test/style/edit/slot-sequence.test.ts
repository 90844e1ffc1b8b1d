import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { materialCaps } from '../../../src/style/edit/slot-sequence.ts';

const caps = (lengths: readonly number[], runs: readonly number[]) =>
  materialCaps(
    lengths,
    runs.map((endSeconds) => ({ startSeconds: 0, endSeconds })),
  );

describe('caps of slots by material', () => {
  test('the longest slot chooses first, and takes the shortest run that holds it', () => {
    assert.deepEqual(caps([2, 3], [10, 3]), [10, 10]);
    assert.deepEqual(caps([4, 4], [5, 5]), [5, 5]);
  });
  test('a slot that no run holds does not cost another its run', () => {
    assert.deepEqual(caps([4, 3, 2.5], [3, 2.5, 2, 2]), [3, 3, 2.5]);
  });
  test('the rest of a run is used again', () => assert.deepEqual(caps([4, 3], [7.5]), [7.5, 3.5]));
  test('no material', () => assert.deepEqual(caps([1], []), [0]));
});
