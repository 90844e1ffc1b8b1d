import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastResult } from '../../src/domain/last-result.ts';

test('of equal inputs a result is computed once, and only the last is kept', () => {
  const last = new LastResult<number>();
  let computed = 0;
  const facts = {};
  const of = (...inputs: readonly unknown[]) => last.of(inputs, () => ++computed);
  assert.equal(of(facts, 'text'), 1);
  assert.equal(of(facts, 'text'), 1);
  assert.equal(of(facts, 'another'), 2);
  assert.equal(of({}, 'another'), 3, 'objects are compared by identity');
  assert.equal(of({}, 'another', null), 4);
  assert.equal(of(facts, 'text'), 5);
});

test('a failure is not a result', () => {
  const last = new LastResult<number>();
  assert.throws(() =>
    last.of([], () => {
      throw new Error('no');
    }),
  );
  assert.equal(
    last.of([], () => 1),
    1,
  );
});
