import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInput } from '../../src/media/av/open-input.ts';
import { recordingMarks } from '../../src/media/read/start-timecode.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { withTimecode } from '../support/timecode-clip.ts';

const folder = temporaryFolder();
const NTSC = { numerator: 30000, denominator: 1001 };

for (const [name, frameRate, timecode, reel] of [
  ['drop.mov', NTSC, '14:32:10;05', 'A001C003'],
  ['drop.mp4', { numerator: 60000, denominator: 1001 }, '01:00:00;02', undefined],
  ['film.mov', { numerator: 24000, denominator: 1001 }, '10:00:00:12', 'B007'],
  ['pal.mp4', { numerator: 25, denominator: 1 }, '00:00:00:00', undefined],
  ['pal.mkv', { numerator: 25, denominator: 1 }, '10:00:00:12', undefined],
  ['pal-drop.mkv', { numerator: 25, denominator: 1 }, '10:00:00;12', undefined],
  ['film-drop.mkv', { numerator: 24000, denominator: 1001 }, '10:00:00;12', undefined],
] as const)
  test(`${timecode} in ${name}`, async () => {
    const clip = await makeClip(folder, {
      ...{ name: `${name}-picture`, durationSeconds: 1, width: 64, height: 36, silent: true, frameRate },
    });
    const file = await withTimecode(clip, join(folder, name), {
      timecode,
      ...(reel === undefined ? {} : { reel }),
    });
    using input = await openInput(file);
    assert.deepEqual(recordingMarks(input), {
      // Other rates have no drop-frame.
      startTimecode: {
        text: frameRate.numerator % 30_000 === 0 ? timecode : timecode.replace(';', ':'),
        rate: frameRate,
      },
      ...(reel === undefined ? {} : { reelName: reel }),
    });
  });

test('a file without a timecode', async () => {
  using input = await openInput(await makeClip(folder, { name: 'plain', durationSeconds: 1 }));
  assert.deepEqual(recordingMarks(input), {});
});

const wild = mediaPath('wild/start-timecode-14h32-df.mov');
test('a recording', { skip: wild === null && 'needs ../shared/media/wild' }, async () => {
  using input = await openInput(wild!);
  assert.deepEqual(recordingMarks(input), { startTimecode: { text: '14:32:10;05', rate: NTSC } });
});
