import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type EditInput, editSchema } from '../../src/domain/edit-options.ts';
import {
  type EditVideo,
  editErrors,
  inSentFields,
  wholeEdit,
  withTemplateSong,
} from '../../src/domain/edit-takes.ts';
import { USUAL_TALK } from '../../src/domain/talk-options.ts';

const id = (digit: string) => `019aa3f1-0d52-7c3b-8f42-${digit.repeat(12)}`;
const [A, B, PHOTO, SONG, MUTE, ARRIVING] = ['a', 'b', 'c', 'd', 'e', 'f'].map(id);

const videos = new Map<string, EditVideo | null>([
  [A, { kind: 'video', durationSeconds: 20, hasAudio: true }],
  [B, { kind: 'video', durationSeconds: 10, hasAudio: true }],
  [PHOTO, { kind: 'image', durationSeconds: 0, hasAudio: false }],
  [SONG, { kind: 'audio', durationSeconds: 180, hasAudio: true }],
  [MUTE, { kind: 'video', durationSeconds: 5, hasAudio: false }],
  [ARRIVING, null],
]);

const errorsOf = (edit: EditInput, source = A) =>
  editErrors(source, editSchema.parse(edit), (videoId) => videos.get(videoId), USUAL_TALK);

describe('edit takes', () => {
  test('all takes in order, each once, with all its options', () => {
    const edit = editSchema.parse({
      takes: [
        { video_id: B.toUpperCase(), exclude: [[0, 1]] },
        { video_id: A, exclude: [[3, 4]] },
        { video_id: B, exclude: [[2, 3]], must_use: true },
      ],
      music: { video_id: SONG.toUpperCase() },
    });
    const whole = wholeEdit(A, edit);
    assert.deepEqual(whole.takes, [
      { video_id: A, exclude: [[3, 4]], must_use: false },
      {
        video_id: B,
        exclude: [
          [0, 1],
          [2, 3],
        ],
        must_use: true,
      },
    ]);
    assert.equal(whole.music?.video_id, SONG);
    assert.deepEqual(wholeEdit(A, whole), whole, 'a whole edit stays as it is');
  });

  test('a sound file as the template is the song, if no other is named', () => {
    const song = { videoId: SONG.toUpperCase(), kind: 'audio' } as const;
    const musicOf = (
      edit: EditInput,
      template: Parameters<typeof withTemplateSong>[1],
      range?: [number, number],
    ) => withTemplateSong(editSchema.parse(edit), template, range).music;
    assert.deepEqual(musicOf({}, song), { video_id: SONG, start_seconds: null });
    assert.deepEqual(musicOf({}, song, [30, 60]), { video_id: SONG, start_seconds: 30 });
    assert.equal(musicOf({ music: { video_id: B } }, song)?.video_id, B);
    assert.equal(musicOf({}, { videoId: B, kind: 'video' }), null);
    assert.equal(musicOf({}, null), null);
  });

  for (const [what, edit, path, text, contradicted = []] of [
    ['an unknown take', { takes: [{ video_id: id('9') }] }, 'edit.takes.0.video_id', id('9')],
    ['a song as a take', { takes: [{ video_id: SONG }] }, 'edit.takes.0.video_id', 'edit.music'],
    ['an unknown song', { music: { video_id: id('9') } }, 'edit.music.video_id', id('9')],
    ['a photo as music', { music: { video_id: PHOTO } }, 'edit.music.video_id', 'is an image'],
    ['a silent video as music', { music: { video_id: MUTE } }, 'edit.music.video_id', 'has no sound'],
    [
      'a start after the song',
      { music: { video_id: SONG, start_seconds: 200 } },
      'edit.music.start_seconds',
      '180.00 s',
    ],
    [
      'a start at the end of the song',
      { music: { video_id: SONG, start_seconds: 179.99 } },
      'edit.music.start_seconds',
      '179.99 s leaves 0.01 s of the song, which runs for 180.00 s; an edit plays at least 1 s of it, so begin at 179.00 s or earlier',
    ],
    ['the length of no song', { duration: 'music' }, 'edit.duration', '"template"'],
    [
      'an exclusion past the end',
      { takes: [{ video_id: A, exclude: [[18, 25]] }] },
      'edit.takes.0.exclude.0',
      '20.00 s',
    ],
    ['a pin of no take', { pins: [{ slot: 0, video_id: B }] }, 'edit.pins.0.video_id', A],
    [
      'a pin past the end',
      { pins: [{ slot: 0, video_id: A, start_seconds: 20 }] },
      'edit.pins.0.start_seconds',
      '20.00 s',
    ],
    [
      'a pin in an excluded part',
      {
        takes: [{ video_id: A, exclude: [[2, 5]] }],
        pins: [{ slot: 0, video_id: A, start_seconds: 3 }],
      },
      'edit.pins.0.start_seconds',
      '[2, 5]',
      ['edit.takes.0.exclude.0'],
    ],
    [
      'a pin in a ban',
      {
        bans: [
          { video_id: A, range: [0, 1] },
          { video_id: A, range: [2, 5] },
        ],
        pins: [{ slot: 0, video_id: A, start_seconds: 3 }],
      },
      'edit.pins.0.start_seconds',
      '[2, 5] (edit.bans.1.range)',
      ['edit.bans.1.range'],
    ],
    [
      'a pin of a take of which nothing is left',
      {
        takes: [{ video_id: B, exclude: [[5, 10]] }],
        bans: [{ video_id: B, range: [0, 5] }],
        pins: [{ slot: 0, video_id: B }],
      },
      'edit.pins.0.video_id',
      'edit.takes.0.exclude.0 and edit.bans.0.range leaves 0.00 s',
      ['edit.takes.0.exclude.0', 'edit.bans.0.range'],
    ],
    [
      'a pin of a banned photo',
      {
        takes: [{ video_id: PHOTO }],
        bans: [{ video_id: PHOTO, range: [0, 2] }],
        pins: [{ slot: 0, video_id: PHOTO }],
      },
      'edit.pins.0.video_id',
      'is a photo that edit.bans.0.range does not allow',
      ['edit.bans.0.range'],
    ],
    [
      'a slot pinned twice',
      {
        pins: [
          { slot: 1, video_id: A },
          { slot: 1, video_id: A, start_seconds: 2 },
        ],
      },
      'edit.pins.1.slot',
      'slot 1',
    ],
    [
      'a slot with two lengths',
      {
        lengths: [
          { slot: 1, beats: 1 },
          { slot: 1, beats: -1 },
        ],
      },
      'edit.lengths.1.slot',
      'slot 1',
    ],
    ['a ban of no take', { bans: [{ video_id: B, range: [0, 1] }] }, 'edit.bans.0.video_id', A],
    ['a ban past the end', { bans: [{ video_id: A, range: [15, 21] }] }, 'edit.bans.0.range', '20.00 s'],
    ['a ban of everything', { bans: [{ video_id: A, range: [0, 20] }] }, 'edit.takes', 'nothing of any take'],
    [
      'a take that must be used and is banned in two parts',
      {
        takes: [{ video_id: B, must_use: true, exclude: [[5, 10]] }],
        bans: [{ video_id: B, range: [0, 5] }],
      },
      'edit.takes.0.must_use',
      B,
      ['edit.takes.0.exclude.0', 'edit.bans.0.range'],
    ],
    [
      'a photo that must be used and is banned',
      {
        takes: [{ video_id: PHOTO, must_use: true }],
        bans: [{ video_id: PHOTO, range: [0, 2] }],
      },
      'edit.takes.0.must_use',
      PHOTO,
      ['edit.bans.0.range'],
    ],
    ['a title after the end', { duration: 10, titles: [{ at: 12, text: 'x' }] }, 'edit.titles.0.at', '10 s'],
  ] as readonly (readonly [string, EditInput, string, string, (readonly string[])?])[]) {
    test(`refuses ${what}, with the value and what would be right`, () => {
      const [error, ...others] = errorsOf(edit);
      assert.equal(error?.path, path);
      assert.ok(error.message.includes(text), error.message);
      assert.deepEqual(
        others.map((other) => other.path),
        contradicted,
      );
      for (const { message } of others) assert.match(message, /^forbids .*edit\.(pins|takes)\.0/);
    });
  }

  test('fields of a whole edit are named as they were sent', () => {
    const edit = editSchema.parse({
      takes: [
        { video_id: B, exclude: [[0, 1]] },
        { video_id: A, exclude: [[2, 3]] },
        { video_id: B.toUpperCase(), exclude: [[4, 5]] },
      ],
    });
    const text = 'edit.takes.0.exclude.0, edit.takes.1.exclude.0, edit.takes.1.exclude.1, edit.pins.1';
    const sent = 'edit.takes.1.exclude.0, edit.takes.0.exclude.0, edit.takes.2.exclude.0, edit.pins.1';
    assert.equal(inSentFields(A, edit, text), sent);
  });

  test('refuses a song as the source', () => {
    assert.equal(errorsOf({}, SONG)[0]?.path, 'video_id');
  });

  test('fifty takes are allowed, the source included', () => {
    const takes = Array.from({ length: 50 }, (_, index) => ({
      video_id: `019aa3f1-0d52-7c3b-8f42-${String(index).padStart(12, '0')}`,
    }));
    const video: EditVideo = { kind: 'video', durationSeconds: 9, hasAudio: true };
    const errors = (source: string) =>
      editErrors(source, editSchema.parse({ takes }), () => video, USUAL_TALK);
    assert.deepEqual(errors(takes[49]!.video_id), []);
    assert.equal(errors(A)[0]?.path, 'edit.takes');
    assert.match(errors(A)[0]!.message, /these are 51/);
  });

  test('videos that are still being imported are not checked', () => {
    const edit = {
      takes: [{ video_id: ARRIVING, exclude: [[0, 900]], must_use: true }],
      music: { video_id: ARRIVING, start_seconds: 900 },
      pins: [{ slot: 0, video_id: ARRIVING, start_seconds: 990 }],
    } satisfies EditInput;
    assert.deepEqual(errorsOf(edit), []);
  });

  test('times in tenths of a second reach to the end', () => {
    assert.deepEqual(errorsOf({ takes: [{ video_id: B, exclude: [[8, 10.05]] }] }), []);
  });
});
