import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInput } from '../../src/media/av/open-input.ts';
import { recordingMarks } from '../../src/media/read/start-timecode.ts';
import { readXmp } from '../../src/media/read/xmp.ts';
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

/** A packet in a file of its own box, at the end: ISO/IEC 14496-12 `uuid` with Adobe's identifier. */
function withXmp(clip: string, path: string, packet: string): string {
  copyFileSync(clip, path);
  const body = Buffer.concat([Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'), Buffer.from(packet)]);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write('uuid', 4);
  appendFileSync(path, Buffer.concat([header, body]));
  return path;
}

const NTSC_TEXT = '09:59:58;12';
for (const { what, packet, timecode, reel } of [
  {
    what: 'as attributes',
    packet: `<rdf:Description xmpDM:tapeName="B&amp;C 01">
      <xmpDM:altTimecode xmpDM:timeValue="00:00:00:00"/><xmpDM:startTimecode xmpDM:timeValue="${NTSC_TEXT}"/></rdf:Description>`,
    ...{ timecode: NTSC_TEXT, reel: 'B&C 01' },
  },
  {
    what: 'as elements',
    packet: `<rdf:Description><xmpDM:tapeName>A002</xmpDM:tapeName><xmpDM:startTimecode rdf:parseType="Resource">
      <xmpDM:timeValue>01:02:03:04</xmpDM:timeValue></xmpDM:startTimecode></rdf:Description>`,
    ...{ timecode: '01:02:03:04', reel: 'A002' },
  },
  { what: 'with a sentence as timecode', packet: '<xmpDM:startTimecode xmpDM:timeValue="soon"/>' },
  { what: 'about something else', packet: '<rdf:Description xmp:CreatorTool="x"/>' },
])
  test(`an XMP packet, ${what}`, async () => {
    const clip = await makeClip(folder, {
      ...{ name: 'without-marks', durationSeconds: 1, width: 64, height: 36, silent: true, frameRate: NTSC },
    });
    const file = withXmp(clip, join(folder, `${what.replaceAll(' ', '-')}.mp4`), packet);
    using input = await openInput(file);
    assert.deepEqual(recordingMarks(input, await readXmp(file)), {
      ...(timecode !== undefined && { startTimecode: { text: timecode, rate: NTSC } }),
      ...(reel !== undefined && { reelName: reel }),
    });
  });

test('a timecode track counts before an XMP packet', async () => {
  const clip = await makeClip(folder, {
    ...{ name: 'both-marks', durationSeconds: 1, width: 64, height: 36, silent: true, frameRate: NTSC },
  });
  const track = await withTimecode(clip, join(folder, 'track.mov'), { timecode: '14:32:10;05' });
  const file = withXmp(
    track,
    join(folder, 'both.mov'),
    '<xmpDM:startTimecode xmpDM:timeValue="00:00:00:00"/>',
  );
  using input = await openInput(file);
  assert.equal(recordingMarks(input, await readXmp(file)).startTimecode?.text, '14:32:10;05');
});

const wild = mediaPath('wild/start-timecode-14h32-df.mov');
test('a recording', { skip: wild === null && 'needs ../shared/media/wild' }, async () => {
  using input = await openInput(wild!);
  assert.deepEqual(recordingMarks(input), { startTimecode: { text: '14:32:10;05', rate: NTSC } });
});
