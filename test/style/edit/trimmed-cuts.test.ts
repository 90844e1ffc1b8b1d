/** No shot lasts longer than it holds, where nobody names a length. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditRequest } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { madeRequest, madeSong, madeTemplate, makeTakes } from './made-material.ts';

/** Shots of 4 s at 120 beats a minute. */
const CALM = madeTemplate([8, 8, 8, 8, 8]);
const FRAME = 1 / 30;

/** Takes with these values of their curves throughout. */
function takesWith(values: Readonly<Record<string, number>>): EditRequest['takes'] {
  return makeTakes(5, 12).map((take) => {
    const { curves } = take.material;
    const same = Object.entries(values).map(([name, value]) => [name, curves.motion.map(() => value)]);
    return { ...take, material: { ...take.material, curves: { ...curves, ...Object.fromEntries(same) } } };
  });
}

function lengthsOf(values: Readonly<Record<string, number>>, more: Partial<EditRequest> = {}): number[] {
  const music = { song: madeSong(120, 400), startSeconds: null, templateStartSeconds: null };
  const request = madeRequest({ takes: takesWith(values), template: CALM, order: 'story', music, ...more });
  return planEdit(request).slots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
}

describe('after a template of 4 s a shot, a shot lasts', () => {
  // [what the takes show, longest shot at most, at least].
  const rows: readonly (readonly [string, Record<string, number>, number, number])[] = [
    ['a still picture', { motion: 0, activity: 0 }, 2.5, 1.2],
    ['a slow pan over a surface', { motion: 0.05, activity: 0 }, 3, 1.2],
    ['leaves in the wind', { motion: 0, activity: 0.005 }, 3, 1.2],
    ['a lively scene', { motion: 0.02, activity: 0.1 }, 4.5, 3.5],
    ['a face', { motion: 0, activity: 0, faceHeight: 0.6 }, 4.5, 3.5],
  ];
  for (const [name, values, most, least] of rows)
    test(`${name}: ${least} to ${most} s`, () => {
      const longest = Math.max(...lengthsOf(values));
      assert.ok(longest <= most + FRAME && longest >= least, `${longest} s`);
    });

  test('as long as a named length needs', () => {
    const lengths = lengthsOf({ motion: 0, activity: 0 }, { duration: { kind: 'seconds', seconds: 20 } });
    const total = lengths.reduce((sum, length) => sum + length, 0);
    assert.ok(Math.abs(total - 20) <= 1, `${total} s`);
  });
});

test('an edit of walls keeps 8 s', () => {
  const lengths = lengthsOf({ motion: 0.05, activity: 0, worth: 0.2 });
  const total = lengths.reduce((sum, length) => sum + length, 0);
  assert.ok(total >= 8 - FRAME, `${lengths}`);
});
