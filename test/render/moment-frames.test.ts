import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Picture } from '../../src/domain/footage.ts';
import { readMomentFrames } from '../../src/render/picture/moment-frames.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { remux } from '../support/remux.ts';

const folder = temporaryFolder();
const SIZE = { width: 160, height: 90 };
/** A key frame at every 2 s: of 14 s there are seven groups, in which moments lie anywhere. */
const clip = await makeClip(folder, { name: 'numbered', durationSeconds: 14 });
const FRAME = 1 / 25;

async function numbersAt(path: string, times: readonly number[]): Promise<number[]> {
  const fractions: number[] = [];
  const frames = await readMomentFrames(path, times, SIZE, (part) => fractions.push(part));
  assert.deepEqual(
    fractions,
    [...fractions].sort((a, b) => a - b),
    'progress never falls',
  );
  return frames.map((frame) => {
    assert.deepEqual([frame.width, frame.height], [SIZE.width, SIZE.height]);
    const [{ data, stride, width, height }] = planesOf(frame);
    const grey = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) grey.set(data.subarray(y * stride, y * stride + width), y * width);
    const number = readNumber({ width, height, channels: 1, data: grey } as Picture);
    frame.free();
    return number;
  });
}

for (const { what, times, numbers } of [
  { what: 'in order', times: [0, 1, 6.5, 13], numbers: [0, 25, 162, 325] },
  { what: 'in any order', times: [9, 2, 12, 0.5], numbers: [225, 50, 300, 12] },
  { what: 'the same twice', times: [5, 5], numbers: [125, 125] },
  { what: 'on either side of a frame’s start', times: [7.04 - 0.001, 7.04 + 0.001], numbers: [175, 176] },
  { what: 'before the first and after the last', times: [-1, 20], numbers: [0, 349] },
  { what: 'four seconds on, and more', times: [1, 5, 9.04], numbers: [25, 125, 226] },
]) {
  test(`frames at moments ${what}`, async () => {
    assert.deepEqual(await numbersAt(clip, times), numbers);
  });
}

for (const format of ['mpegts', 'matroska', 'flv']) {
  test(`frames at moments of ${format}`, async () => {
    const path = join(folder, `numbered.${format}`);
    await remux(clip, format, path);
    const times = [0.5, 3.02, 8.5, 1.02, 13.5].map((seconds) => seconds + FRAME / 4);
    assert.deepEqual(await numbersAt(path, times), [12, 75, 212, 25, 337]);
  });
}

test('a file that is no video is refused', async () => {
  await assert.rejects(numbersAt(new URL(import.meta.url).pathname, [0]), { code: 'INPUT_UNSUPPORTED' });
});
