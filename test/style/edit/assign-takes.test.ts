import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Span } from '../../../src/analysis/facts.ts';
import { assign } from '../../../src/style/edit/assign-takes.ts';
import { Assignment, type AssignmentRules } from '../../../src/style/edit/assignment.ts';
import { UsableRanks } from '../../../src/style/edit/curve-means.ts';
import { planCuts } from '../../../src/style/edit/cut-times.ts';
import { outputSlots } from '../../../src/style/edit/output-slots.ts';
import { prepareTakes } from '../../../src/style/edit/prepared-takes.ts';
import {
  type Candidate,
  type CandidateOptions,
  candidatesOf,
} from '../../../src/style/edit/slot-candidates.ts';
import { SpanLooks } from '../../../src/style/edit/span-looks.ts';
import { StoryPlaces } from '../../../src/style/edit/story-order.ts';
import { madeRequest, madeTemplate, makeTakes } from './made-material.ts';

/** Small enough to try every assignment. */
function smallCase(seed: number, isStory: boolean) {
  const request = madeRequest({
    takes: makeTakes(4, 5, seed * 10),
    template: madeTemplate([4, 2, 3, 1], seed),
  });
  const takes = prepareTakes(request.takes);
  const runs = takes.flatMap((take) => take.runs);
  const slots = outputSlots(request, planCuts({ ...request, seconds: 5, runs }));
  const options: CandidateOptions = {
    looks: new SpanLooks(new UsableRanks(takes, 1.25)),
    playsTakes: false,
    frameSeconds: 1 / 30,
    perTake: 3,
    most: 12,
  };
  const lists = slots.map((slot) => candidatesOf(slot, takes, options));
  const rules: AssignmentRules = {
    slots,
    takes,
    story: isStory ? new StoryPlaces([1, 1, 1, 1]).withSlots(slots) : null,
    usualSeconds: 1.25,
    fairSeconds: new Map(takes.map(({ line }) => [line.group, 1.25])),
    mustUse: new Set([2]),
    earlier: null,
    pinned: new Set(),
  };
  return { rules, lists, options };
}

test('a story: a shot costs nothing up to half a slot from its place', () => {
  const { rules, lists } = smallCase(1, false);
  const slots = rules.slots.map((slot, at) => ({ ...slot, startFrame: 30 * at, endFrame: 30 * at + 30 }));
  const story = new StoryPlaces([1, 1, 1, 1]).withSlots(slots);
  const middle = (run: Span) => ({ startSeconds: run.startSeconds + 2, endSeconds: run.endSeconds - 2 });
  const take = { ...rules.takes[1], runs: [{ startSeconds: 0, endSeconds: 5 }], usableSeconds: 5 };
  const candidate = { ...lists[0][0], take, ...middle(take.runs[0]) };
  assert.deepEqual(
    slots.map((_, slot) => Number(story.offSlots(slot, candidate).toFixed(6))),
    [0.5, 0, 0.5, 1.5],
  );
});

test('the first and the last slot are the ends', () => {
  const { rules } = smallCase(1, false);
  assert.deepEqual(
    rules.slots.map(({ isEnd }) => isEnd),
    [true, false, false, true],
  );
});

function cheapest(rules: AssignmentRules, lists: readonly (readonly Candidate[])[]): number {
  let best = Number.POSITIVE_INFINITY;
  const fill = (slot: number, assignment: Assignment): void => {
    if (slot === lists.length) {
      best = Math.min(best, assignment.cost);
      return;
    }
    for (const candidate of lists[slot]) {
      if (!assignment.allows(slot, candidate)) continue;
      const next = assignment.copy();
      next.put(slot, candidate);
      fill(slot + 1, next);
    }
  };
  fill(0, new Assignment(rules));
  return best;
}

for (const isStory of [false, true]) {
  test(`is within .1 of the best of all assignments, and mostly equal (${isStory ? 'story' : 'free'})`, () => {
    let exact = 0;
    for (let seed = 1; seed <= 12; seed++) {
      const { rules, lists, options } = smallCase(seed, isStory);
      const best = cheapest(rules, lists);
      const found = assign(rules, lists, options).cost;
      assert.ok(found <= best + 0.1, `${found} for ${best} with seed ${seed}`);
      if (found <= best + 1e-6) exact += 1;
    }
    assert.ok(exact >= 9, `${exact} of 12`);
  });
}

test('time of a take beyond its fair share costs, the more the further', () => {
  const { rules, lists } = smallCase(3, false);
  const group = rules.takes[1].line.group;
  const costWith = (fairSeconds: number) => {
    const fair = new Map([...rules.fairSeconds, [group, fairSeconds]]);
    const assignment = new Assignment({ ...rules, fairSeconds: fair });
    let used = 0;
    for (const [slot, list] of lists.entries()) {
      const candidate = list.find((one) => one.take === rules.takes[1] && assignment.allows(slot, one));
      if (candidate === undefined) continue;
      assignment.put(slot, candidate);
      used += rules.slots[slot].seconds;
    }
    return { cost: assignment.cost, used };
  };
  const { cost: plain, used } = costWith(100);
  assert.ok(used >= 2.5, `${used} s`);
  // In slots of the usual 1.25 s: half of them, and an eighth of their square.
  for (const [slots, expected] of [
    [-1, 0],
    [0, 0],
    [1, 0.625],
    [2, 1.5],
  ] as const)
    assert.ok(Math.abs(costWith(used - slots * 1.25).cost - plain - expected) < 1e-9, `${slots} slots`);
});

test('the cost of a whole is the sum of what its parts add, in any order', () => {
  const { rules, lists } = smallCase(3, false);
  const assignment = new Assignment(rules);
  const order = [2, 0, 3, 1];
  for (const slot of order) {
    const candidate = lists[slot].find((other) => assignment.allows(slot, other))!;
    assignment.put(slot, candidate);
  }
  const again = new Assignment(rules);
  assignment.choices.forEach((choice, slot) => {
    again.put(slot, choice!);
  });
  assert.ok(Math.abs(assignment.cost - again.cost) < 1e-9);
  for (const slot of [1, 3, 0, 2]) again.take(slot);
  assert.ok(Math.abs(again.cost - new Assignment(rules).cost) < 1e-9);
});
