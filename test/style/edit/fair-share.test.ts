import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeTake, madeTemplate } from './made-material.ts';

const TEMPLATE = madeTemplate(Array.from({ length: 12 }, () => 4));
const take = (number: number, seconds: number): EditTake =>
  madeTake({ content: contentOf(number), seconds, seed: number });

/** Seconds of a take in the edit. */
function sharesOf(takes: readonly EditTake[]): number[] {
  const { slots } = planEdit(madeRequest({ takes, template: TEMPLATE, music: null }));
  return takes.map((_, at) =>
    slots.reduce((sum, slot) => sum + (slot.take === at ? slot.endSeconds - slot.startSeconds : 0), 0),
  );
}

test('takes share the edit’s time, however long they are, unless one has less', () => {
  // [seconds of each take, seconds in an edit of 24 s in slots of 2 s]
  for (const [seconds, expected] of [
    [
      [30, 100, 30],
      [8, 8, 8],
    ],
    [
      [30, 30, 5],
      [10, 10, 4],
    ],
  ] as const)
    assert.deepEqual(sharesOf(seconds.map((length, at) => take(at + 1, length))), expected);
});
