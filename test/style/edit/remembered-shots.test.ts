/** What a viewer remembers of an edit: its first and last shot, subjects that leave, dark takes, cuts within one view. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { MaterialCurves } from '../../../src/analysis/material/take-material.ts';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { madeRequest, madeSlot, madeSong, makeTakes } from './made-material.ts';

type Values = (seconds: number) => Partial<Record<keyof MaterialCurves, number>>;

/** The take with other curves. */
function withCurves(take: EditTake, values: Values): EditTake {
  const { material } = take;
  const { stepSeconds } = material;
  const changed = Object.entries({ ...material.curves, worth: material.curves.contrast }).map(
    ([name, curve]) => [
      name,
      curve.map((value, at) => values(at * stepSeconds)[name as keyof MaterialCurves] ?? value),
    ],
  );
  return { ...take, material: { ...material, curves: Object.fromEntries(changed) } };
}

/** Calm, alike and in one light: only what a test names differs. */
const PLAIN = { motion: 0.05, activity: 0.02, contrast: 0.2, detail: 0.2, lightness: 50, worth: 0.6 };

const template = (...seconds: number[]) => ({
  ...{ onBeatShare: 1, tempoBpm: 120, cutsPerBarByEnergy: null },
  slots: seconds.map((one) => madeSlot(one, { lightnessRank: null })),
});

describe('the first and the last shot', () => {
  test('are not dark, in any order', () => {
    const LIGHTS = [30, 70, 35, 65, 40, 75];
    const takes = makeTakes(6, 12).map((take, at) =>
      withCurves(take, () => ({ ...PLAIN, lightness: LIGHTS[at]! })),
    );
    const { slots } = planEdit(madeRequest({ order: 'free', takes, template: template(2, 2, 2, 2, 2, 2) }));
    assert.equal(new Set(slots.map(({ take }) => take)).size, 6);
    for (const { take } of [slots[0]!, slots.at(-1)!])
      assert.ok(LIGHTS[take]! >= 65, `light ${LIGHTS[take]}`);
  });

  test('show most of all where it is light, whatever is lighter', () => {
    const SHOWN = [0.35, 0.8, 0.35, 0.75, 0.35, 0.35];
    const takes = makeTakes(6, 12).map((take, at) =>
      withCurves(take, () => ({ ...PLAIN, lightness: SHOWN[at]! > 0.5 ? 50 : 80, worth: SHOWN[at]! })),
    );
    const { slots } = planEdit(madeRequest({ order: 'free', takes, template: template(2, 2, 2, 2, 2, 2) }));
    for (const { take } of [slots[0]!, slots.at(-1)!]) assert.ok(SHOWN[take]! > 0.5, `worth ${SHOWN[take]}`);
  });

  // On the mean: a part of the span may be dark.
  test('are not in the dark part of their takes, in a story', () => {
    const takes = makeTakes(3, 12).map((take) =>
      withCurves(take, (seconds) => ({ ...PLAIN, lightness: seconds >= 4 && seconds < 8 ? 70 : 35 })),
    );
    const { slots } = planEdit(madeRequest({ order: 'story', takes, template: template(2, 2, 2) }));
    for (const { sourceStartSeconds, sourceEndSeconds } of [slots[0]!, slots.at(-1)!]) {
      const middle = (sourceStartSeconds + sourceEndSeconds) / 2;
      assert.ok(middle >= 3.5 && middle <= 8.5, `about ${middle} s`);
    }
  });
});

describe('a subject that leaves', () => {
  // [worth after it has left, of .7 before]: a face and a moving subject, a figure; a change of texture.
  for (const [after, isAvoided] of [
    [0.4, true],
    [0.5, true],
    [0.65, false],
  ] as const)
    test(`worth .7, then ${after}: its end is ${isAvoided ? 'not shown' : 'shown where it fits'}`, () => {
      const takes = makeTakes(6, 6).map((take) =>
        // What is most like the template's shots lies where it leaves.
        withCurves(take, (seconds) => ({
          ...PLAIN,
          motion: Math.abs(seconds - 3.9) < 1 ? 0.05 : 0.08,
          worth: seconds < 4 ? 0.7 : after,
        })),
      );
      const shots = Array.from({ length: 6 }, () => madeSlot(2, { motion: 0.05 }));
      const { slots } = planEdit(
        madeRequest({ order: 'story', takes, template: { ...template(), slots: shots } }),
      );
      const left = slots.filter(
        ({ sourceStartSeconds, sourceEndSeconds }) => sourceStartSeconds < 3.5 && sourceEndSeconds > 4.3,
      );
      assert.equal(left.length === 0, isAvoided, `${left.length} of ${slots.length}`);
    });
});

describe('a dark take with little to see', () => {
  const dark = { ...PLAIN, lightness: 12, worth: 0.3 };
  const usedOf = (others: number, seconds: number) => {
    const takes = makeTakes(others + 1, 6).map((take, at) =>
      withCurves(take, () => (at === 0 ? dark : PLAIN)),
    );
    const { slots } = planEdit(madeRequest({ takes, template: template(...Array(seconds / 2).fill(2)) }));
    return slots.filter(({ take }) => take === 0).length;
  };
  test('is left out while the others suffice', () => assert.equal(usedOf(6, 14), 0));
  test('is shown where they do not', () => assert.ok(usedOf(2, 14) > 0));
});

test('one view of a take is one shot, also where it holds nobody for long', () => {
  const takes = makeTakes(5, 8).map((take) => {
    const { material, ...more } = withCurves(take, () => ({ ...PLAIN, motion: 0.002, worth: 0.3 }));
    const [view] = material.views;
    return { ...more, material: { ...material, views: material.views.map(() => view!) } };
  });
  const music = { song: madeSong(120, 100), startSeconds: null, templateStartSeconds: null };
  const duration = { kind: 'seconds', seconds: 14 } as const;
  const { slots } = planEdit(
    madeRequest({
      order: 'story',
      music,
      takes,
      duration,
      template: template(1.5, 1.5, 1, 1.5, 1, 1.5, 1.5),
    }),
  );
  const jumps = slots.filter(({ isJumpCut }) => isJumpCut).length;
  assert.ok(jumps <= 1, `${jumps} of ${slots.length} cuts`);
  assert.ok(slots.at(-1)!.endSeconds > 13);
});
