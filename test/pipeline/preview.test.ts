import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { assertMoments } from '../../src/domain/preview.ts';
import { Studio } from '../../src/library.ts';
import { typicalMoments } from '../../src/pipeline/stages/preview.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { decodePng } from '../support/png.ts';

const folder = temporaryFolder();
const workRoot = join(folder, 'work');
const studio = new Studio({ workRoot });
const clip = await makeClip(folder, { name: 'clip', durationSeconds: 3 });

describe('typical moments', () => {
  const usable = (timesSeconds: readonly number[]) =>
    typicalMoments({ durationSeconds: 12, color: { moments: { timesSeconds } } });
  for (const { what, times, expected } of [
    { what: 'of an even spread', times: [0, 1, 2, 3, 4, 5, 6, 7, 8], expected: [1, 4, 7] },
    { what: 'leave out what cannot be judged', times: [6, 7, 8], expected: [6, 7, 8] },
    { what: 'of a clip in which nothing can be judged', times: [], expected: [2, 6, 10] },
    { what: 'of one in which too little can', times: [3, 4], expected: [2, 6, 10] },
  ]) {
    test(what, () => assert.deepEqual(usable(times), expected));
  }
});

describe('moments', () => {
  for (const { what, at, says } of [
    { what: 'within', at: [0, 3], says: null },
    {
      what: 'past the end',
      at: [1, 3.01],
      says: /moments\.1: 3\.01 s is not in the video, which runs for 3\.00 s$/,
    },
    { what: 'before the start', at: [-0.1], says: /moments\.0: -0\.1 s/ },
    { what: 'that are no number', at: [Number.NaN], says: /moments\.0: NaN s/ },
    { what: 'none', at: [], says: /must be 1 to 9 moments, not 0/ },
    { what: 'nine', at: [0, 0, 0, 0, 0, 0, 0, 0, 0], says: null },
    { what: 'ten', at: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], says: /must be 1 to 9 moments, not 10/ },
  ]) {
    test(what, () => {
      const check = () => assertMoments(at, [0, 3], 'moments');
      if (says === null) check();
      else assert.throws(check, { code: 'VALIDATION_ERROR', message: says });
    });
  }
});

describe('a preview by the library', () => {
  test('shows the moments, before and after, and leaves nothing else', async () => {
    const output = join(folder, 'picture.png');
    const fractions: number[] = [];
    const { width, height, moments } = await studio.preview(
      { source: clip, look: { preset: 'noir' }, output, atSeconds: [0.5, 2] },
      { onProgress: (part) => fractions.push(part) },
    );
    const picture = decodePng(readFileSync(output));
    assert.deepEqual([picture.width, picture.height], [width, height]);
    assert.deepEqual(
      moments.map(({ atSeconds }) => atSeconds),
      [0.5, 2],
    );
    // Frames 12 and 50: 0011 0 and 010011 of ten bars, from the left.
    const isLight = ({ x, y }: { x: number; y: number }, bit: number) =>
      picture.data[((y + 90) * width + x + 16 + 32 * bit) * 3] > 125;
    const bits = [12, 50].map((number) =>
      Array.from({ length: 10 }, (_, bit) => ((number >> bit) & 1) === 1),
    );
    for (const [index, { before }] of moments.entries())
      assert.deepEqual(
        bits[index].map((_, bit) => isLight(before, bit)),
        bits[index],
      );
    assert.notDeepEqual(moments[0].before, moments[0].after);
    assert.deepEqual(
      fractions,
      [...fractions].sort((a, b) => a - b),
    );
    assert.deepEqual(readdirSync(workRoot), []);
  });

  test('an error about a moment past the end contains the length, before anything is measured', async () => {
    const output = join(folder, 'none.png');
    const fractions: number[] = [];
    await assert.rejects(
      studio.preview(
        { source: clip, look: { template: join(folder, 'none.mp4') }, output, atSeconds: [4] },
        { onProgress: (part) => fractions.push(part) },
      ),
      { code: 'VALIDATION_ERROR', message: /4 s is not in the video, which runs for 3\.00 s/ },
    );
    assert.deepEqual(fractions, []);
    assert.ok(!existsSync(output));
    assert.deepEqual(readdirSync(workRoot), []);
  });
});
