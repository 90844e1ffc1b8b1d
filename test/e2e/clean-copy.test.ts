/** A strength of 0 gives a clean copy: the picture of a plain re-encode, and the sound at its own level. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { measureByEbur128 } from '../support/ebur128.ts';

const folder = temporaryFolder();
const LEFT_OUT = process.env['TEST_LONG'] === '1' ? false : 'takes ten seconds: npm run test:long';
const studio = new Studio({ workRoot: join(folder, 'work') });
/** Shades of 255 between two encodings of one picture. */
const CODING_NOISE = 1;

/** The mean luma of each frame. */
async function lumasOf(path: string): Promise<number[]> {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.video!);
  const means: number[] = [];
  for (let frame = decoder.next(); frame !== null; frame = decoder.next()) {
    const plane = frame.data![0].subarray(0, frame.linesize[0] * frame.height);
    means.push(plane.reduce((sum, value) => sum + value, 0) / plane.length);
  }
  return means;
}

test('strength 0 of all, and of each component, with a template', { skip: LEFT_OUT }, async () => {
  const source = await makeClip(folder, {
    name: 'source',
    durationSeconds: 1.5,
    draw: (rgb, seconds) => {
      rgb.fill(60 + 30 * seconds);
    },
    audio: (seconds) => 0.1 * (seconds % 0.5 < 0.1 ? Math.sin(2 * Math.PI * 440 * seconds) : 0),
  });
  const template = await makeClip(folder, {
    name: 'template',
    durationSeconds: 1.5,
    draw: (rgb, seconds) => {
      for (let n = 0; n < rgb.length; n++) rgb[n] = [220, 90, 30][n % 3] - 20 * Math.floor(seconds);
    },
    audio: (seconds) => 0.5 * Math.sin(2 * Math.PI * 200 * seconds),
  });
  const plain = join(folder, 'plain.mp4');
  await studio.apply({ source, output: plain, look: null, config: { quality: 'low', style_strength: 0 } });
  const lumas = await lumasOf(plain);
  const { integratedLufs } = await measureByEbur128(source, 48_000);
  const zero = { color: 0, transitions: 0, pacing: 0, motion: 0, audio: 0 };
  for (const [name, config] of [
    ['all', { style_strength: 0 }],
    ['each', { components: { ...zero, aspect_ratio: false, frame_rate: false, subtitles: false } }],
    ['off', { style_strength: 0, components: { audio: false } }],
  ] as const) {
    const output = join(folder, `${name}.mp4`);
    await studio.apply({ source, output, look: { template }, config: { quality: 'low', ...config } });
    const styled = await lumasOf(output);
    assert.equal(styled.length, lumas.length, name);
    for (const [n, luma] of styled.entries())
      assert.ok(Math.abs(luma - lumas[n]) <= CODING_NOISE, `${name}: frame ${n}: ${luma}, not ${lumas[n]}`);
    const level = (await measureByEbur128(output, 48_000)).integratedLufs;
    assert.ok(Math.abs(level - integratedLufs) <= 0.3, `${name}: ${level} LUFS, not ${integratedLufs}`);
  }
});
