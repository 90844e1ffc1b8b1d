import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditPlan, EditRequest, EditTake } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeSong, madeTake, madeTemplate, makeTakes } from './made-material.ts';

const music = (bpm: number) => ({ song: madeSong(bpm, 400), startSeconds: null, templateStartSeconds: null });
const seconds = (length: number) => ({ kind: 'seconds', seconds: length }) as const;
const LONG = madeTemplate([16, 12, 16, 20, 12, 16, 16, 16]);
const USUAL = madeTemplate([8, 12, 6, 10, 8, 8, 12, 8]);
const CALM = madeTemplate([16, 16, 16, 16]);

/** Takes with runs of `run` seconds and up to a second more, between shaken gaps. */
function gappedTakes(count: number, length: number, run: number, gap: number): EditTake[] {
  return Array.from({ length: count }, (_, at) => {
    const usable = run + (at % 3) / 2;
    const faults: [number, number, 'shaken'][] = [];
    for (let start = usable; start < length; start += usable + gap)
      faults.push([start, Math.min(length, start + gap), 'shaken']);
    return madeTake({ content: contentOf(at + 1), seconds: length, seed: at + 1, faults });
  });
}

/** A take in which nothing happens: asphalt. */
function still(take: EditTake): EditTake {
  const { curves } = take.material;
  const zero = curves.motion.map(() => 0);
  return { ...take, material: { ...take.material, curves: { ...curves, motion: zero, activity: zero } } };
}

function shownTakes({ slots }: EditPlan): number {
  return new Set(slots.map(({ take }) => take)).size;
}

function lengths({ slots }: EditPlan): number[] {
  return slots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
}

function onBeatShare({ slots, musicStartSeconds }: EditPlan, request: EditRequest): number {
  const beats = request.music!.song.beats.map(({ timeSeconds }) => timeSeconds - musicStartSeconds!);
  const near = slots
    .slice(1)
    .filter((slot) => beats.some((beat) => Math.abs(beat - slot.startSeconds) <= 0.06));
  return near.length / (slots.length - 1);
}

describe('the length of an edit', () => {
  // [name, request, wanted seconds]: the material suffices.
  const rows: readonly (readonly [string, Partial<EditRequest>, number])[] = [
    ['long slots, short runs', { takes: gappedTakes(10, 15, 3, 2), template: LONG, music: music(100) }, 62],
    ['runs of 2 to 3 s', { takes: gappedTakes(10, 20, 2, 1.5), template: USUAL, music: music(95) }, 62],
    ['without music', { takes: gappedTakes(10, 20, 2, 1.5), template: USUAL }, 62],
    ['one long take', { takes: makeTakes(1, 200), template: USUAL, music: music(120) }, 40],
  ];
  for (const order of ['free', 'story'] as const)
    for (const [name, more, wanted] of rows)
      test(`${name}, ${order}: within 5 %, and every take is shown`, () => {
        const request = madeRequest({ order, duration: seconds(wanted), ...more });
        const plan = planEdit(request);
        const end = plan.slots.at(-1)!.endSeconds;
        assert.ok(Math.abs(end / wanted - 1) <= 0.05, `${end} s of ${wanted} s`);
        assert.equal(shownTakes(plan), request.takes.length);
        assert.deepEqual(plan.warnings, []);
        if (request.music !== null) assert.equal(onBeatShare(plan, request), 1);
      });

  // [name, lengths of the takes, beats of the template, tempo, wanted, least]: slots of the template are longer than many of the takes.
  const few: readonly (readonly [string, number[], number[], number, number, number])[] = [
    ['five of 4 s', [4, 4, 4, 4, 4], [8, 4, 6, 4, 8], 80, 60, 18],
    ['five of 4 s', [4, 4, 4, 4, 4], [8, 4, 6, 4, 8], 100, 60, 18],
    ['five of 4 s', [4, 4, 4, 4, 4], [8, 4, 6, 4, 8], 120, 60, 18],
    ['three of 5 s and a short one', [5, 5, 1.2, 5], [10, 9, 10, 9], 80, 14, 13.3],
    ['three of 5 s and a short one', [5, 5, 1.2, 5], [10, 9, 10, 9], 100, 14, 13.3],
    ['three of 5 s and a short one', [5, 5, 1.2, 5], [10, 9, 10, 9], 120, 14, 13.3],
    ['short ones', [0.6, 4, 2.4, 3.2, 1.4], [7, 8, 7, 8, 8], 100, 14, 10.2],
  ];
  for (const [name, takeSeconds, beats, bpm, wanted, least] of few)
    test(`${name}, ${bpm} beats a minute: nearly all is shown before the edit is shorter`, () => {
      const takes = takeSeconds.map((length, at) =>
        madeTake({ content: contentOf(at + 1), seconds: length, seed: at + 1 }),
      );
      const template = madeTemplate(beats);
      const request = madeRequest({
        ...{ order: 'story', takes, template, music: music(bpm), duration: seconds(wanted) },
      });
      const plan = planEdit(request);
      const end = plan.slots.at(-1)!.endSeconds;
      assert.ok(end >= least - 1e-6, `${end} of ${wanted} s`);
      assert.ok(lengths(plan).at(-1)! >= 1 - 1e-6, `a last shot of ${lengths(plan).at(-1)} s`);
      assert.equal(onBeatShare(plan, request), 1);
    });

  test('too little material: most of it is shown', () => {
    for (const order of ['free', 'story'] as const) {
      const takes = makeTakes(5, 4);
      const template = madeTemplate([8, 4, 6, 4, 8]);
      const request = madeRequest({ order, takes, template, music: music(110), duration: seconds(60) });
      const end = planEdit(request).slots.at(-1)!.endSeconds;
      assert.ok(end >= 0.8 * 20, `${end} of 20 s, ${order}`);
    }
  });
});

describe('takes without a slot', () => {
  test('a calm template shows every take', () => {
    for (const order of ['free', 'story'] as const)
      for (const song of [null, music(90)]) {
        const plan = planEdit(madeRequest({ order, takes: makeTakes(10, 20), template: CALM, music: song }));
        assert.equal(shownTakes(plan), 10, `${order}, ${song === null ? 'no song' : 'a song'}`);
        assert.ok(Math.min(...lengths(plan)) >= 1.2);
      }
  });

  test('more takes than the length has shots: the template’s rhythm comes first', () => {
    const template = madeTemplate([4, 6, 4, 8, 4, 6]);
    const request = madeRequest({
      takes: makeTakes(50, 12),
      template,
      music: music(120),
      duration: seconds(20),
    });
    const { slots } = planEdit(request);
    // The template has 8 in this time.
    assert.ok(slots.length >= 8 && slots.length <= 12, `${slots.length} slots`);
  });

  test('the template’s own song keeps its cuts, whatever takes are left', () => {
    const own = { ...music(120), templateStartSeconds: 8 };
    const plan = planEdit(madeRequest({ takes: makeTakes(10, 20), template: CALM, music: own }));
    assert.deepEqual(lengths(plan), [8, 8, 8, 8]);
  });
});

describe('shots as long as they hold', () => {
  test('a long slot is not filled with a still picture while something happens elsewhere', () => {
    const template = madeTemplate([4, 4, 8, 4, 4, 8, 4, 4]);
    for (const order of ['free', 'story'] as const) {
      const takes = makeTakes(4, 30).map((take, at) => (at === 1 ? still(take) : take));
      const { slots } = planEdit(madeRequest({ order, takes, template, music: music(120) }));
      for (const { take, startSeconds, endSeconds } of slots)
        if (take === 1) assert.ok(endSeconds - startSeconds <= 3, `${endSeconds - startSeconds} s, ${order}`);
    }
  });

  test('takes in which nothing happens are cut more often than lively ones', () => {
    const template = madeTemplate([12, 12, 12, 12]);
    const planOf = (takes: readonly EditTake[]) =>
      planEdit(madeRequest({ takes, template, music: music(120) })).slots.length;
    const lively = makeTakes(4, 30);
    assert.ok(planOf(lively.map(still)) > planOf(lively));
  });
});
