import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { median } from '../../../src/signal/statistics.ts';
import type { EditTake } from '../../../src/style/edit/edit-plan.ts';
import { TakeViews, timeLinesOf } from '../../../src/style/edit/look-alikes.ts';
import { continuityCost, repetitionCost } from '../../../src/style/edit/pair-costs.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { type PreparedTake, prepareTakes } from '../../../src/style/edit/prepared-takes.ts';
import type { Candidate, OutputSlot } from '../../../src/style/edit/slot-candidates.ts';
import { likenessOf, SAME, ShownSpans } from '../../../src/style/edit/span-likeness.ts';
import {
  contentOf,
  madeRequest,
  madeSlot,
  madeSong,
  madeTake,
  madeTemplate,
  makeTakes,
} from './made-material.ts';

function slotAt(index: number, templateSlot = index, returnsTo: number | null = null): OutputSlot {
  return { index, templateSlot, template: madeSlot(2, { returnsTo }) } as unknown as OutputSlot;
}

/** The take with the views of the times that `from` names, for each of its own. */
function withViews(take: EditTake, from: (view: number) => number): EditTake {
  const { material } = take;
  return {
    ...take,
    material: { ...material, views: material.views.map((_, at) => material.views[from(at)]) },
  };
}

test('spans beyond those whose likeness is stored are compared all the same', () => {
  const [one, other] = makeTakes(2, 60).map((take) => withViews(take, (at) => at % 2)) as [
    EditTake,
    EditTake,
  ];
  const [first, second] = prepareTakes([
    one,
    { ...other, material: { ...other.material, views: one.material.views } },
  ]);
  const few = new ShownSpans();
  const many = new ShownSpans();
  for (let start = 0; start < 59; start += 0.5)
    for (let end = start + 0.5; end < 60; end += 0.5) many.of(first!.views, start, end);
  for (const [from, to] of [
    [0, 0.4],
    [0.5, 0.9],
  ] as const) {
    const [shown, again] = [few, many].map((spans) =>
      likenessOf(spans.of(second!.views, 0, 0.4), spans.of(second!.views, from, to)),
    );
    assert.ok(many.of(second!.views, from, to).id >= 4_096);
    assert.equal(again, shown);
  }
});

describe('repetition', () => {
  test('the same view of a take is not shown twice while there are others', () => {
    const takes = makeTakes(3, 24).map((take) =>
      // Its first and its last eight seconds show one picture.
      withViews(take, (at) => (at < 16 || at >= 32 ? 0 : at)),
    );
    const { slots } = planEdit(madeRequest({ takes, template: madeTemplate([4, 3, 4, 2, 4, 3, 4, 4]) }));
    for (const take of [0, 1, 2]) {
      const resting = slots.filter((slot) => {
        const middle = (slot.sourceStartSeconds + slot.sourceEndSeconds) / 2;
        return slot.take === take && (middle < 8 || middle >= 16);
      });
      assert.ok(resting.length <= 1, `take ${take} shows its resting view ${resting.length} times`);
    }
  });

  test('a camera that stays at a place shows one view, whatever moves before it', () => {
    // It turns by half of the picture each four seconds, and comes back.
    const PLACES = [0, 0.5, 1, 1.5, 0, 0.5];
    const takes = makeTakes(3, 24).map((take) => {
      const places = take.material.views.map((_, at) => ({
        ...{ x: PLACES[Math.floor(at / 8)]!, y: 0, zoom: 0, part: 0 },
      }));
      return { ...take, material: { ...take.material, places } };
    });
    const { slots } = planEdit(madeRequest({ takes, template: madeTemplate([4, 3, 4, 2, 4, 3, 4, 4]) }));
    const seen = slots.map(({ take, sourceStartSeconds, sourceEndSeconds }) => {
      const middle = (sourceStartSeconds + sourceEndSeconds) / 2;
      return `${take} at ${PLACES[Math.floor(middle / 4)]}`;
    });
    assert.equal(new Set(seen).size, seen.length, seen.join(', '));
  });

  test('where a camera points is compared within one part of one take, up to a quarter of the picture', () => {
    const [take, other] = makeTakes(2, 24);
    // [second place, same part, same take, is it the same view]
    const rows = [
      [{ x: 0.2, y: 0, zoom: 0 }, true, true, true],
      [{ x: 0.2, y: 0.2, zoom: 0 }, true, true, false],
      [{ x: 0, y: 0, zoom: 0.3 }, true, true, false],
      [{ x: 0.2, y: 0, zoom: 0 }, false, true, false],
      [{ x: 0.2, y: 0, zoom: 0 }, true, false, false],
    ] as const;
    for (const [place, isSamePart, isSameTake, isSame] of rows) {
      const placesOf = (of: EditTake) =>
        of.material.views.map((_, at) =>
          at < 24 ? { x: 0, y: 0, zoom: 0, part: 0 } : { ...place, part: isSamePart ? 0 : 1 },
        );
      const [first, second] = prepareTakes(
        [take, other].map((of) => ({ ...of, material: { ...of.material, places: placesOf(of) } })),
      );
      const later = isSameTake ? first! : second!;
      const likeness = likenessOf(first!.spans.of(first!.views, 2, 4), later.spans.of(later.views, 14, 16));
      assert.equal(likeness === SAME, isSame, JSON.stringify([place, isSamePart, isSameTake]));
    }
  });

  test('look-alikes of other takes lie apart', () => {
    const pair = makeTakes(2, 4, 50).map((take) => withViews(take, () => 0));
    const alike = [pair[0], { ...pair[1], material: { ...pair[1].material, views: pair[0].material.views } }];
    // Too short to have a time line in common.
    const takes = [...alike, ...makeTakes(8, 6)];
    const { slots } = planEdit(madeRequest({ takes }));
    const places = slots.flatMap(({ take }, at) => (take < 2 ? [at] : []));
    for (const [at, place] of places.slice(1).entries()) assert.ok(place - places[at] > 1);
  });

  test('the same view of another take costs as much as of the same one, wherever it is seen', () => {
    const [first, second] = makeTakes(2, 24);
    // [views of the second take that are view 10 of the first, its span, is it the same view]; a view lasts half a second.
    const rows = [
      [[4], [2, 4], true],
      [[6], [2, 4], true],
      [[7], [2, 4], true],
      [[5], [2, 4], false],
      [[8], [2, 4], false],
    ] as const;
    for (const [same, [startSeconds, endSeconds], isSame] of rows) {
      const views = second.material.views.map((view, at) =>
        same.some((one) => one === at) ? first.material.views[10] : view,
      );
      const takes = prepareTakes([first, { ...second, material: { ...second.material, views } }]);
      const candidate = (take: PreparedTake, from: number, to: number) =>
        ({
          take,
          startSeconds: from,
          endSeconds: to,
          shown: take.spans.of(take.views, from, to),
        }) as unknown as Candidate;
      const one = candidate(takes[0], 4, 6);
      const other = candidate(takes[1], startSeconds, endSeconds);
      const within = repetitionCost(one, candidate(takes[0], 5, 7), slotAt(0), slotAt(1));
      assert.ok(within > 1, 'the take itself');
      for (const distance of [1, 20])
        assert.equal(
          repetitionCost(one, other, slotAt(0), slotAt(distance)),
          isSame ? within : 0,
          `view ${same[0]}, ${distance} shots`,
        );
    }
  });

  test('takes that share a view may show it where the template returns to one', () => {
    const [first, second] = makeTakes(2, 24);
    const takes = prepareTakes([
      first,
      { ...second, material: { ...second.material, views: first.material.views } },
    ]);
    const candidate = (take: number, startSeconds: number) =>
      ({
        take: { ...takes[take], line: { group: take, offsetSeconds: 0 } },
        ...{ startSeconds, endSeconds: startSeconds + 2 },
        shown: takes[take].spans.of(takes[take].views, startSeconds, startSeconds + 2),
      }) as unknown as Candidate;
    // [first slot, second slot, take of the second, is it a repetition]
    const rows = [
      [slotAt(0), slotAt(2), 1, true],
      [slotAt(0), slotAt(2, 2, 0), 1, false],
      [slotAt(2, 2, 1), slotAt(6, 6, 1), 1, false],
      [slotAt(2, 2, 1), slotAt(6, 6, 0), 1, true],
      // Neighbors, parts of one slot, and one take.
      [slotAt(0), slotAt(1, 1, 0), 1, true],
      [slotAt(0), slotAt(2, 0), 1, true],
      [slotAt(0), slotAt(2, 2, 0), 0, true],
    ] as const;
    for (const [slot, other, take, isRepetition] of rows) {
      const cost = repetitionCost(candidate(0, 4), candidate(take, 4), slot, other);
      assert.equal(cost > 0, isRepetition, JSON.stringify([slot, other, take]));
    }
  });

  test('a shot does not begin with the view with which the one before it ends', () => {
    const [take] = makeTakes(1, 24);
    const prepared = prepareTakes([withViews(take, (at) => (at === 9 || at === 20 ? 0 : at))])[0];
    const candidate = (startSeconds: number, endSeconds: number) =>
      ({ take: prepared, startSeconds, endSeconds }) as Candidate;
    const before = candidate(3, 5);
    const again = continuityCost(before, candidate(10, 12));
    const other = continuityCost(before, candidate(10.5, 12.5));
    assert.ok(again > other + 1);
  });

  test('one take does not go on across a cut', () => {
    const { slots } = planEdit(madeRequest({ takes: makeTakes(2, 40) }));
    slots.slice(1).forEach((slot, at) => {
      const before = slots[at];
      if (slot.take === before.take)
        assert.ok(Math.abs(slot.sourceStartSeconds - before.sourceEndSeconds) > 0.5);
    });
  });
});

describe('time lines', () => {
  const lines = (takes: readonly EditTake[]) =>
    timeLinesOf(
      takes,
      takes.map(({ material }) => new TakeViews(material)),
    );

  test('takes without likeness have their own', () => {
    assert.deepEqual(
      lines(makeTakes(5, 20)).map(({ group }) => group),
      [0, 1, 2, 3, 4],
    );
  });

  test('the same content is a twin without an offset', () => {
    const [take] = makeTakes(1, 20);
    assert.deepEqual(lines([take, take])[1], { group: 0, offsetSeconds: 0 });
  });

  test('a part of a take is a twin with its offset, in either order', () => {
    const whole = madeTake({ content: contentOf(1), seconds: 20, seed: 9 });
    const { material } = whole;
    const part: EditTake = {
      ...whole,
      content: contentOf(2),
      material: {
        ...material,
        durationSeconds: 12.8,
        views: material.views.slice(10, 36),
        curves: Object.fromEntries(
          Object.entries(material.curves).map(([name, values]) => [name, values.slice(52, 180)]),
        ) as unknown as typeof material.curves,
      },
    };
    assert.ok(Math.abs(lines([whole, part])[1].offsetSeconds - 5.2) < 0.01);
    assert.ok(Math.abs(lines([part, whole])[1].offsetSeconds + 5.2) < 0.01);
  });
});

describe('cuts that only repeat a view', () => {
  // Five takes of 6 s; each shows so many views, one after the other.
  const takesOf = (views: number) =>
    makeTakes(5, 6).map((take) => withViews(take, (at) => Math.floor((at * views) / 12)));
  const fast = { template: madeTemplate(Array.from({ length: 20 }, () => 1)) };
  const seconds = { kind: 'seconds', seconds: 15 } as const;
  const music = { song: madeSong(120, 100), startSeconds: null, templateStartSeconds: null };

  for (const order of ['story', 'free'] as const)
    test(`are left out, ${order}`, () => {
      // [views of a take, shots at most]: a fast template has 30 shots in 15 s.
      for (const [views, most] of [
        [1, 16],
        [2, 20],
      ] as const) {
        const takes = takesOf(views);
        const { slots } = planEdit(madeRequest({ ...fast, order, music, takes, duration: seconds }));
        assert.ok(slots.length <= most, `${slots.length} shots of ${views} views`);
        assert.ok(slots.at(-1)!.endSeconds > 14, 'its length is kept');
      }
    });

  test('a joined shot lasts no longer than those of the template', () => {
    // [beats of the template's shots at 120 beats a minute, longest in seconds]: seven takes of 20 s, each with one view, for 20 s.
    for (const [beats, longest] of [
      [[3, 3, 3, 3, 3, 3], 1.5],
      [[2, 4, 2, 2, 3, 2, 2, 4], 2],
    ] as const) {
      const takes = makeTakes(7, 20).map((take) => withViews(take, () => 0));
      const template = madeTemplate([...beats]);
      const { slots } = planEdit(
        madeRequest({ template, order: 'free', music, takes, duration: { kind: 'seconds', seconds: 20 } }),
      );
      const lengths = slots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
      assert.ok(Math.max(...lengths) <= longest + 0.05, lengths.map((one) => one.toFixed(2)).join(' '));
    }
  });

  test('others stay: the rhythm is the template’s', () => {
    const { slots } = planEdit(
      madeRequest({ ...fast, order: 'story', music, takes: takesOf(12), duration: seconds }),
    );
    assert.ok(slots.length >= 24, `${slots.length} shots`);
  });
});

describe('an edit of takes that show little', () => {
  // Five takes of 20 s: each shows one picture for 5 s, and then another.
  const takes = makeTakes(5, 20).map((take) => withViews(take, (at) => (at < 10 ? 0 : 20)));
  const template = madeTemplate(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? 4 : 3)));
  const request = madeRequest({ takes, template, order: 'story' });

  test('ends before it shows the same again, and says so', () => {
    const { slots, warnings } = planEdit(request);
    const end = slots.at(-1)!.endSeconds;
    assert.ok(end >= 8 && end <= 18, `${end} of 35 s`);
    assert.ok(slots.filter(({ isJumpCut }) => isJumpCut).length <= 1);
    assert.equal(new Set(slots.map(({ take }) => take)).size, 5);
    assert.match(warnings[0]!.message, /instead of 35\.0 s: a longer one would show the same again/);
  });

  test('is as long as a person says', () => {
    const { slots, warnings } = planEdit({ ...request, duration: { kind: 'seconds', seconds: 35 } });
    assert.ok(Math.abs(slots.at(-1)!.endSeconds / 35 - 1) <= 0.05);
    assert.deepEqual(warnings, []);
  });

  test('shows each of many takes about once rather than some of them twice in a row', () => {
    const { slots } = planEdit({
      ...request,
      takes: makeTakes(10, 8),
      template: madeTemplate(Array.from({ length: 16 }, () => 4)),
    });
    const again = slots.filter(({ take }, at) => slots[at - 1]?.take === take).length;
    assert.ok(again <= 2, `${again} of ${slots.length} shots follow one of the same take`);
    assert.equal(new Set(slots.map(({ take }) => take)).size, 10);
    assert.ok(slots.at(-1)!.endSeconds >= 16);
  });

  test('is as long as the template where each moment shows something else and takes may take turns', () => {
    const { slots, warnings } = planEdit({ ...request, takes: makeTakes(5, 20), order: 'free' });
    assert.ok(Math.abs(slots.at(-1)!.endSeconds / 35 - 1) <= 0.05);
    assert.deepEqual(warnings, []);
  });

  // [number of takes of 20 s, beats of .5 s in each shot of the template, most shots, least and greatest median shot in seconds].
  const few: readonly (readonly [number, number, number, number, number])[] = [
    [5, 2, 6, 1, 2.5],
    [5, 3, 7, 1.5, 3],
    [8, 2, 10, 1, 2.5],
    [8, 4, 10, 1.5, 3],
  ];
  for (const [count, beats, most, least, longest] of few)
    test(`shows ${count} takes about once in slower shots than the ${beats / 2} s of its template`, () => {
      const takes = makeTakes(count, 20);
      const fast = madeTemplate(Array.from({ length: 24 }, () => beats));
      const { slots } = planEdit(madeRequest({ takes, template: fast, order: 'story' }));
      assert.ok(slots.length <= most, `${slots.length} shots`);
      assert.equal(new Set(slots.map(({ take }) => take)).size, count);
      const lengths = slots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
      const usual = median(lengths);
      assert.ok(usual >= least && usual <= longest, `${lengths}`);
      assert.ok(slots.at(-1)!.endSeconds >= 7.5);
    });
});
