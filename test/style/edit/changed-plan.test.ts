/** A change of a plan changes what it names, and the first plan is at least as good as any that a change leads to. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../../../src/signal/seeded-random.ts';
import { Assignment } from '../../../src/style/edit/assignment.ts';
import { unchangedPlan, withBans, withSeed } from '../../../src/style/edit/changed-plan.ts';
import type { EditPlan, EditRequest, PlannedSlot } from '../../../src/style/edit/edit-plan.ts';
import { wantedSeconds } from '../../../src/style/edit/filled-cuts.ts';
import type { Drawn } from '../../../src/style/edit/plan-cost.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { prepareTakes, withoutBanned } from '../../../src/style/edit/prepared-takes.ts';
import { choicesOf, contentOf, madeRequest, madeSong, madeTake, madeTemplate } from './made-material.ts';

/** `npm run test:long` tries more. */
const IS_LONG = process.env['TEST_LONG'] === '1';
const EDITS = IS_LONG ? 10 : 2;
const CHANGES = 5;
/** In-points lie on another grid where a banned part divides a run: costs differ by this share. */
const IN_POINT_SHARE = 0.005;

/** `most`: seconds of a take. Below 10 s there is little more material than the template has. */
function someEdit(seed: number, most: number): EditRequest {
  const random = seededRandom(seed * 101 + 7);
  const below = (count: number) => Math.floor(random() * count);
  const takes = Array.from({ length: 4 + below(9) }, (_, at) => {
    const seconds = 2 + random() * most;
    const faults = Array.from({ length: below(4) }, () => {
      const start = random() * seconds;
      return [start, start + random() * 3, 'blurred'] as const;
    });
    return madeTake({ content: contentOf(seed * 50 + at), seconds, seed: seed * 50 + at, faults });
  });
  const beats = Array.from({ length: 8 + below(22) }, () => [1, 1, 2, 2, 2, 4, 4, 8][below(8)]!);
  const song = madeSong(90 + below(60), 160);
  return madeRequest({
    takes,
    template: madeTemplate(beats, seed),
    music: { song, startSeconds: null, templateStartSeconds: null },
    order: seed % 2 === 0 ? 'story' : 'free',
  });
}

function banOf({ take, sourceStartSeconds, sourceEndSeconds }: PlannedSlot) {
  return { take, startSeconds: sourceStartSeconds, endSeconds: sourceEndSeconds };
}

/** Share of the other shots of `before` that `after` shows too. */
function keptShare(before: EditPlan, after: EditPlan, changed: number): number {
  const shown = new Set(choicesOf(after));
  const others = choicesOf(before).filter((_, slot) => slot !== changed);
  return others.filter((choice) => shown.has(choice)).length / Math.max(1, others.length);
}

/** What the choices of another plan cost by the rules of the first. */
function costIn(first: Drawn, other: Drawn): number {
  const { rules } = first.assignment;
  const next = new Assignment(rules);
  other.assignment.choices.forEach((choice, slot) => {
    if (choice !== null) next.put(slot, { ...choice, take: rules.takes[choice.take.index]! });
  });
  return next.cost;
}

describe('a ban', () => {
  for (const [what, most] of [
    ['plenty of material', 34],
    ['little material', 6],
  ] as const)
    test(`changes its slot alone, with ${what}`, () => {
      let [kept, count] = [0, 0];
      for (let seed = 1; seed <= EDITS / 2; seed++) {
        const request = someEdit(seed, most);
        const before = planEdit(request);
        const random = seededRandom(seed);
        for (let change = 0; change < CHANGES; change++) {
          const slot = Math.floor(random() * before.slots.length);
          const after = planEdit({ ...request, bans: [banOf(before.slots[slot]!)] });
          assert.ok(!choicesOf(after).includes(choicesOf(before)[slot]!));
          kept += keptShare(before, after, slot);
          count += 1;
        }
      }
      assert.ok(kept / count >= (most > 10 ? 0.99 : 0.85), `${kept / count}`);
    });

  test('without another shot for its slot leaves a shorter edit of the same shots, on the beat', () => {
    const song = madeSong(120, 64);
    const request = madeRequest({
      takes: [1, 2, 3].map((seed) => madeTake({ content: contentOf(seed), seconds: 2.1, seed })),
      template: madeTemplate([4, 4, 4]),
      music: { song, startSeconds: null, templateStartSeconds: null },
    });
    const before = planEdit(request);
    const after = planEdit({ ...request, bans: [banOf(before.slots[1]!)] });
    assert.deepEqual(choicesOf(after), [choicesOf(before)[0], choicesOf(before)[2]]);
    assert.ok(after.slots.every(({ beat }) => beat !== null));
  });

  test('with `replan` plans as if the banned part were excluded', () => {
    const request = someEdit(3, 34);
    const banned = banOf(planEdit(request).slots[2]!);
    const { take, startSeconds, endSeconds } = banned;
    const takes = request.takes.map((one, at) =>
      at === take ? { ...one, exclude: [{ startSeconds, endSeconds }] } : one,
    );
    const excluded = planEdit({ ...request, takes });
    assert.deepEqual(choicesOf(planEdit({ ...request, bans: [banned], replan: true })), choicesOf(excluded));
  });

  test('leaves what decides the shape', () => {
    const request = someEdit(4, 34);
    const before = planEdit(request);
    const [first, second] = before.slots;
    const changed = {
      bans: [banOf(first!)],
      pins: [{ slot: 1, take: second!.take, startSeconds: 0 }],
      seed: 4,
    };
    assert.deepEqual(planEdit({ ...request, ...changed }).unchanged, before.unchanged);
    assert.equal(before.unchanged.length, before.slots.length);
  });
});

test('no ban and no seed leads to a better edit than the first', () => {
  for (let seed = 1; seed <= EDITS; seed++) {
    const request = someEdit(seed, 34);
    const all = prepareTakes(request.takes);
    const first = unchangedPlan(request, all, wantedSeconds(request));
    const random = seededRandom(seed);
    const others = Array.from({ length: CHANGES }, (_, change) => {
      const { choices } = first.assignment;
      const { take, startSeconds, endSeconds } = choices[Math.floor(random() * choices.length)]!;
      const banned = withoutBanned(all, [{ take: take.index, startSeconds, endSeconds }]);
      return [withBans(request, banned, first), withSeed({ ...request, seed: change + 1 }, first)];
    }).flat();
    for (const other of others) {
      if (other.slots.length < first.slots.length) continue;
      const { cost } = first.assignment;
      assert.ok(
        cost <= costIn(first, other) * (1 + IN_POINT_SHARE),
        `${seed}: ${cost}, ${costIn(first, other)}`,
      );
    }
  }
});

test('a version that shows nearly the same says so', () => {
  const warned = ({ warnings }: EditPlan) => warnings.some(({ code }) => code === 'EDIT_VERSION_ALIKE');
  const only = madeRequest({ takes: [madeTake({ content: contentOf(1), seconds: 2, seed: 1 })], seed: 5 });
  const alike = { ...only, template: madeTemplate([4]) };
  assert.ok(warned(planEdit(alike)));
  assert.ok(!warned(planEdit({ ...alike, seed: 0 })));
  assert.ok(!warned(planEdit({ ...someEdit(5, 34), seed: 5 })));
});

describe('another length', () => {
  const beats = [4, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2];
  for (const [count, seconds, order, wanted] of [
    [8, 20, 'free', 30],
    [5, 12, 'free', 20],
    [8, 20, 'story', 22],
    // Variants of the first.
    ...(IS_LONG
      ? ([
          [20, 30, 'free', 22],
          [8, 20, 'free', 16],
        ] as const)
      : []),
  ] as const)
    test(`${wanted} s of ${count} takes in ${order} order: ten per cent less keeps .7 of the shots`, () => {
      const takes = Array.from({ length: count }, (_, at) =>
        madeTake({ content: contentOf(at), seconds, seed: at }),
      );
      const song = madeSong(120, 160);
      const planned = (length: number) =>
        planEdit(
          madeRequest({
            takes,
            template: madeTemplate(beats, 3),
            music: { song, startSeconds: null, templateStartSeconds: null },
            order,
            duration: { kind: 'seconds', seconds: length },
          }),
        ).slots;
      const [long, short] = [planned(wanted), planned(0.9 * wanted)];
      const kept = short.filter((slot) => long.some((other) => isSameShot(slot, other)));
      assert.ok(kept.length >= 0.7 * short.length, `${kept.length} of ${short.length}`);
    });
});

/** The same take, and more than half of the shorter shot. */
function isSameShot(one: PlannedSlot, other: PlannedSlot): boolean {
  const common =
    Math.min(one.sourceEndSeconds, other.sourceEndSeconds) -
    Math.max(one.sourceStartSeconds, other.sourceStartSeconds);
  const lengths = [one, other].map(({ sourceStartSeconds: from, sourceEndSeconds: to }) => to - from);
  return one.take === other.take && common > Math.min(...lengths) / 2;
}
