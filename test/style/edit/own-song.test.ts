/** Cuts of a template on the song that it was cut to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutRequest } from '../../../src/style/edit/cut-plan.ts';
import type { TemplateEdit } from '../../../src/style/edit/edit-plan.ts';
import { BEATS, cutsOf, lengthsOf, offBeat, onBeatShare, RATE } from './made-cuts.ts';
import { madeSong, madeTemplate } from './made-material.ts';

test('the template’s own song: its cut times, if they follow it or any rhythm is wanted', () => {
  const follows = madeTemplate(BEATS);
  const free = offBeat(follows, 3);
  const song = madeSong(120, 200);
  const rows: readonly (readonly [string, TemplateEdit, CutRequest['rhythm'], boolean])[] = [
    ['follows the beat', follows, 'on_beat', true],
    ['follows none', free, 'on_beat', false],
    ['follows none, loose', free, 'loose', true],
    ['too few cuts', { ...free, slots: free.slots.slice(0, 12) }, 'on_beat', true],
  ];
  for (const [name, template, rhythm, isCopied] of rows) {
    const seconds = template.slots.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    const music = { song, startSeconds: null, templateStartSeconds: 8 };
    const plan = cutsOf({ template, rhythm, music, seconds });
    const wanted = template.slots.map(({ durationSeconds }) => durationSeconds);
    const lengths = lengthsOf(plan);
    const isSame =
      lengths.length === wanted.length &&
      lengths.every((one, at) => Math.abs(one - wanted[at]) <= 1.01 / RATE);
    assert.equal(isSame, isCopied, name);
    assert.equal(plan.musicStartSeconds, 8);
    if (!isCopied) assert.equal(onBeatShare(plan, song), 1, name);
  }
});

test('the template’s own song, when it or the request ends before the template', () => {
  const template = madeTemplate([4, 4, 4, 4, 4, 4]);
  const own = (soundEndSeconds: number, seconds: number) => {
    const song = { ...madeSong(120, 100), soundEndSeconds };
    const music = { song, startSeconds: null, templateStartSeconds: 8 };
    return lengthsOf(cutsOf({ template, music, seconds }));
  };
  const whole = [2, 2, 2, 2, 2, 2];
  const rows = [
    ['longer by 5 %', own(50, 12 * 1.05), whole],
    ['longer by less than a last shot', own(50, 12.66), [2, 2, 2, 2, 2, 2.66]],
    ['the song ends .3 s earlier', own(19.7, 12), [2, 2, 2, 2, 2, 1.7]],
    ['the request ends .3 s earlier', own(50, 11.7), [2, 2, 2, 2, 2, 1.7]],
    ['no last shot below 1 s', own(50, 10.5), [2, 2, 2, 2, 2.5]],
    ['nor a sliver at the end of its song', own(19.5, 12), [2, 2, 2, 2, 2, 1.5]],
  ] as const;
  for (const [name, lengths, wanted] of rows)
    assert.deepEqual(
      lengths.map((length) => Math.round(length * RATE)),
      wanted.map((length) => Math.round(length * RATE)),
      name,
    );
});

test('the template’s own song: a last shot as short as the template’s own, but only at the template’s end', () => {
  const own = (beats: readonly number[], seconds: number) => {
    const music = { song: madeSong(120, 100), startSeconds: null, templateStartSeconds: 8 };
    return lengthsOf(cutsOf({ template: madeTemplate(beats), music, seconds }));
  };
  // The template has 9.5 s; 5 % of them are .475 s.
  const beats = [4, 4, 4, 4, 2, 1];
  const rows = [
    [9.4, [2, 2, 2, 2, 1, 0.4]],
    [9.1, [2, 2, 2, 2, 1.1]],
    [8.9, [2, 2, 2, 2.9]],
    [9.05, [2, 2, 2, 2, 1.05]],
  ] as const;
  for (const [seconds, wanted] of rows)
    assert.deepEqual(
      own(beats, seconds).map((length) => Number(length.toFixed(1))),
      wanted.map((length) => Number(length.toFixed(1))),
      `${seconds} s`,
    );
});

test('beyond the template its own song continues on the beats of the part that is played', () => {
  // 7.8 s of the template, from .1 s after a beat.
  const song = madeSong(120, 100);
  const music = { song, startSeconds: null, templateStartSeconds: 8.1 };
  const plan = cutsOf({ template: madeTemplate([4, 4, 4, 3.6]), music, seconds: 16 });
  const cuts = plan.slots.map(({ endFrame }) => endFrame);
  assert.deepEqual(cuts.slice(0, 4), [60, 120, 180, 234], 'as in the template');
  assert.equal(cuts.at(-1), 480);
  assert.equal(plan.musicStartSeconds, 8.1);
  const later = { ...plan, slots: plan.slots.slice(4) };
  assert.ok(later.slots.length >= 3);
  assert.equal(onBeatShare(later, song), 1);
});

test('beyond the template its own song without beats continues in the template’s lengths', () => {
  const music = {
    song: { ...madeSong(120, 100), beats: [] },
    startSeconds: null,
    templateStartSeconds: 8.1,
  };
  for (const [seconds, ends] of [
    [16, [60, 120, 180, 240, 300, 360, 420, 480]],
    [14, [60, 120, 180, 240, 300, 360, 420]],
    [8.4, [60, 120, 180, 240]],
  ] as const) {
    const plan = cutsOf({ template: madeTemplate([4, 4, 4, 4]), music, seconds });
    assert.deepEqual(
      plan.slots.map(({ endFrame }) => endFrame),
      ends,
    );
    assert.equal(plan.musicStartSeconds, 8.1);
  }
  // More than 5 % longer is not cut off.
  const longer = cutsOf({ template: madeTemplate([4, 4, 4, 4]), music, seconds: 8.44 });
  assert.equal(longer.slots.at(-1)!.endFrame, Math.round(8.44 * RATE));
});

test('beyond a template that ends within a frame, the edit has the frames that were requested', () => {
  const music = { song: madeSong(120, 100), startSeconds: null, templateStartSeconds: 8 };
  // 7.75 s are 232.5 frames.
  const plan = cutsOf({ template: madeTemplate([4, 4, 4, 3.5]), music, seconds: 16 });
  assert.equal(plan.slots.at(-1)!.endFrame, 480);
});

test('another part of the template’s song is another song', () => {
  // [start that a person chose, start of the template, start of the edit]; the song ends at second 50.
  for (const [startSeconds, templateStartSeconds, expected] of [
    [null, 8, 8],
    [8.04, 8, 8],
    [7.96, 8, 8],
    [8.06, 8, 8.06],
    [7.94, 8, 7.94],
    [null, 49, 49],
    [null, 49.1, null],
  ] as const) {
    const music = { song: madeSong(120, 100), startSeconds, templateStartSeconds };
    const { musicStartSeconds } = cutsOf({ template: madeTemplate([4, 4, 4, 4]), music, seconds: 8 });
    if (expected === null) assert.ok(musicStartSeconds! < 45);
    else assert.equal(musicStartSeconds, expected);
  }
});

test('the template’s own song: takes in order are looked up at places of the whole edit', () => {
  const template = madeTemplate([4, 4, 4, 4]);
  const music = { song: madeSong(120, 100), startSeconds: null, templateStartSeconds: 8 };
  // The takes have runs of 1 s in one half, of 10 s in the other.
  for (const [first, second] of [
    [1, 10],
    [10, 1],
  ] as const) {
    const longestAt = (place: number) => (place < 0.5 ? first : second);
    const { slots } = cutsOf({ template, music, seconds: 16, longestAt });
    for (const { startFrame, endFrame } of slots.filter((slot) => slot.startFrame !== 8 * RATE)) {
      const isShort = (startFrame < 8 * RATE ? first : second) === 1;
      const seconds = (endFrame - startFrame) / RATE;
      assert.ok(isShort ? seconds <= 1.06 : seconds >= 1.5, `${seconds} s at ${startFrame}`);
    }
  }
});
