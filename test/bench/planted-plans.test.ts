import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goodShare, keptShare, type Planned, repeats } from '../../bench/edit-material/plans.ts';
import type { PlantedTake } from '../../bench/edit-material/plant.ts';
import type { PlannedSlot } from '../../src/style/edit/edit-plan.ts';

/** Slots of one second from [take, start in it]. */
function planned(...shots: readonly (readonly [number, number])[]): Planned {
  const slots = shots.map(([take, sourceStartSeconds]) => ({
    ...{ take, sourceStartSeconds, sourceEndSeconds: sourceStartSeconds + 1 },
  }));
  return { slots: slots as unknown as PlannedSlot[], seconds: shots.length };
}

test('the share of an output that comes from good spans', () => {
  const spans = [
    { startSeconds: 0, endSeconds: 3, fault: 'dark' as const },
    { startSeconds: 3, endSeconds: 5, fault: null },
  ];
  const takes: PlantedTake[] = [{ path: '', clip: '', spans }];
  for (const [start, expected] of [
    [3, 1],
    [2.5, 0.5],
    [0, 0],
  ] as const)
    assert.equal(goodShare(planned([0, start], [0, 4]), takes), (expected + 1) / 2);
});

test('choices are kept within .3 s, in whichever slot', () => {
  const plan = planned([0, 2], [1, 5]);
  assert.equal(keptShare(plan, planned([1, 5.3], [0, 1.8])), 1);
  assert.equal(keptShare(plan, planned([1, 5.4], [0, 2])), 0.5);
  assert.equal(keptShare(plan, planned([2, 2], [3, 5])), 0);
});

test('a take and its twin repeat a moment', () => {
  // Takes 0 and 1; 2 and 3 are their twins.
  assert.equal(repeats(planned([0, 2], [2, 2.5], [3, 2]), 2), 1);
  assert.equal(repeats(planned([0, 2], [2, 2.95], [1, 2]), 2), 0);
  assert.equal(repeats(planned([0, 2], [0, 2.5], [2, 2.2]), 2), 3);
});
