import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditPlan, EditRequest, PlannedSlot } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import {
  choicesOf,
  contentOf,
  cutFrames,
  madeRequest,
  madeSong,
  madeTake,
  madeTemplate,
  makeTakes,
} from './made-material.ts';

const BEATS = [4, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 4];
const music = (bpm: number, more: { shiftSeconds?: number } = {}) => ({
  song: madeSong(bpm, 240, more),
  startSeconds: null,
  templateStartSeconds: null,
});
const TAKES = 12;
const LARGE = madeRequest({ takes: makeTakes(TAKES, 30), template: madeTemplate(BEATS), music: music(120) });

/** Share of the slots with the same choice. */
function sameShare(one: EditPlan, other: EditPlan): number {
  const [first, second] = [choicesOf(one), choicesOf(other)];
  return first.filter((choice, at) => choice === second[at]).length / first.length;
}

function lengths({ slots }: EditPlan): number[] {
  return slots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
}

/** No instant of a take twice, slots without gaps, every source as long as its slot. */
function assertSound(plan: EditPlan, request: EditRequest): void {
  let end = 0;
  for (const slot of plan.slots) {
    assert.ok(Math.abs(slot.startSeconds - end) < 1e-9, `a gap before ${slot.startSeconds}`);
    end = slot.endSeconds;
    const source = slot.sourceEndSeconds - slot.sourceStartSeconds;
    assert.ok(Math.abs(source - (slot.endSeconds - slot.startSeconds)) < 0.05);
    const { material } = request.takes[slot.take];
    if (slot.isPinned || material.isPhoto) continue;
    for (const fault of material.faults) assert.ok(!overlaps(slot, fault.startSeconds, fault.endSeconds));
  }
  plan.slots.forEach((one, at) => {
    for (const other of plan.slots.slice(at + 1))
      if (one.take === other.take)
        assert.ok(!overlaps(one, other.sourceStartSeconds, other.sourceEndSeconds), 'an instant twice');
  });
}

function overlaps({ sourceStartSeconds, sourceEndSeconds }: PlannedSlot, from: number, to: number): boolean {
  return Math.min(sourceEndSeconds, to) - Math.max(sourceStartSeconds, from) > 1e-3;
}

describe('planEdit: invariants', () => {
  const plan = planEdit(LARGE);

  test('fills every slot on whole frames, and repeats nothing', () => {
    assertSound(plan, LARGE);
    assert.equal(plan.slots.length, BEATS.length);
    assert.deepEqual(
      lengths(plan).map((length) => Math.round(length * 2)),
      BEATS,
    );
    assert.deepEqual(plan.warnings, []);
  });

  test('equal requests give equal plans; names and order of files decide nothing', () => {
    assert.deepEqual(planEdit(LARGE), plan);
    const turned = planEdit({ ...LARGE, takes: LARGE.takes.toReversed() });
    assert.deepEqual(
      turned.slots.map(({ take, sourceStartSeconds }) => [TAKES - 1 - take, sourceStartSeconds]),
      plan.slots.map(({ take, sourceStartSeconds }) => [take, sourceStartSeconds]),
    );
  });

  test('takes on their side are shown only if nothing else can be', () => {
    const sideways = [0, 1].map((seed) =>
      madeTake({
        content: contentOf(90 + seed),
        seconds: 20,
        seed: 90 + seed,
        faults: [[0, 20, 'sideways']],
      }),
    );
    const template = madeTemplate(BEATS.slice(0, 6));
    for (const [upright, expected] of [
      [makeTakes(3, 15), false],
      [[], true],
    ] as const) {
      const { slots } = planEdit({ ...LARGE, takes: [...upright, ...sideways], template });
      assert.ok(slots.length > 0);
      assert.ok(slots.every(({ take }) => take >= upright.length === expected));
    }
    const dark = madeTake({
      content: contentOf(90),
      seconds: 20,
      seed: 90,
      faults: [
        [0, 20, 'dark'],
        [0, 20, 'sideways'],
      ],
    });
    assert.throws(() => planEdit({ ...LARGE, takes: [dark], template }), /can be used/);
  });

  test('a plan does not depend on the plans before it', () => {
    // It is about what a plan retains, not about its size.
    const still = madeTake({ content: 'still', seconds: 20, seed: 77, isMotionless: true });
    const takes = [...makeTakes(6, 15), still];
    const request = { ...LARGE, takes, template: madeTemplate(BEATS.slice(0, 12)) };
    const { slots } = planEdit(request);
    const [pinned, banned] = [slots[5]!.alternatives[0]!, slots[9]!];
    const pins = [{ slot: 5, take: pinned.take, startSeconds: pinned.sourceStartSeconds }];
    const bans = [
      { take: banned.take, startSeconds: banned.sourceStartSeconds, endSeconds: banned.sourceEndSeconds },
    ];
    const changes: Partial<EditRequest>[] = [
      { pins },
      { bans },
      { lengths: [{ slot: 3, beats: 1 }] },
      { pins, bans, seed: 1 },
      { order: 'story' },
      { playsTakes: true },
      { takes: takes.map((take, at) => ({ ...take, exclude: at === 0 ? [slots[0]!] : [] })) },
      {},
    ];
    for (const change of changes) {
      const changed = { ...request, ...change };
      // Nothing is known of copies.
      assert.deepEqual(
        planEdit(changed),
        planEdit(structuredClone(changed)),
        JSON.stringify(change).slice(0, 60),
      );
      planEdit(request);
    }
  });

  test('the template’s own song: its cut times to the frame', () => {
    const template = madeTemplate([3.37, 1.91, 2.48, 0.93, 5.21, 4.4]);
    const own = planEdit({
      ...LARGE,
      template,
      music: { song: madeSong(97, 100), startSeconds: null, templateStartSeconds: 7.31 },
    });
    let end = 0;
    const cuts = template.slots.slice(0, -1).map(({ durationSeconds }) => {
      end += durationSeconds;
      return Math.round(end * 30);
    });
    assert.deepEqual(cutFrames(own), cuts);
    assert.equal(own.musicStartSeconds, 7.31);
  });

  test('another version has the same cuts', () => {
    const takes = makeTakes(9, 14);
    const request = { ...LARGE, takes, template: madeTemplate([8, 6, 12, 8, 6, 8, 12, 8]) };
    const frames = cutFrames(planEdit(request));
    for (const seed of [1, 2, 3]) assert.deepEqual(cutFrames(planEdit({ ...request, seed })), frames);
  });

  test('a song 7 % faster: cut lengths ÷ 1.07', () => {
    const faster = lengths(planEdit({ ...LARGE, music: music(120 * 1.07) }));
    lengths(plan)
      .slice(0, 20)
      .forEach((length, at) => {
        assert.ok(Math.abs(faster[at] - length / 1.07) <= 1.01 / 30, `${faster[at]} for ${length} at ${at}`);
      });
  });

  test('a song shifted by .3 s: cuts shifted by .3 s', () => {
    const shifted = planEdit({ ...LARGE, music: music(120, { shiftSeconds: 0.3 }) });
    assert.ok(Math.abs(shifted.musicStartSeconds! - plan.musicStartSeconds! - 0.3) < 1e-6);
    assert.deepEqual(cutFrames(shifted), cutFrames(plan));
  });

  test('every take twice, in another encoding: nothing repeated', () => {
    const takes = makeTakes(8, 20);
    const twins = takes.map((take, at) => ({
      ...take,
      content: contentOf(900 + at),
      material: {
        ...take.material,
        views: take.material.views.map((view) => view.map((value) => Math.round(value * 0.9) + 7)),
      },
    }));
    const request = { ...LARGE, takes: [...takes, ...twins] };
    const both = planEdit(request);
    assertSound(both, request);
    both.slots.forEach((one, at) => {
      for (const other of both.slots.slice(at + 1))
        if (one.take % 8 === other.take % 8)
          assert.ok(
            !overlaps(one, other.sourceStartSeconds, other.sourceEndSeconds),
            'twins show one instant',
          );
    });
  });

  test('a twin that begins 3 s later: nothing repeated', () => {
    const whole = madeTake({ content: contentOf(1), seconds: 12, seed: 1 });
    const { material } = whole;
    const later = {
      ...whole,
      content: contentOf(2),
      material: {
        ...material,
        durationSeconds: 9,
        views: material.views.slice(6),
        curves: Object.fromEntries(
          Object.entries(material.curves).map(([name, values]) => [name, values.slice(30)]),
        ) as unknown as typeof material.curves,
      },
    };
    const request = { ...LARGE, takes: [whole, later], template: madeTemplate([4, 4, 4, 4, 4]) };
    const both = planEdit(request);
    const spans = both.slots.map((slot) => ({
      ...slot,
      take: 0,
      sourceStartSeconds: slot.sourceStartSeconds + 3 * slot.take,
      sourceEndSeconds: slot.sourceEndSeconds + 3 * slot.take,
    }));
    spans.forEach((one, at) => {
      for (const other of spans.slice(at + 1))
        assert.ok(!overlaps(one, other.sourceStartSeconds, other.sourceEndSeconds));
    });
  });

  test('twenty junk takes added: .9 of the choices the same', () => {
    const junk = Array.from({ length: 20 }, (_, at) =>
      madeTake({ content: contentOf(500 + at), seconds: 15, seed: 500 + at, faults: [[0, 15, 'blurred']] }),
    );
    assert.ok(sameShare(plan, planEdit({ ...LARGE, takes: [...LARGE.takes, ...junk] })) >= 0.9);
  });

  test('a chosen span blurred is not chosen; the rest mostly stays', () => {
    const { take, sourceStartSeconds, sourceEndSeconds } = plan.slots[5];
    const takes = LARGE.takes.map((old, at) =>
      at === take
        ? {
            ...old,
            material: {
              ...old.material,
              faults: [
                { startSeconds: sourceStartSeconds, endSeconds: sourceEndSeconds, fault: 'blurred' as const },
              ],
            },
          }
        : old,
    );
    const request = { ...LARGE, takes };
    const next = planEdit(request);
    assertSound(next, request);
  });

  test('a pin is respected, and .8 of the other slots stay', () => {
    const pinned = planEdit({ ...LARGE, pins: [{ slot: 7, take: 11, startSeconds: 12.4 }] });
    assert.equal(pinned.slots[7].take, 11);
    assert.equal(pinned.slots[7].sourceStartSeconds, 12.4);
    assert.ok(pinned.slots[7].isPinned);
    assert.ok(sameShare(plan, pinned) >= 0.8);
    assertSound(pinned, LARGE);
  });

  test('a ban is respected', () => {
    const { take, sourceStartSeconds, sourceEndSeconds } = plan.slots[3];
    const ban = { take, startSeconds: sourceStartSeconds, endSeconds: sourceEndSeconds };
    const next = planEdit({ ...LARGE, bans: [ban] });
    for (const slot of next.slots)
      if (slot.take === take) assert.ok(!overlaps(slot, sourceStartSeconds, sourceEndSeconds));
    assert.ok(sameShare(plan, next) >= 0.8, 'the rest stays');
  });

  test('lengths in seconds: within 5 %, longer and shorter', () => {
    for (const seconds of [12, 45]) {
      const cut = planEdit({ ...LARGE, duration: { kind: 'seconds', seconds } });
      const end = cut.slots.at(-1)!.endSeconds;
      assert.ok(Math.abs(end / seconds - 1) <= 0.05, `${end} s for ${seconds} s`);
      assert.deepEqual(cut.warnings, []);
    }
  });

  test('too little material: shorter with a warning, never padded', () => {
    const takes = [0, 1, 2].map((seed) =>
      madeTake({
        content: contentOf(40 + seed),
        seconds: 10,
        seed,
        faults: [
          [0, 3, 'shaken'],
          [5, 10, 'dark'],
        ],
      }),
    );
    const request = { ...LARGE, takes };
    const short = planEdit(request);
    assertSound(short, request);
    assert.ok(short.slots.at(-1)!.endSeconds > 3);
    assert.deepEqual(
      short.warnings.map(({ code }) => code),
      ['EDIT_SHORTENED'],
    );
  });

  test('fifty takes', () => {
    const request = { ...LARGE, takes: makeTakes(50, 12, 100) };
    const many = planEdit(request);
    assertSound(many, request);
    assert.ok(new Set(many.slots.map(({ take }) => take)).size >= 25);
  });

  test('a take that must be used is used', () => {
    const bad = madeTake({ content: contentOf(77), seconds: 20, seed: 77, mustUse: true });
    const dark = { ...bad.material.curves, lightness: bad.material.curves.lightness.map(() => 9) };
    const take = { ...bad, material: { ...bad.material, curves: dark } };
    const used = planEdit({ ...LARGE, takes: [...LARGE.takes, take] });
    assert.ok(used.slots.some((slot) => slot.take === TAKES));
  });

  test('a story keeps the order of takes, and the time within each', () => {
    const story = planEdit({ ...LARGE, order: 'story' });
    story.slots.slice(1).forEach((slot, at) => {
      const before = story.slots[at];
      assert.ok(slot.take >= before.take);
      if (slot.take === before.take) assert.ok(slot.sourceStartSeconds >= before.sourceEndSeconds - 1e-3);
    });
    assert.ok(new Set(story.slots.map(({ take }) => take)).size >= 10, 'each take has its share');
  });

  test('an impact lands on a strong beat, to the frame', () => {
    const takes = LARGE.takes.map((take, at) => ({
      ...take,
      material: { ...take.material, impacts: [{ timeSeconds: 5.03 + at * 0.71, strength: 1 }] },
    }));
    const hit = planEdit({ ...LARGE, takes });
    const beats = LARGE.music!.song.beats.filter(({ isDownbeat }) => isDownbeat).map(
      ({ timeSeconds }) => timeSeconds - hit.musicStartSeconds!,
    );
    const distances = hit.slots.flatMap((slot) => {
      const at = takes[slot.take].material.impacts[0].timeSeconds - slot.sourceStartSeconds;
      if (at < 0 || at >= slot.endSeconds - slot.startSeconds) return [];
      return [Math.min(...beats.map((beat) => Math.abs(beat - slot.startSeconds - at)))];
    });
    assert.ok(distances.length >= 3, `${distances.length} impacts are shown`);
    assert.ok(distances.every((distance) => distance <= 1 / 30));
  });

  test('one take without music: highlights in order', () => {
    const request = madeRequest({ takes: makeTakes(1, 300), order: 'story', playsTakes: true });
    const highlights = planEdit(request);
    assertSound(highlights, request);
    assert.equal(highlights.musicStartSeconds, null);
    const starts = highlights.slots.map(({ sourceStartSeconds }) => sourceStartSeconds);
    assert.deepEqual(
      starts,
      [...starts].sort((one, other) => one - other),
    );
    assert.ok(starts.at(-1)! - starts[0] > 150, 'they come from all of it');
  });

  test('where takes are heard, no cut lies inside a phrase', () => {
    const takes = LARGE.takes.map((take, at) => ({
      ...take,
      material: {
        ...take.material,
        speech: [4, 11, 17].map((start) => ({
          startSeconds: start + at * 0.1,
          endSeconds: start + 3 + at * 0.1,
        })),
      },
    }));
    const heard = planEdit({ ...LARGE, takes, playsTakes: true });
    // Times of phrases are known to .04 s.
    // Times of phrases are known to .04 s.
    for (const { take, sourceStartSeconds, sourceEndSeconds } of heard.slots)
      for (const phrase of takes[take].material.speech)
        for (const time of [sourceStartSeconds, sourceEndSeconds])
          assert.ok(time <= phrase.startSeconds - 0.03 || time >= phrase.endSeconds + 0.03);
  });

  test('photos are shown once each, for as long as their slot', () => {
    const photos = Array.from({ length: 12 }, (_, at) =>
      madeTake({ content: contentOf(300 + at), seconds: 0, seed: 300 + at, isPhoto: true }),
    );
    const shown = planEdit(madeRequest({ takes: photos }));
    assert.equal(shown.slots.length, 12);
    assert.equal(new Set(shown.slots.map(({ take }) => take)).size, 12);
  });

  test('a take in which nothing moves fills a still shot alone', () => {
    const still = madeTake({ content: contentOf(99), seconds: 30, seed: 99, isMotionless: true });
    const takes = [...makeTakes(4, 30), still];
    const moving = planEdit(madeRequest({ takes }));
    assert.ok(moving.slots.every(({ take }) => take !== 4));
    assert.ok(moving.takes[4]!.passedOver.some(({ reason }) => reason.code === 'frozen'));
    // Not the first slot, which shows one of the best.
    const slots = madeTemplate([4, 2, 2, 1]).slots.map((slot, at) => {
      const speed = at === 1 ? 0 : 0.1;
      return { ...slot, motion: speed, activity: speed };
    });
    const plan = planEdit(madeRequest({ takes, template: { ...madeTemplate([4, 2, 2, 1]), slots } }));
    assert.ok(plan.slots.every(({ take, templateSlot }) => take !== 4 || templateSlot === 1));
    const { alternatives, take } = plan.slots.find(({ templateSlot }) => templateSlot === 1)!;
    assert.ok([take, ...alternatives.map((other) => other.take)].includes(4));
  });

  test('a soft take that is most like the shot of the template is an alternative, not a choice', () => {
    const template = madeTemplate([4, 4, 4, 4]);
    const like = { motion: 0.2, activity: 0.03, contrast: 0.3, detail: 0.5, lightness: 70 };
    const [first, ...rest] = template.slots;
    const slots = [{ ...first!, ...like }, ...rest];
    const takes = makeTakes(9, 12).map((take, at) => {
      const { curves } = take.material;
      const constant = (value: number) => curves.motion.map(() => value);
      const own = Object.fromEntries(Object.entries(like).map(([name, value]) => [name, constant(value)]));
      const soft = at === 8 ? { ...own, sharpness: constant(0.46) } : { sharpness: constant(0.9) };
      return { ...take, material: { ...take.material, curves: { ...curves, ...soft } } };
    });
    const { slots: planned } = planEdit(madeRequest({ takes, template: { ...template, slots } }));
    assert.ok(planned.every(({ take }) => take !== 8));
    assert.ok(planned[0]!.alternatives.some(({ take }) => take === 8));
  });

  test('five alternatives with reasons', () => {
    for (const { alternatives, reasons } of plan.slots) {
      assert.equal(alternatives.length, 5);
      for (const words of [reasons, ...alternatives.map((other) => other.reasons)])
        assert.ok(words.length > 0);
    }
  });
});

describe('planEdit: what cannot be done', () => {
  const refused = (more: Partial<EditRequest>, pattern: RegExp) =>
    assert.throws(
      () => planEdit({ ...LARGE, ...more }),
      (error: { detail?: string }) => {
        assert.match(error.detail ?? '', pattern);
        return true;
      },
    );

  test('names the value and what would be right', () => {
    refused(
      { pins: [{ slot: 3, take: 2, startSeconds: 31 }] },
      /pins\.0\.start_seconds is 31.*0 to 30\.00 s/,
    );
    refused({ pins: [{ slot: 99, take: 2, startSeconds: 1 }] }, /slot is 99.*slots 0 to 29/);
    refused({ pins: [{ slot: 1, take: TAKES, startSeconds: 1 }] }, /take 12.*takes 0 to 11/);
    refused(
      {
        pins: [
          { slot: 1, take: 2, startSeconds: 1 },
          { slot: 1, take: 3, startSeconds: 1 },
        ],
      },
      /pins\.1\.slot is 1, which pin 0 fills already/,
    );
    refused({ music: null, duration: { kind: 'music' } }, /has no music/);
    const silent = { ...LARGE.music!, song: { ...LARGE.music!.song, soundEndSeconds: 0 } };
    refused({ music: silent }, /music is silent; name a song that sounds/);
  });

  test('a pinned take that is too short for its slot; a moved shot is reported', () => {
    const short = madeTake({ content: contentOf(60), seconds: 1, seed: 60 });
    const takes = [...LARGE.takes, short];
    refused(
      { takes, pins: [{ slot: 0, take: TAKES, startSeconds: 0 }] },
      /take of 1\.00 s, but slot 0 lasts 2\.00 s/,
    );
    const moved = planEdit({ ...LARGE, pins: [{ slot: 0, take: 3, startSeconds: 29 }] });
    assert.equal(moved.slots[0].sourceStartSeconds, 28);
    assert.deepEqual(
      moved.warnings.map(({ code }) => code),
      ['EDIT_PIN_MOVED'],
    );
  });

  test('a ban of everything', () => {
    const bans = LARGE.takes.map((_, take) => ({ take, startSeconds: 0, endSeconds: 30 }));
    refused({ bans }, /No moment of 12 takes \(360\.0 s\) can be used/);
  });
});
