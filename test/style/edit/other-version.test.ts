/** A seed gives another version of an edit, nearly as good as the best. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assign } from '../../../src/style/edit/assign-takes.ts';
import type { AssignmentRules } from '../../../src/style/edit/assignment.ts';
import { UsableRanks } from '../../../src/style/edit/curve-means.ts';
import { planCuts } from '../../../src/style/edit/cut-times.ts';
import { differentShare, otherVersion } from '../../../src/style/edit/other-version.ts';
import { outputSlots } from '../../../src/style/edit/output-slots.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { prepareTakes } from '../../../src/style/edit/prepared-takes.ts';
import { type CandidateOptions, candidatesOf } from '../../../src/style/edit/slot-candidates.ts';
import { SpanLooks } from '../../../src/style/edit/span-looks.ts';
import { StoryPlaces } from '../../../src/style/edit/story-order.ts';
import { choicesOf, madeRequest, madeTemplate, makeTakes } from './made-material.ts';

const BEATS = [4, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4];
const SECONDS = 19;
const request = madeRequest({ takes: makeTakes(8, 30), template: madeTemplate(BEATS) });

function bestOf(isStory: boolean) {
  const takes = prepareTakes(request.takes);
  const runs = takes.flatMap((take) => take.runs);
  const slots = outputSlots(request, planCuts({ ...request, seconds: SECONDS, runs }));
  const options: CandidateOptions = {
    looks: new SpanLooks(new UsableRanks(takes, 1)),
    playsTakes: false,
    frameSeconds: 1 / 30,
    perTake: 7,
    most: 56,
  };
  const lists = slots.map((slot) => candidatesOf(slot, takes, options));
  const rules: AssignmentRules = {
    slots,
    takes,
    story: isStory ? new StoryPlaces(takes.map(() => 1)).withSlots(slots) : null,
    usualSeconds: 1,
    fairSeconds: new Map(takes.map(({ line }) => [line.group, SECONDS / takes.length])),
    mustUse: new Set(),
    earlier: null,
    pinned: new Set(),
  };
  return { best: assign(rules, lists, options), lists };
}

describe('another version', () => {
  for (const isStory of [false, true])
    test(`differs in a third of the slots and costs a few percent more (${isStory ? 'story' : 'free'})`, () => {
      const { best, lists } = bestOf(isStory);
      const versions = [1, 2, 3, 4].map((seed) => otherVersion(best, lists, seed));
      for (const [at, version] of versions.entries()) {
        assert.ok(differentShare(best, version) >= 1 / 3, `${differentShare(best, version)}`);
        assert.ok(version.cost <= 1.05 * best.cost, `${version.cost} for ${best.cost}`);
        assert.ok(!version.choices.includes(null));
        for (const other of versions.slice(at + 1)) assert.ok(differentShare(version, other) > 0.1);
      }
    });

  test('a seed gives one plan, on the cuts of the best', () => {
    const of = (seed: number) => planEdit({ ...request, seed });
    assert.deepEqual(of(3), of(3));
    assert.notDeepEqual(choicesOf(of(3)), choicesOf(of(0)));
    const starts = (seed: number) => of(seed).slots.map(({ startSeconds }) => startSeconds);
    assert.deepEqual(starts(3), starts(0));
  });

  test('one take that fits its slot only: the same plan', () => {
    const only = { ...request, template: madeTemplate([4]), takes: makeTakes(1, 2) };
    assert.deepEqual(choicesOf(planEdit({ ...only, seed: 5 })), choicesOf(planEdit(only)));
  });
});
