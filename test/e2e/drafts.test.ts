/** A draft is a piece of what would be rendered: the same frames, the same sound. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, type TestContext, test } from 'node:test';
import { assertDraft } from '../../src/domain/preview.ts';
import { Studio, type Style } from '../../src/library.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { lumaSamples } from '../../src/render/picture/luma-samples.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';

const folder = temporaryFolder();
const workRoot = join(folder, 'work');
const studio = new Studio({ workRoot });
const RATE = 48_000;

async function framesOf(path: string): Promise<Uint8Array[]> {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.video!);
  const frames: Uint8Array[] = [];
  for (let frame = decoder.next(); frame !== null; frame = decoder.next()) frames.push(lumaSamples(frame));
  return frames;
}

async function soundOf(path: string): Promise<Float32Array> {
  const parts: Float32Array[] = [];
  for await (const { channels } of openSamples(path, { sampleRate: RATE, channels: 'stereo' }))
    parts.push(channels[0].slice());
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const meanDifference = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, level, at) => sum + Math.abs(level - b[at]), 0) / a.length;
const level = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length);

/** It is tested with the faults; `previews.test.ts` requests drafts from the service. */
const WITH_LONG = process.env['TEST_LONG'] === '1';

describe('a draft', () => {
  const names = ['edits/edit_vertical_a.mp4', 'edits/edit_landscape_a.mp4'];
  const [source, template] = names.map(mediaPath);
  const skip = (t: TestContext) => {
    if (!WITH_LONG) {
      t.skip('takes half a minute: npm run test:long');
      return true;
    }
    const missing = names.find((name) => mediaPath(name) === null);
    if (missing !== undefined) t.skip(`needs ../shared/media/${missing}`);
    return missing !== undefined;
  };
  const whole = join(folder, 'whole.mp4');
  let style: Style;
  const edit = () => ({ source: source!, look: { style } });
  let frames: Uint8Array[] = [];
  let sound = new Float32Array();
  before(async () => {
    if (!WITH_LONG || source == null || template == null) return;
    style = await studio.extract(template);
    await studio.apply({ ...edit(), output: whole, config: { quality: 'low' } });
    [frames, sound] = [await framesOf(whole), (await soundOf(whole)) as Float32Array<ArrayBuffer>];
  });

  for (const { what, start, seconds } of [
    { what: 'in the middle, across cuts', start: 2.2, seconds: 2 },
    { what: 'that begins in a transition', start: 4.2, seconds: 1 },
    { what: 'past the end, which is cut short', start: 9.5, seconds: 5 },
  ]) {
    test(`${what} has the picture and sound of the whole output there`, async (t) => {
      if (skip(t)) return;
      const output = join(folder, `draft-${start}.mp4`);
      const fractions: number[] = [];
      const draft = await studio.draft(
        { ...edit(), output, startSeconds: start, durationSeconds: seconds },
        { onProgress: (part) => fractions.push(part) },
      );
      const rate = frames.length / (sound.length / RATE);
      const first = Math.round(start * Math.round(rate));
      const drawn = await framesOf(output);
      const expected = Math.min(frames.length - first, Math.round(seconds * Math.round(rate)));
      assert.equal(drawn.length, expected);
      assert.ok(Math.abs(draft.startSeconds - start) < 0.5 / rate + 1e-9, `${draft.startSeconds} s`);
      for (const [index, frame] of drawn.entries()) {
        const off = meanDifference(frame, frames[first + index]);
        // Both are compressed; another shot, or another framing, is tens of levels off.
        assert.ok(off < 4, `frame ${index} is ${off.toFixed(1)} levels off`);
      }
      const own = await soundOf(output);
      const at = Math.round(draft.startSeconds * RATE);
      const [a, b] = [
        own.subarray(2400, own.length - 2400),
        sound.subarray(at + 2400, at + own.length - 2400),
      ];
      const residue = level(a.map((sample, index) => sample - b[index]));
      assert.ok(residue < 0.2 * level(b), `the sound is ${residue} off, of ${level(b)}`);
      assert.deepEqual(
        fractions,
        [...fractions].sort((x, y) => x - y),
      );
      assert.deepEqual(readdirSync(workRoot), []);
    });
  }
});

describe('what cannot be drafted', () => {
  for (const { what, start, seconds, says } of [
    { what: 'the first half second', start: 0, seconds: 0.5, says: null },
    { what: 'ten seconds', start: 29.9, seconds: 10, says: null },
    { what: 'less', start: 0, seconds: 0.49, says: /duration_seconds: must be 0\.5 to 10 s, not 0\.49/ },
    { what: 'more', start: 0, seconds: 10.1, says: /duration_seconds: must be 0\.5 to 10 s, not 10\.1/ },
    { what: 'from the end on', start: 30, seconds: 5, says: /start_seconds: 30 s .* runs for 30\.00 s/ },
    { what: 'from before the start', start: -1, seconds: 5, says: /start_seconds: -1 s/ },
    { what: 'from no number', start: Number.NaN, seconds: 5, says: /start_seconds: NaN s/ },
  ]) {
    test(what, () => {
      const check = () => assertDraft({ startSeconds: start, durationSeconds: seconds }, 30);
      if (says === null) check();
      else assert.throws(check, { code: 'VALIDATION_ERROR', message: says });
    });
  }

  test('what trimming has left nothing of', async () => {
    const clip = await makeClip(folder, { name: 'still', durationSeconds: 2, silent: true });
    const output = join(folder, 'none.mp4');
    await assert.rejects(studio.draft({ source: clip, look: { preset: 'noir' }, output, startSeconds: 2 }), {
      code: 'VALIDATION_ERROR',
      message: /2 s is not in the video, which runs for 2\.00 s/,
    });
    assert.ok(!existsSync(output));
    assert.deepEqual(readdirSync(workRoot), []);
  });
});
