/** Talks of several takes: what is heard, what is seen over its cuts, and what a person asks for. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isFailure } from '../../../src/domain/errors.ts';
import type { TextCue } from '../../../src/domain/footage.ts';
import type { EditPlan, PlannedSlot } from '../../../src/style/edit/edit-plan.ts';
import { silencedWarnings } from '../../../src/style/plan/talk-track.ts';
import { madeSlot, madeSong, madeTemplate } from './made-material.ts';
import { plannedTalk, RATE, silent, speaking, type TalkedTake } from './made-talk.ts';

const FRAME = 1 / RATE;
const PAUSES = [1, 1.2, 0.9, 1.4, 1, 1.1];
const one = speaking({ pauses: PAUSES }, 1);
const two = speaking({ pauses: [1.3, 0.8, 1], ends: [3, 4], role: 'talk' }, 2);
const others = [silent(8, 11), silent(6, 12), silent(7, 13)];

const isBRoll = ({ role }: PlannedSlot) => role === 'b_roll';
const end = ({ slots }: EditPlan) => slots.at(-1)!.endSeconds;

/** Where a moment of a take is heard in the output; null: it is left out. */
function heardAt({ talk }: EditPlan, take: number, seconds: number): number | null {
  const part = talk!.parts.find(
    (one) => one.take === take && seconds >= one.startFrame / RATE && seconds <= one.endFrame / RATE,
  );
  return part === undefined ? null : seconds + (part.outputFrame - part.startFrame) / RATE;
}

/** Every phrase is heard whole, in order, without a cut inside of it. */
function assertWords(plan: EditPlan, takes: readonly TalkedTake[]): void {
  let reached = 0;
  for (const [take, { phrases }] of takes.entries()) {
    if (plan.talk!.roles[take] !== 'talk') continue;
    for (const { startSeconds, endSeconds } of phrases) {
      const [from, to] = [heardAt(plan, take, startSeconds), heardAt(plan, take, endSeconds)];
      assert.ok(from !== null && to !== null, `take ${take}: ${startSeconds} s is not heard`);
      assert.ok(Math.abs(to - from - (endSeconds - startSeconds)) < 1e-6, `cut in ${startSeconds} s`);
      assert.ok(from >= reached, `take ${take}: ${startSeconds} s is out of order`);
      reached = to;
    }
  }
}

/** Slots without gaps; those of speakers show what is heard. */
function assertSlots(plan: EditPlan): void {
  let reached = 0;
  for (const slot of plan.slots) {
    assert.ok(Math.abs(slot.startSeconds - reached) < 1e-6, `a gap at ${reached} s`);
    reached = slot.endSeconds;
    if (isBRoll(slot)) continue;
    const heard = heardAt(plan, slot.take, slot.sourceStartSeconds + FRAME / 2);
    assert.ok(Math.abs(heard! - FRAME / 2 - slot.startSeconds) <= FRAME, `out of sync at ${reached} s`);
  }
  const { outputFrame, startFrame, endFrame } = plan.talk!.parts.at(-1)!;
  assert.equal(Math.round(reached * RATE), outputFrame + endFrame - startFrame);
}

describe('what is heard of a talk', () => {
  for (const [name, takes] of [
    ['one take', [one]],
    ['two takes with pictures between them', [one, others[0]!, two, others[1]!]],
    ['only takes that speak', [one, two]],
    ['speakers in turn', [one, two, speaking({ pauses: [1] }, 3), speaking({ pauses: [0.9] }, 4)]],
  ] as const)
    test(`${name}: every word, in order, in sync`, () => {
      const plan = plannedTalk(takes);
      assertWords(plan, takes);
      assertSlots(plan);
    });

  test('pauses last as long as those of the template, and the summary says by how much each take became shorter', () => {
    const { talk, takes } = plannedTalk([one, two, others[0]!]);
    const before = PAUSES.reduce((sum, pause) => sum + pause, 0);
    const left = 0.2 * PAUSES.length;
    assert.ok(Math.abs(talk!.removedSeconds[0]! - (before - left)) < 2 * FRAME * PAUSES.length + 0.3);
    assert.equal(talk!.removedSeconds[2], 0);
    const omitted = takes[0]!.passedOver;
    assert.deepEqual([...new Set(omitted.map(({ reason }) => reason.code))], ['pause']);
  });

  test('words of a take count: repeated ones go, in that take alone', () => {
    const said = ['We are here', 'so today we are', 'so today we are at the sea', 'and it is warm'];
    const cues = one.phrases.map((phrase, at) => ({ ...phrase, text: said[at] ?? '' }));
    const reasonsOf = (words: readonly (readonly TextCue[])[]) =>
      plannedTalk([one, two], {}, words).takes.map(({ passedOver }) =>
        passedOver.flatMap(({ reason }) => (reason.code === 'pause' ? [] : [reason.code])),
      );
    assert.deepEqual(reasonsOf([cues, []]), [['retake'], []]);
    assert.deepEqual(reasonsOf([]), [[], []]);
  });

  test('each removal has its time in the output: that of the join', () => {
    const plan = plannedTalk([one, two, others[0]!]);
    for (const [take, { phrases }] of [one, two].entries())
      for (const { startSeconds, endSeconds, reason } of plan.takes[take]!.passedOver) {
        const before = phrases.findLast((phrase) => phrase.endSeconds <= startSeconds);
        const at = Number(reason.values!['at_seconds']);
        if (before === undefined) {
          const first = plan.talk!.parts.find((part) => part.take === take)!;
          assert.equal(at, first.outputFrame / RATE, `before the first word of take ${take}`);
          continue;
        }
        // The pause before the join has the same length in the take and in the output.
        const pause = at - heardAt(plan, take, before.endSeconds)!;
        assert.ok(Math.abs(pause - (startSeconds - before.endSeconds)) < 1e-6, `${startSeconds} s`);
        assert.ok(endSeconds > startSeconds);
      }
  });

  test('silence about the takes is left out: a second at the ends of the talk, at least .6 s between takes', () => {
    const long = speaking({ pauses: [1], ends: [4, 5], role: 'talk' }, 5);
    const plan = plannedTalk([long, two]);
    assert.ok(Math.abs(heardAt(plan, 0, 4)! - 1) <= FRAME);
    const between = heardAt(plan, 1, 3)! - heardAt(plan, 0, long.phrases.at(-1)!.endSeconds)!;
    assert.ok(Math.abs(between - 0.6) <= 2 * FRAME, `${between} s between the takes`);
    assert.ok(Math.abs(end(plan) - heardAt(plan, 1, two.phrases.at(-1)!.endSeconds)! - 1) <= 2 * FRAME);
  });

  test('pauses that cannot be distinguished stay, and a warning names the take', () => {
    const noisy = speaking({ pauses: [1, 1], certainty: 1 }, 6);
    const plan = plannedTalk([noisy, one]);
    assert.equal(plan.talk!.removedSeconds[0], 0);
    assert.match(plan.warnings.find(({ code }) => code === 'TALK_LEFT')!.message, /^Take 1: /);
    assertWords(plan, [noisy, one]);
  });

  // [ratio of the repeat, reason of the first attempt; null: it stays, and a warning proposes it]
  for (const [ratio, reason] of [
    [0.4, 'retake'],
    [0.8, null],
  ] as const)
    test(`a phrase that is said again, ratio ${ratio}`, () => {
      const [, first, second] = one.phrases;
      const repeat = { firstSeconds: first!.startSeconds, secondSeconds: second!.startSeconds, ratio };
      const plan = plannedTalk([two, speaking({ pauses: PAUSES, repeats: [repeat] }, 1)]);
      const codes = new Set(plan.takes[1]!.passedOver.map(({ reason: { code } }) => code));
      assert.deepEqual([...codes].sort(), reason === null ? ['pause'] : ['pause', reason]);
      const proposed = plan.warnings.filter(({ code }) => code === 'TALK_PROPOSED');
      assert.equal(proposed.length, reason === null ? 1 : 0);
      if (reason === null)
        assert.match(
          proposed[0]!.message,
          /^Take 2: One part .*: [\d.]+ to [\d.]+ s\. Exclude these seconds of the take to leave them out\.$/,
        );
    });

  test('parts that are left out for two reasons are counted once', () => {
    const take = speaking({ pauses: [1], ends: [4, 1], exclude: [[0, 3.5]] }, 5);
    const plan = plannedTalk([take, two]);
    const { passedOver } = plan.takes[0]!;
    const seconds = passedOver.reduce((sum, span) => sum + span.endSeconds - span.startSeconds, 0);
    assert.ok(Math.abs(seconds - plan.talk!.removedSeconds[0]!) < 1e-6);
    const left = plan.talk!.parts.reduce(
      (sum, part) => sum + (part.take === 0 ? part.endFrame - part.startFrame : 0),
      0,
    );
    assert.ok(Math.abs(left / RATE + seconds - take.facts.video.durationSeconds) <= FRAME);
  });

  test('what is excluded is not heard', () => {
    const [, second] = one.phrases;
    const range = [second!.startSeconds - 0.1, second!.endSeconds + 0.1] as const;
    const plan = plannedTalk([speaking({ pauses: PAUSES, exclude: [range] }, 1)]);
    assert.equal(heardAt(plan, 0, second!.startSeconds + 1), null);
    assert.ok(plan.takes[0]!.passedOver.some(({ reason }) => reason.code === 'excluded'));
  });
});

describe('pictures over the cuts of a talk', () => {
  const takes = [one, others[0]!, two, others[1]!, others[2]!];
  const plan = plannedTalk(takes);
  const pictures = plan.slots.filter(isBRoll);

  test('each hides a cut, lasts at least 1.2 s, and shows what no other shows', () => {
    assert.ok(pictures.length >= 3, `${pictures.length} pictures`);
    const joins = plan
      .talk!.parts.filter(({ before }) => before.seconds > 0.35)
      .map(({ outputFrame }) => outputFrame / RATE);
    const moments = new Set<string>();
    for (const { startSeconds, endSeconds, take, sourceStartSeconds, reasons } of pictures) {
      assert.ok(endSeconds - startSeconds >= 1.2 - 1e-6);
      assert.ok(
        joins.some((at) => at >= startSeconds - 1e-6 && at < endSeconds),
        `${startSeconds} s hides nothing`,
      );
      assert.equal(reasons[0]!.code, 'hides_cut');
      for (let at = sourceStartSeconds; at < sourceStartSeconds + endSeconds - startSeconds; at += 0.5)
        moments.add(`${take}@${Math.floor(at / 0.5)}`);
    }
    const shown = pictures.reduce((sum, one) => sum + one.endSeconds - one.startSeconds, 0);
    assert.ok(moments.size >= Math.floor(shown / 0.5), 'a moment is shown twice');
  });

  test('the speaker is seen first, last, for a second of each take, between pictures, and half of the time', () => {
    const starts = plan
      .talk!.parts.filter(({ isTakeStart }) => isTakeStart)
      .map(({ outputFrame }) => outputFrame / RATE);
    let covered = 0;
    for (const [at, { startSeconds, endSeconds }] of pictures.entries()) {
      assert.ok(startSeconds >= 2);
      assert.ok(endSeconds <= end(plan) - 1);
      for (const start of starts) assert.ok(endSeconds <= start + 1e-6 || startSeconds >= start + 1 - 1e-6);
      assert.ok(at === 0 || startSeconds - pictures[at - 1]!.endSeconds >= 1.5 - 1e-6);
      covered += endSeconds - startSeconds;
      assert.ok(covered <= endSeconds / 2 + 1e-6);
    }
  });

  test('faulty moments are not shown', () => {
    const soft = silent(8, 11, { faults: [[0, 5, 'blurred']] });
    const { slots } = plannedTalk([one, soft]);
    const shown = slots.filter(isBRoll);
    assert.ok(shown.length > 0);
    for (const { sourceStartSeconds } of shown) assert.ok(sourceStartSeconds >= 5 - 1e-6);
  });

  test('one view is shown once, and the longest omission has it', () => {
    const still = silent(2, 21);
    const { slots, talk } = plannedTalk([speaking({ pauses: [0.8, 0.8, 3, 0.8] }, 1), still]);
    const shown = slots.filter(isBRoll);
    assert.equal(shown.length, 1);
    const longest = talk!.parts.reduce((most, part) =>
      part.before.seconds > most.before.seconds ? part : most,
    );
    const at = longest.outputFrame / RATE;
    assert.ok(at >= shown[0]!.startSeconds && at < shown[0]!.endSeconds);
  });

  test('few pictures are spread over the takes that speak', () => {
    const pauses = [1, 1, 1, 1, 1, 1];
    const second = speaking({ pauses: pauses.map((pause) => pause - 0.2) }, 3);
    const photos = [31, 32].map((seed) => silent(1, seed, { isPhoto: true }));
    const { slots, talk } = plannedTalk([speaking({ pauses }, 1), second, ...photos]);
    const start = talk!.parts.find(({ take }) => take === 1)!.outputFrame / RATE;
    assert.deepEqual(
      slots.filter(isBRoll).map(({ startSeconds }) => startSeconds >= start),
      [false, true],
    );
  });

  for (const share of [0.15, 0.3, 0.45, 0.55])
    test(`a clear share of the template, ${share}, is reached in its lengths, evenly`, () => {
      const talks = [
        speaking({ pauses: PAUSES.concat(PAUSES, PAUSES) }, 1),
        speaking({ pauses: Array.from({ length: 14 }, () => 0.3) }, 2),
      ];
      const slots = Array.from({ length: 12 }, (_, at) =>
        at % 2 === 1
          ? madeSlot(at % 4 === 1 ? 2 : 3, { speaks: true })
          : madeSlot(2.5 / share - 2.5, { speaks: true, size: 'close', returnsTo: at === 0 ? null : 0 }),
      );
      const plan = plannedTalk([...talks, ...[...Array(9).keys()].map((at) => silent(12, 40 + at))], {
        template: { ...madeTemplate([1]), slots },
      });
      assertSlots(plan);
      const shown = plan.slots.filter(isBRoll);
      const lengthsOf = ({ startSeconds, endSeconds }: PlannedSlot) => Math.round(endSeconds - startSeconds);
      assert.deepEqual([...new Set(shown.map(lengthsOf))].sort(), [2, 3]);
      const second = plan.talk!.parts.find(({ take }) => take === 1)!.outputFrame / RATE;
      const shareIn = (from: number, to: number) =>
        shown.reduce(
          (sum, one) => sum + Math.max(0, Math.min(to, one.endSeconds) - Math.max(from, one.startSeconds)),
          0,
        ) /
        (to - from);
      assert.ok(Math.abs(shareIn(0, end(plan)) - share) <= 0.05, `${shareIn(0, end(plan))} in all`);
      for (const [from, to] of [
        [0, second],
        [second, end(plan)],
      ] as const)
        assert.ok(Math.abs(shareIn(from, to) - share) <= 0.1, `${shareIn(from, to)} from ${from} s`);
      for (const [at, { startSeconds, endSeconds }] of shown.entries()) {
        assert.ok(startSeconds >= 2 && endSeconds <= end(plan) - 1);
        assert.ok(
          endSeconds <= second + 1e-6 || startSeconds >= second + 1 - 1e-6,
          'covers a face that begins',
        );
        assert.ok(at === 0 || startSeconds - shown[at - 1]!.endSeconds >= 1.5 - 1e-6);
      }
    });

  test('a photo hides a cut', () => {
    const { slots } = plannedTalk([one, silent(1, 31, { isPhoto: true })]);
    assert.equal(slots.filter(({ take }) => take === 1).length, 1);
  });

  test('pictures that are too short are left out, with the reason', () => {
    const { slots, takes, warnings } = plannedTalk([one, silent(1, 41, { mustUse: true })]);
    assert.equal(slots.filter(isBRoll).length, 0);
    assert.deepEqual(
      takes[1]!.passedOver.map(({ reason }) => reason.code),
      ['too_short_for_b_roll'],
    );
    assert.deepEqual(
      warnings.map(({ code }) => code),
      ['EDIT_TAKE_UNUSED', 'EDIT_NO_B_ROLL'],
    );
  });

  test('a take has the requested role, whatever is heard', () => {
    const { talk, slots } = plannedTalk([one, { ...two, role: 'b_roll' }]);
    assert.deepEqual(talk!.roles, ['talk', 'b_roll']);
    assert.ok(talk!.parts.every(({ take }) => take === 0));
    assert.ok(slots.filter(({ take }) => take === 1).every(isBRoll));
  });

  for (const [name, ends, role, warned] of [
    ['speaks for most of its time', [0.5, 0.5], 'talk', false],
    ['is silent for longer', [6, 6], 'b_roll', true],
  ] as const)
    test(`a take without a role that ${name} is ${role}`, () => {
      const take = speaking({ pauses: [2.4, 2.4], ends }, 7);
      const { talk, warnings } = plannedTalk([one, take]);
      assert.equal(talk!.roles[1], role);
      assert.equal(
        warnings.some(({ code }) => code === 'TALK_TAKE_SILENT'),
        warned,
      );
    });

  test('only a take that is silenced without a request is reported', () => {
    const { facts } = one;
    for (const [isRequested, role, count] of [
      [false, 'b_roll', 1],
      [true, 'b_roll', 0],
      [false, 'talk', 0],
    ] as const)
      assert.equal(silencedWarnings([{ facts, isRequested, role }]).length, count, `${isRequested} ${role}`);
  });

  test('its song begins where it is wanted, else with itself', () => {
    const song = madeSong(120, 60);
    for (const startSeconds of [null, 5]) {
      const music = { song, startSeconds, templateStartSeconds: null };
      assert.equal(plannedTalk([one], { music }).musicStartSeconds, startSeconds ?? 0);
    }
    assert.equal(plan.musicStartSeconds, null);
  });

  test('equal requests give equal plans', () => {
    assert.deepEqual(plannedTalk(takes), plan);
  });
});

describe('what a person changes in a talk', () => {
  const takes = [one, ...others];
  const plan = plannedTalk(takes);
  const numbers = plan.slots.flatMap((slot, at) => (isBRoll(slot) ? [at] : []));

  test('a pin shows its take in the slot, and all else stays', () => {
    const slot = numbers[0]!;
    const chosen = plan.slots[slot]!.alternatives[0]!;
    const pin = { slot, take: chosen.take, startSeconds: chosen.sourceStartSeconds };
    const pinned = plannedTalk(takes, { pins: [pin] });
    assert.equal(pinned.slots[slot]!.take, chosen.take);
    assert.ok(pinned.slots[slot]!.isPinned);
    assert.deepEqual(pinned.talk, plan.talk);
    assert.equal(pinned.slots.length, plan.slots.length);
  });

  test('a banned picture is not shown', () => {
    const { take, sourceStartSeconds: startSeconds, sourceEndSeconds: endSeconds } = plan.slots[numbers[0]!]!;
    const { slots } = plannedTalk(takes, { bans: [{ take, startSeconds, endSeconds }] });
    for (const slot of slots.filter((one) => one.take === take))
      assert.ok(slot.sourceEndSeconds <= startSeconds + 1e-3 || slot.sourceStartSeconds >= endSeconds - 1e-3);
  });

  test('a banned part of a speaker is not heard', () => {
    const { startSeconds, endSeconds } = one.phrases[2]!;
    const banned = plannedTalk(takes, { bans: [{ take: 0, startSeconds, endSeconds }] });
    assert.equal(heardAt(banned, 0, startSeconds + 1), null);
    assert.ok(banned.takes[0]!.passedOver.some(({ reason }) => reason.code === 'banned'));
  });

  test('a seed gives other pictures over the same talk', () => {
    const other = plannedTalk(takes, { seed: 3 });
    assert.deepEqual(other.talk, plan.talk);
    const choices = ({ slots }: EditPlan) =>
      slots.filter(isBRoll).map((one) => `${one.take}@${one.sourceStartSeconds}`);
    assert.notDeepEqual(choices(other), choices(plan));
  });

  const speaker = plan.slots.findIndex(({ role }) => role === 'talk');
  for (const [name, pin, path, message] of [
    ['a slot with a speaker', { slot: speaker, take: 1 }, 'slot', /shows a speaker.* it is in \d/],
    ['a slot that is not there', { slot: 900, take: 1 }, 'slot', /has the slots 0 to/],
    ['a take that speaks', { slot: numbers[0]!, take: 0 }, 'video_id', /speaks/],
  ] as const)
    test(`a pin of ${name} is refused`, () => {
      assert.throws(
        () => plannedTalk(takes, { pins: [{ ...pin, startSeconds: null }] }),
        (error) =>
          isFailure(error) &&
          error.code === 'VALIDATION_ERROR' &&
          error.fields?.[0]?.path === `edit.pins.0.${path}` &&
          message.test(error.fields[0].message),
      );
    });
});

describe('takes that are no talk', () => {
  for (const [name, takes, code, field, message] of [
    ['nobody speaks', others, 'INPUT_UNSUPPORTED', 'NOBODY_SPEAKS', /; nobody speaks in any\. Give/],
    [
      'too little is said',
      [others[0]!, speaking({ pauses: [5, 5], ends: [4, 4] })],
      'INPUT_UNSUPPORTED',
      'NOBODY_SPEAKS',
      /half of the time or more; the most is 25 %, in take 1\. Give/,
    ],
    [
      'all that is said is excluded',
      [speaking({ pauses: [], exclude: [[0, 9]] })],
      'INPUT_UNSUPPORTED',
      'NOTHING_USABLE',
      /can be used/,
    ],
  ] as const)
    test(name, () => {
      assert.throws(
        () => plannedTalk(takes),
        (error) =>
          isFailure(error, code) &&
          error.fields?.[0]?.code === field &&
          message.test(error.fields[0].message),
      );
    });

  test('a talk of an hour is planned in seconds', () => {
    const hour = speaking({ pauses: Array.from({ length: 1200 }, (_, at) => 0.6 + (at % 7) / 5) }, 9);
    const startedAt = performance.now();
    const plan = plannedTalk([hour, ...others]);
    assertWords(plan, [hour]);
    assertSlots(plan);
    assert.ok(performance.now() - startedAt < 10_000);
  });
});
