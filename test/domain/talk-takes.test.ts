/** Which edits are talks, and which options fit one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type EditInput, editSchema } from '../../src/domain/edit-options.ts';
import { type EditVideo, editErrors, wholeEdit } from '../../src/domain/edit-takes.ts';
import { talkSchema } from '../../src/domain/talk-schema.ts';
import { isTalkEdit } from '../../src/domain/talk-takes.ts';

const id = (digit: string) => `019aa3f1-0d52-7c3b-8f42-${digit.repeat(12)}`;
const [A, B, PHOTO, SONG, MUTE] = ['a', 'b', 'c', 'd', 'e'].map(id) as [
  string,
  string,
  string,
  string,
  string,
];
const videos = new Map<string, EditVideo>([
  [A, { kind: 'video', durationSeconds: 20, hasAudio: true }],
  [B, { kind: 'video', durationSeconds: 10, hasAudio: true }],
  [PHOTO, { kind: 'image', durationSeconds: 0, hasAudio: false }],
  [SONG, { kind: 'audio', durationSeconds: 180, hasAudio: true }],
  [MUTE, { kind: 'video', durationSeconds: 5, hasAudio: false }],
]);
const errorsOf = (talk: unknown, edit: EditInput) =>
  editErrors(A, editSchema.parse(edit), (videoId) => videos.get(videoId), talkSchema.parse(talk)).map(
    ({ path, message }) => `${path} ${message}`,
  );
const take = (video_id: string, role?: 'auto' | 'talk' | 'b_roll') => ({ video_id, ...(role && { role }) });

describe('an edit is a talk', () => {
  for (const [talk, role, wanted] of [
    ['on', undefined, true],
    ['on', 'b_roll', true],
    ['auto', undefined, false],
    ['auto', 'auto', false],
    ['auto', 'b_roll', false],
    ['auto', 'talk', true],
    ['off', 'talk', false],
  ] as const)
    test(`talk ${talk}, role ${role}: ${wanted}`, () => {
      const { takes } = editSchema.parse({ takes: [take(B, role)] });
      assert.equal(isTalkEdit(talkSchema.parse(talk), takes), wanted);
    });

  test('a take that is named twice keeps its role', () => {
    const { takes } = wholeEdit(A, editSchema.parse({ takes: [take(B, 'talk'), take(B)] }));
    assert.deepEqual(
      takes.map(({ role }) => role),
      [undefined, 'talk'],
    );
  });
});

describe('options of a talk', () => {
  for (const [name, talk, edit, wanted] of [
    ['fit', 'on', { takes: [take(B), take(PHOTO, 'b_roll')], music: { video_id: SONG }, sound: 'mix' }, null],
    [
      'a role without a talk',
      'auto',
      { takes: [take(B, 'b_roll')] },
      /takes.0.role is "b_roll", which only a talk/,
    ],
    ['a speaker where talks are off', 'off', { takes: [take(B, 'talk')] }, /takes.0.role is "talk".*"on"/],
    ['a photo that speaks', 'on', { takes: [take(PHOTO, 'talk')] }, /takes.0.role is "talk".*is a photo/],
    [
      'a silent take that speaks',
      'on',
      { takes: [take(MUTE, 'talk')] },
      /takes.0.role is "talk".*has no sound/,
    ],
    ['nobody may speak', 'on', { takes: [take(A, 'b_roll'), take(B, 'b_roll')] }, /takes are all "b_roll"/],
    ['seconds', 'on', { duration: 30 }, /edit.duration is 30, but a talk lasts/],
    [
      'the length of a song',
      'on',
      { duration: 'music', music: { video_id: SONG } },
      /edit.duration is "music"/,
    ],
    ['a loose rhythm', 'on', { rhythm: 'loose' }, /edit.rhythm is "loose"/],
    ['lengths', 'on', { lengths: [{ slot: 0, beats: 1 }] }, /edit.lengths are for edits/],
    ['the same in a reel', 'auto', { duration: 30, rhythm: 'loose', lengths: [{ slot: 0, beats: 1 }] }, null],
  ] as const)
    test(name, () => {
      const errors = errorsOf(talk, edit as EditInput);
      if (wanted === null) assert.deepEqual(errors, []);
      else {
        assert.equal(errors.length, 1);
        assert.match(errors[0]!, wanted);
      }
    });
});
