/** Alpha that is stored apart from the colors, and not read, is reported. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasAlphaItem } from '../../src/media/av/heif-image.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { writeAvif } from '../support/heif.ts';
import { remux } from '../support/remux.ts';

const folder = temporaryFolder();
const codesOf = async (path: string) =>
  (await probeFile(path, { maxDurationSeconds: 60 })).warnings.map(({ code }) => code);

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

for (const [what, urn, expected] of [
  ['alpha of AVIF', 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', true],
  ['alpha of HEIC', 'urn:mpeg:hevc:2015:auxid:1', true],
  ['depth of HEIC', 'urn:mpeg:hevc:2015:auxid:2', false],
  ['a gain map', 'urn:com:apple:photo:2020:aux:hdrgainmap', false],
] as const) {
  test(`a picture beside the colors: ${what}`, async () => {
    const property = box('auxC', Buffer.alloc(4), Buffer.from(`${urn}\0`, 'latin1'));
    const path = join(folder, `${what}.heic`);
    const meta = box('meta', Buffer.alloc(4), box('iprp', box('ipco', property)));
    writeFileSync(path, Buffer.concat([box('ftyp', Buffer.from('heic\0\0\0\0mif1', 'latin1')), meta]));
    assert.equal(await hasAlphaItem(path), expected);
  });
}

test('an AVIF without alpha has no warning', async () => {
  const path = await writeAvif(join(folder, 'plain.avif'), { width: 160, height: 96 }, () => 90);
  assert.deepEqual(await codesOf(path), []);
});

test('a Matroska file with alpha has one, another has none', async () => {
  const clip = await makeClip(folder, { name: 'clip', durationSeconds: 1, silent: true });
  for (const [metadata, expected] of [
    [{}, []],
    [{ alpha_mode: '1' }, ['ALPHA_IGNORED']],
  ] as const) {
    const path = join(folder, 'clip.mkv');
    await remux(clip, 'matroska', path, undefined, undefined, undefined, metadata);
    assert.deepEqual(await codesOf(path), expected);
  }
});
