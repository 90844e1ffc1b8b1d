import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
} from 'node-av/constants';
import { textTracks } from '../../src/media/read/text-track.ts';
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
  const file = await withTextTracks(clip, join(folder, `${made++}.${container}`), tracks);
  return (await Array.fromAsync(textTracks(file))).map(({ markup, name, cues }) => ({
    ...{ markup, name },
    cues: cues.map(({ text, startSeconds, endSeconds }) => [startSeconds, endSeconds, text]),
  }));
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
    const [found] = await readBack(container, [
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
      name: container === 'mp4' ? 'SubtitleHandler' : null,
      cues: [
        [0.2, 0.7, text],
        [0.8, 0.9, text],
      ],
    });
  });
}

for (const { what, tracks, chosen } of [
  { what: 'the first one first', tracks: [textTrack('one'), textTrack('two')], chosen: ['one', 'two'] },
  {
    what: 'the default one first',
    tracks: [textTrack('one'), textTrack('two', { disposition: AV_DISPOSITION_DEFAULT })],
    chosen: ['two', 'one'],
  },
  {
    what: 'never a forced one or a comment',
    tracks: [
      textTrack('signs', { disposition: AV_DISPOSITION_FORCED | AV_DISPOSITION_DEFAULT }),
      textTrack('director', { disposition: AV_DISPOSITION_COMMENT }),
      textTrack('all'),
    ],
    chosen: ['all'],
  },
  {
    what: 'descriptions for the deaf last',
    tracks: [textTrack('[door slams]', { disposition: AV_DISPOSITION_HEARING_IMPAIRED }), textTrack('plain')],
    chosen: ['plain', '[door slams]'],
  },
  {
    what: 'none when all are forced',
    tracks: [textTrack('signs', { disposition: AV_DISPOSITION_FORCED })],
    chosen: [],
  },
  { what: 'none', tracks: [], chosen: [] },
] as const) {
  test(`of several tracks: ${what}`, async () => {
    const found = await readBack('mkv', tracks);
    assert.deepEqual(
      found.map(({ cues }) => cues[0]![2]),
      chosen,
    );
  });
}

test('cues without a length last until the next one, at most five seconds', async () => {
  const cues = [
    [0, 0, 'a'],
    [3000, 0, 'b'],
    [20_000, 0, 'c'],
  ] as const;
  const [found] = await readBack('mkv', [{ codec: 'subrip', cues }]);
  assert.deepEqual(found?.cues, [
    [0, 3, 'a'],
    [3, 8, 'b'],
    [20, 25, 'c'],
  ]);
});

for (const container of ['mp4', 'mkv'])
  test(`the name of a track in ${container}`, async () => {
    const codec = container === 'mp4' ? 'mov_text' : 'subrip';
    const [found] = await readBack(container, [textTrack('F/2.8', { codec, name: 'DJI.Subtitle' })]);
    assert.equal(found!.name, 'DJI.Subtitle');
  });
