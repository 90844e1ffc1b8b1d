import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
} from 'node-av/constants';
import { readTextTrack } from '../../src/media/read/text-track.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { type MadeTrack, withTextTracks } from '../support/text-tracks.ts';

const folder = temporaryFolder();
const clip = await makeClip(folder, {
  name: 'clip',
  durationSeconds: 1,
  width: 64,
  height: 36,
  silent: true,
});
let made = 0;

async function readBack(container: string, tracks: readonly MadeTrack[]) {
  const track = await readTextTrack(
    await withTextTracks(clip, join(folder, `${made++}.${container}`), tracks),
  );
  return track === null
    ? null
    : {
        markup: track.markup,
        cues: track.cues.map(({ text, startSeconds, endSeconds }) => [startSeconds, endSeconds, text]),
      };
}

const textTrack = (text: string, more: Partial<MadeTrack> = {}): MadeTrack => ({
  codec: 'subrip',
  cues: [[200, 500, text]],
  ...more,
});

for (const { container, codec, payload, markup, text } of [
  { container: 'mp4', codec: 'mov_text', payload: 'Grüße, {you}', markup: 'tags', text: 'Grüße, {you}' },
  { container: 'mkv', codec: 'subrip', payload: '<i>Hello</i>', markup: 'tags', text: '<i>Hello</i>' },
  { container: 'mkv', codec: 'webvtt', payload: '<v Ann>Hi', markup: 'tags', text: '<v Ann>Hi' },
  {
    container: 'mkv',
    codec: 'ass',
    payload: '0,0,Default,Name,0,0,0,,{\\b1}One, two,\\Nthree',
    markup: 'ass',
    text: '{\\b1}One, two,\\Nthree',
  },
] as const) {
  test(`${codec} in ${container}`, async () => {
    const found = await readBack(container, [
      {
        codec,
        cues: [
          [200, 500, payload],
          [800, 100, payload],
        ],
      },
    ]);
    assert.deepEqual(found, {
      markup,
      cues: [
        [0.2, 0.7, text],
        [0.8, 0.9, text],
      ],
    });
  });
}

for (const { what, tracks, chosen } of [
  { what: 'the first', tracks: [textTrack('one'), textTrack('two')], chosen: 'one' },
  {
    what: 'the default',
    tracks: [textTrack('one'), textTrack('two', { disposition: AV_DISPOSITION_DEFAULT })],
    chosen: 'two',
  },
  {
    what: 'never a forced one or a comment',
    tracks: [
      textTrack('signs', { disposition: AV_DISPOSITION_FORCED | AV_DISPOSITION_DEFAULT }),
      textTrack('director', { disposition: AV_DISPOSITION_COMMENT }),
      textTrack('all'),
    ],
    chosen: 'all',
  },
  {
    what: 'rather without descriptions for the deaf',
    tracks: [textTrack('[door slams]', { disposition: AV_DISPOSITION_HEARING_IMPAIRED }), textTrack('plain')],
    chosen: 'plain',
  },
  {
    what: 'none when all are forced',
    tracks: [textTrack('signs', { disposition: AV_DISPOSITION_FORCED })],
    chosen: null,
  },
  { what: 'none', tracks: [], chosen: null },
] as const) {
  test(`of several tracks: ${what}`, async () => {
    assert.equal((await readBack('mkv', tracks))?.cues[0]?.[2] ?? null, chosen);
  });
}

test('cues without a length last until the next one, at most five seconds', async () => {
  const cues = [
    [0, 0, 'a'],
    [3000, 0, 'b'],
    [20_000, 0, 'c'],
  ] as const;
  const found = await readBack('mkv', [{ codec: 'subrip', cues }]);
  assert.deepEqual(found?.cues, [
    [0, 3, 'a'],
    [3, 8, 'b'],
    [20, 25, 'c'],
  ]);
});
