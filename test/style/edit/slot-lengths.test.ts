import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EditLength, EditPlan, EditRequest } from '../../../src/style/edit/edit-plan.ts';
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

const BEATS = [4, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 2, 8];
const music = (bpm: number) => ({ song: madeSong(bpm, 240), startSeconds: null, templateStartSeconds: null });
/** A beat of 12.86 frames. */
const REQUEST = madeRequest({ takes: makeTakes(12, 20), template: madeTemplate(BEATS), music: music(140) });
const PLAN = planEdit(REQUEST);

function withLengths(lengths: readonly EditLength[], more: Partial<EditRequest> = {}): EditPlan {
  return planEdit({ ...REQUEST, ...more, lengths });
}

/** Slots whose take and in-point are the same. */
function sameShare(one: EditPlan, other: EditPlan): number {
  const [first, second] = [choicesOf(one), choicesOf(other)];
  return first.filter((choice, at) => choice === second[at]).length / first.length;
}

function takesOf({ slots }: EditPlan): number[] {
  return slots.map(({ take }) => take);
}

/** Frame of a beat of the song in the output. */
function beatFrame({ musicStartSeconds }: EditPlan, beat: number): number {
  return Math.round((REQUEST.music!.song.beats[beat]!.timeSeconds - musicStartSeconds!) * 30);
}

function movedCuts(plan: EditPlan, before = PLAN): number[] {
  const cuts = cutFrames(before);
  return cutFrames(plan).flatMap((frame, at) => (frame === cuts[at] ? [] : [at + 1]));
}

const fieldOf = (path: string, words: RegExp) => (error: unknown) => {
  const { code, fields } = error as { code: string; fields: { path: string; message: string }[] };
  assert.equal(code, 'VALIDATION_ERROR');
  assert.equal(fields[0]!.path, path);
  assert.match(fields[0]!.message, words);
  return true;
};

describe('lengths of slots', () => {
  test('a beat more: the cut after the slot moves to the next beat, to the frame, and nothing else', () => {
    const plan = withLengths([{ slot: 5, beats: 1 }]);
    assert.deepEqual(movedCuts(plan), [6]);
    assert.equal(Math.round(plan.slots[6]!.startSeconds * 30), beatFrame(plan, PLAN.slots[6]!.beat! + 1));
    assert.equal(plan.slots[6]!.beat, PLAN.slots[6]!.beat! + 1);
    assert.deepEqual(plan.slots.map(({ beatsChanged }) => beatsChanged).slice(4, 8), [0, 1, -1, 0]);
    assert.equal(plan.slots.at(-1)!.endSeconds, PLAN.slots.at(-1)!.endSeconds);
    assert.deepEqual(takesOf(plan), takesOf(PLAN));
    assert.deepEqual(choicesOf(plan).toSpliced(6, 1), choicesOf(PLAN).toSpliced(6, 1));
  });

  test('the neighbor keeps its pictures on the music: it begins later in its take as well', () => {
    const [before, after] = [PLAN.slots[6]!, withLengths([{ slot: 5, beats: 1 }]).slots[6]!];
    const later = after.startSeconds - before.startSeconds;
    assert.ok(Math.abs(after.sourceStartSeconds - before.sourceStartSeconds - later) < 1e-3);
  });

  test('a beat less: the next slot begins a beat earlier', () => {
    const plan = withLengths([{ slot: 6, beats: -1 }]);
    assert.deepEqual(movedCuts(plan), [7]);
    assert.equal(plan.slots[7]!.beat, PLAN.slots[7]!.beat! - 1);
    assert.ok(sameShare(plan, PLAN) >= 0.8);
  });

  test('slots without a beat to spare are passed by: those between move', () => {
    const plan = withLengths([{ slot: 2, beats: 1 }]);
    assert.deepEqual(movedCuts(plan), [3, 4, 5], 'slots 3 and 4 have one beat each, slot 5 has two');
    assert.deepEqual(plan.slots.map(({ beatsChanged }) => beatsChanged).slice(2, 6), [1, 0, 0, -1]);
    assert.ok(sameShare(plan, PLAN) >= 0.8);
  });

  test('the last slot takes from those before it', () => {
    const last = PLAN.slots.length - 1;
    const plan = withLengths([{ slot: last, beats: 1 }]);
    assert.deepEqual(movedCuts(plan), [last]);
    assert.equal(plan.slots[last]!.endSeconds, PLAN.slots[last]!.endSeconds);
  });

  test('wishes about neighbors hold together, whatever their order', () => {
    const wishes = [
      { slot: 5, beats: 1 },
      { slot: 6, beats: 1 },
    ];
    const plan = withLengths(wishes);
    assert.deepEqual(plan.slots.map(({ beatsChanged }) => beatsChanged).slice(5, 7), [1, 1]);
    assert.deepEqual(withLengths(wishes.toReversed()), plan);
  });

  test('a slot that stays as planned gives nothing', () => {
    const plan = withLengths([
      { slot: 5, beats: 1 },
      { slot: 6, beats: 0 },
    ]);
    assert.deepEqual(plan.slots.map(({ beatsChanged }) => beatsChanged).slice(5, 8), [1, 0, -1]);
  });

  test('where no slot has the time, the end moves', () => {
    const plan = withLengths(PLAN.slots.map((_, slot) => ({ slot, beats: slot === 5 ? 1 : 0 })));
    const beat = 60 / 140;
    assert.ok(Math.abs(plan.slots.at(-1)!.endSeconds - PLAN.slots.at(-1)!.endSeconds - beat) <= 1 / 30);
  });

  test('without a song a beat is one of the template', () => {
    const [before, plan] = [{}, { lengths: [{ slot: 5, beats: 1 }] }].map((more) =>
      planEdit({ ...REQUEST, music: null, ...more }),
    );
    assert.equal(cutFrames(plan!)[5]! - cutFrames(before!)[5]!, 15);
  });

  test('a pin of the slot stays, and follows its new length', () => {
    const pins = [{ slot: 5, take: 3, startSeconds: 2 }];
    const plan = withLengths([{ slot: 5, beats: 2 }], { pins });
    const { take, sourceStartSeconds, sourceEndSeconds, startSeconds, endSeconds } = plan.slots[5]!;
    assert.deepEqual([take, sourceStartSeconds], [3, 2]);
    assert.ok(Math.abs(sourceEndSeconds - 2 - (endSeconds - startSeconds)) < 1e-3);
  });

  test('a take that ends too soon begins earlier', () => {
    const takes = [3, 4.2, 3, 3, 3].map((seconds, at) =>
      madeTake({ content: contentOf(at + 1), seconds, seed: at + 1 }),
    );
    const short = { ...REQUEST, takes, template: madeTemplate([6, 6, 6, 6]) };
    const before = planEdit(short);
    const slot = before.slots.findIndex(({ take }) => take === 1);
    const plan = planEdit({ ...short, lengths: [{ slot, beats: 1 }] });
    assert.deepEqual(takesOf(plan), takesOf(before));
    assert.ok(plan.slots[slot]!.sourceEndSeconds <= 4.2 + 0.05);
  });
});

describe('lengths that cannot be followed', () => {
  const refused = (
    lengths: readonly EditLength[],
    path: string,
    words: RegExp,
    more: Partial<EditRequest> = {},
  ) => assert.throws(() => withLengths(lengths, more), fieldOf(path, words));

  test('no such slot', () =>
    refused(
      [{ slot: 99, beats: 1 }],
      'edit.lengths.0.slot',
      new RegExp(`is 99.*slots 0 to ${PLAN.slots.length - 1}`),
    ));

  test('a slot named twice', () =>
    refused(
      [
        { slot: 1, beats: 1 },
        { slot: 1, beats: 2 },
      ],
      'edit.lengths.1.slot',
      /names already/,
    ));

  test('shorter than the shortest slot', () =>
    refused([{ slot: 3, beats: -1 }], 'edit.lengths.0.beats', /slot 3 0\.00 s.*0\.30 s/));

  test('longer than the material', () =>
    refused(
      [{ slot: 6, beats: 14 }],
      'edit.lengths.0.beats',
      /slot 6 .*longest usable part of the takes has 6\.00 s/,
      {
        takes: makeTakes(20, 6),
      },
    ));

  test('longer than the song', () => {
    const short = { music: { ...music(140), song: madeSong(140, 46) } };
    const count = withLengths([], short).slots.length;
    const lengths = Array.from({ length: count }, (_, slot) => ({ slot, beats: slot === 5 ? 3 : 0 }));
    refused(lengths, 'edit.lengths', /the music ends after/, short);
  });
});
