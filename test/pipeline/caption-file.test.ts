import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AV_DISPOSITION_DEFAULT } from 'node-av/constants';
import { isFailure } from '../../src/domain/errors.ts';
import { Studio } from '../../src/library.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { type MadeTrack, withTextTracks } from '../support/text-tracks.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const source = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
const output = join(folder, 'out.mp4');

for (const { what, name, text, code, detail } of [
  {
    what: 'a broken caption file',
    name: 'broken.srt',
    text: '1\nnow --> then\nHi\n',
    code: 'INVALID_CAPTIONS',
    detail: /line 2: "now --> then" is no timing/,
  },
  {
    what: 'a caption file without captions',
    name: 'empty.vtt',
    text: 'WEBVTT\n',
    code: 'INVALID_CAPTIONS',
    detail: /has no cue/,
  },
  {
    what: 'no caption file',
    name: 'missing.srt',
    text: null,
    code: 'FILE_NOT_FOUND',
    detail: /There is no file/,
  },
] as const) {
  test(`${what} is refused before any work`, async () => {
    const captions = join(folder, name);
    if (text !== null) writeFileSync(captions, text);
    let worked = false;
    await assert.rejects(
      studio.apply(
        { source, output, look: null, captions },
        {
          onProgress: () => {
            worked = true;
          },
        },
      ),
      (error) => isFailure(error, code) && detail.test(error.detail),
    );
    assert.ok(!worked && !existsSync(output));
  });
}

const style = styleSchema.parse(CAPTIONED_STYLE);
const planned = async (clip: string, captions?: string) => {
  const { timeline, warnings } = await studio.plan({
    ...{ source: clip, look: { style } },
    ...(captions === undefined ? {} : { captions }),
  });
  return { lines: timeline.captions.map(({ lines }) => lines.join(' ')), warnings };
};

test('an encoding that was guessed is reported, and the words are right', async () => {
  const captions = join(folder, 'cyrillic.srt');
  const privet = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x20, 0xec, 0xe8, 0xf0];
  writeFileSync(
    captions,
    Buffer.concat([Buffer.from('1\n00:00:00,100 --> 00:00:00,900\n'), Buffer.from(privet)]),
  );
  const { lines, warnings } = await planned(source, captions);
  assert.deepEqual(lines, ['Привет мир']);
  const said = warnings.find(({ code }) => code === 'CAPTIONS_ENCODING_GUESSED');
  assert.match(said!.message, /read as Windows-1251; save it as UTF-8/);
});

test('a caption file is shown in the look of a preset that is about color alone, unless captions are off', async () => {
  const captions = join(folder, 'hello.srt');
  writeFileSync(captions, '1\n00:00:00,100 --> 00:00:00,900\nHello\n');
  for (const [components, lines] of [
    [{}, ['Hello']],
    [{ subtitles: false }, []],
  ] as const) {
    const { timeline } = await studio.plan({
      ...{ source, captions, look: { preset: 'noir' } },
      config: { components },
    });
    assert.deepEqual(
      timeline.captions.flatMap(({ lines: own }) => own),
      lines,
    );
  }
});

test('signs of an ASS track are left out, which is reported', async () => {
  const events = [
    '0,0,Default,,0,0,0,,dialogue',
    '1,0,Default,,0,0,0,,{\\pos(100,20)}A SIGN',
    '2,0,Signs,,0,0,0,,ANOTHER',
    '3,0,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}',
  ];
  const clip = await withTextTracks(source, join(folder, 'signs.mkv'), [
    { codec: 'ass', cues: events.map((payload) => [100, 800, payload]) },
  ]);
  const { lines, warnings } = await planned(clip);
  assert.deepEqual(lines, ['dialogue']);
  const said = warnings.find(({ code }) => code === 'CAPTION_SIGNS_LEFT_OUT');
  assert.match(said!.message, /^2 texts/);
});

const FLIGHT = Array.from({ length: 4 }, (_, index) => [
  ...[250 * index, 250],
  `F/2.8, SS 320.5${index}, ISO 100, GPS (8.1234, 47.567${index}, 15), H 12.1${index}m`,
]) as [number, number, string][];

test('flight data is not shown: another text track is, and the warning names it', async () => {
  const flight: MadeTrack = { codec: 'mov_text', disposition: AV_DISPOSITION_DEFAULT, cues: FLIGHT };
  const words: MadeTrack = { codec: 'mov_text', cues: [[100, 800, 'dialogue']] };
  for (const [tracks, expected] of [
    [[flight], []],
    [[flight, words], ['dialogue']],
    [[{ ...words, name: 'DJI.Subtitle' }], []],
  ] as const) {
    const clip = await withTextTracks(source, join(folder, `flight-${tracks.length}.mp4`), tracks);
    const { lines, warnings } = await planned(clip);
    assert.deepEqual(lines, expected);
    assert.deepEqual(
      warnings.map(({ code }) => code).filter((code) => /CAPTION|TELEMETRY/.test(code)),
      ['TELEMETRY_LEFT_OUT'],
    );
  }
});

test('flight data in a file that somebody chose is shown, with a warning', async () => {
  const captions = join(folder, 'flight.srt');
  const stamp = (ms: number) => `00:00:00,${String(ms).padStart(3, '0')}`;
  const blocks = FLIGHT.map(
    ([start, length, text], index) =>
      `${index + 1}\n${stamp(start)} --> ${stamp(start + length - 1)}\n${text}\n`,
  );
  writeFileSync(captions, blocks.join('\n'));
  const { lines, warnings } = await planned(source, captions);
  assert.ok(lines.length > 0);
  assert.ok(warnings.some(({ code }) => code === 'CAPTIONS_SEEM_TELEMETRY'));
});

const drone = mediaPath('wild/dji-telemetry-subtitles.mp4');
test('flight data of a drone', { skip: drone === null && 'needs ../shared/media/wild' }, async () => {
  const { lines, warnings } = await planned(drone!);
  assert.deepEqual(lines, []);
  assert.ok(warnings.some(({ code }) => code === 'TELEMETRY_LEFT_OUT'));
});

const wild = ['cp1251.srt', 'midarrow.srt', 'ass-with-sign.mkv'].map((name) => mediaPath(`wild/${name}`));
test('the files of public reports', {
  skip: wild.includes(null) && 'needs ../shared/media/wild',
}, async () => {
  const [cyrillic, arrow, signs] = wild as [string, string, string];
  const { warnings } = await planned(source, cyrillic);
  assert.ok(
    warnings.some(({ code, message }) => code === 'CAPTIONS_ENCODING_GUESSED' && /1251/.test(message)),
  );
  await assert.rejects(planned(source, arrow), {
    code: 'INVALID_CAPTIONS',
    detail: /^line 6: ".* -> .*" is no timing/,
  });
  const { lines } = await planned(signs);
  assert.ok(lines.includes('Karaoke second, with comma'), lines.join(' | '));
  assert.ok(!lines.some((line) => /SIGN|l 100/.test(line)));
});
