/** Picture and sound that are in a file but cannot be decoded are reported in seconds. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openInput } from '../../src/media/av/input.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { temporaryFolder } from '../support/clips.ts';
import { damage } from '../support/damage.ts';
import { flashingClip } from '../support/flash-and-beep.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const clip = await flashingClip(folder, 'clip', 4, [0.6, 3.4]);
/** Bytes that neither H.264 nor AAC accepts. */
const INVALID = 0xff;

async function applied(source: string) {
  const output = `${source}-output.mp4`;
  const { warnings } = await studio.apply({ source, output, look: null, config: { quality: 'low' } });
  return { output, warnings };
}

/** Seconds that a warning of this code names. */
function lostSeconds(warnings: readonly { code: string; message: string }[], code: string): number {
  const warning = warnings.find((one) => one.code === code);
  assert.ok(warning !== undefined, `no ${code} in ${JSON.stringify(warnings)}`);
  return Number(/(\d+\.\d) s of/.exec(warning.message)?.[1]);
}

test('a whole file loses nothing', async () => {
  const { warnings } = await applied(clip);
  assert.deepEqual(warnings, []);
  assert.deepEqual((await probeFile(clip, { maxDurationSeconds: 60 })).warnings, []);
});

test('a damaged span of the picture', async () => {
  const path = await damage(clip, 'picture', [1, 2], join(folder, 'picture.mp4'), INVALID);
  const { warnings } = await applied(path);
  // A second of packets, and up to .3 s of pictures that refer to them.
  const lost = lostSeconds(warnings, 'PICTURE_NOT_DECODED');
  assert.ok(lost >= 1 && lost <= 1.3, JSON.stringify(warnings));
});

test('pictures before the first that can be decoded, at the upload too', async () => {
  const path = await damage(clip, 'picture', [0, 1], join(folder, 'start.mp4'), INVALID);
  const { warnings } = await probeFile(path, { maxDurationSeconds: 60 });
  const lost = lostSeconds(warnings, 'PICTURE_NOT_DECODED');
  assert.ok(lost >= 0.85, `${lost} s`);
  const ofJob = lostSeconds((await applied(path)).warnings, 'PICTURE_NOT_DECODED');
  assert.ok(ofJob >= lost, `${ofJob} s, at the upload ${lost} s`);
});

test('a damaged span of the sound', async () => {
  const path = await damage(clip, 'sound', [1, 2], join(folder, 'sound.mp4'), INVALID);
  const { warnings } = await applied(path);
  assert.ok(Math.abs(lostSeconds(warnings, 'SOUND_NOT_DECODED') - 1) < 0.15, JSON.stringify(warnings));
});

test('a sound track that gives no samples: the film without sound', async () => {
  const path = await damage(clip, 'sound', [-1, 9], join(folder, 'silent.mp4'), INVALID);
  const { warnings: ofUpload } = await probeFile(path, { maxDurationSeconds: 60 });
  const { output, warnings } = await applied(path);
  for (const all of [ofUpload, warnings])
    assert.deepEqual(
      all.map(({ code }) => code),
      ['SOUND_NOT_DECODABLE'],
    );
  using rendered = await openInput(output);
  assert.equal(rendered.audio, null);
});
