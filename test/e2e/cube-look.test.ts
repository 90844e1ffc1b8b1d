/** A 3D LUT as look: its colours as they are, and nothing else of the picture or the sound. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { parseCubeFile } from '../../src/style/look/cube-file.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const GREEN = [90, 150, 60] as const;
/** Red and blue change places. */
const SWAP = [
  'LUT_3D_SIZE 2',
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `${at >> 2} ${(at >> 1) & 1} ${at & 1}`),
].join('\n');
const cube = join(folder, 'swap.cube');
writeFileSync(cube, SWAP);
const source = await makeClip(folder, {
  name: 'source',
  draw: (rgb) => {
    for (let at = 0; at < rgb.length; at += 3) rgb.set(GREEN, at);
  },
});

async function middleOf(path: string): Promise<number[]> {
  for await (const { colour } of openFrames(path)) {
    const at = 3 * (colour.width * Math.floor(colour.height / 2) + Math.floor(colour.width / 2));
    return [...colour.data.subarray(at, at + 3)];
  }
  return [];
}

describe('a .cube file as look', () => {
  for (const [strength, wanted] of [
    [1, [60, 150, 90]],
    [0.2063, [75, 150, 75]],
  ] as const)
    test(`strength ${strength}: the table's colours, by the share of the strength`, async () => {
      const output = join(folder, `out-${strength}.mp4`);
      const { plan, warnings } = await studio.apply({
        source,
        output,
        look: { cube },
        config: { quality: 'high', style_strength: strength },
      });
      const seen = await middleOf(output);
      for (const [axis, value] of wanted.entries())
        assert.ok(Math.abs(seen[axis]! - value) <= 3, `${seen} for ${wanted}`);
      const { clips, width, height, frameRate } = plan.timeline;
      assert.deepEqual([clips.length, width, height, frameRate.numerator], [1, 320, 180, 25]);
      assert.deepEqual(
        warnings.filter(({ code }) => code.startsWith('LOOK')),
        [],
      );
    });

  test('the LUT that is drawn is the one that was given', async () => {
    const { cube: written } = await studio.plan({ source, look: { cube }, config: { style_strength: 1 } });
    assert.deepEqual(parseCubeFile(written!), parseCubeFile(SWAP));
  });

  test('what is no .cube file, or not there, says so and leaves nothing', async () => {
    const bad = join(folder, 'bad.cube');
    writeFileSync(bad, readFileSync(cube, 'utf8').replace('1 1 1', ''));
    const output = join(folder, 'never.mp4');
    for (const [file, says] of [
      [bad, /should have 8 entries for its size of 2; it has 7/],
      [join(folder, 'none.cube'), /There is no file/],
    ] as const)
      await assert.rejects(studio.apply({ source, output, look: { cube: file } }), {
        code: 'INPUT_UNSUPPORTED',
        detail: says,
      });
    assert.throws(() => readFileSync(output), { code: 'ENOENT' });
  });
});
