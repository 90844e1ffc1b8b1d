/** A 3D LUT as look: its colors as they are, and nothing else of the picture or the sound. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { parseCubeFile } from '../../src/style/look/cube-file.ts';
import { cubeColor } from '../../src/style/model/cube-color.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';

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
  for await (const { color } of openFrames(path)) {
    const at = 3 * (color.width * Math.floor(color.height / 2) + Math.floor(color.width / 2));
    return [...color.data.subarray(at, at + 3)];
  }
  return [];
}

/** Luma codes of the middle row of the first frame. */
async function lumaRow(path: string): Promise<number[]> {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.video!);
  const { data, linesize, width, height } = decoder.next()!;
  const start = (height >> 1) * linesize[0];
  return [...data![0].subarray(start, start + width)];
}

describe('a .cube file as look', () => {
  for (const [strength, expected] of [
    [1, [60, 150, 90]],
    [0.2063, [75, 150, 75]],
  ] as const)
    test(`strength ${strength}: the table's colors, by the share of the strength`, async () => {
      const output = join(folder, `out-${strength}.mp4`);
      const { plan, warnings } = await studio.apply({
        source,
        output,
        look: { cube },
        config: { quality: 'high', style_strength: strength },
      });
      const observed = await middleOf(output);
      for (const [axis, value] of expected.entries())
        assert.ok(Math.abs(observed[axis] - value) <= 3, `${observed} for ${expected}`);
      const { clips, width, height, frameRate } = plan.timeline;
      assert.deepEqual([clips.length, width, height, frameRate.numerator], [1, 320, 180, 25]);
      assert.deepEqual(
        warnings.filter(({ code }) => code.startsWith('LOOK')),
        [],
      );
    });

  test('the requested LUT is applied', async () => {
    const { cube: written } = await studio.plan({ source, look: { cube }, config: { style_strength: 1 } });
    assert.deepEqual(parseCubeFile(written!), parseCubeFile(SWAP));
  });

  const ramp = mediaPath('wild/ramp.mp4');
  const curve = mediaPath('wild/c_1d_gamma.cube');
  const missing = (ramp === null || curve === null) && 'needs ../shared/media/wild';
  test('a steep curve is drawn to the level, shadows included', { skip: missing }, async () => {
    const output = join(folder, 'gamma.mp4');
    await studio.apply({
      source: ramp!,
      output,
      look: { cube: curve! },
      config: { quality: 'ultra', style_strength: 1 },
    });
    const [before, after] = [await lumaRow(ramp!), await lumaRow(output)];
    for (const [column, code] of before.entries()) {
      const expected = 16 + 219 * Math.max(0, (code - 16) / 219) ** (1 / 2.4);
      // Half a code of rounding, and one of the encoder.
      assert.ok(
        Math.abs(after[column] - expected) <= 1.5,
        `column ${column}: ${after[column]}, not ${expected.toFixed(1)}`,
      );
    }
  });

  for (const name of [
    'c_resolve_range',
    'c_shaper',
    'col_resolve_cube_Demo',
    'col_resolve_cube_LogC_Video',
  ]) {
    const file = mediaPath(`wild/${name}.cube`);
    test(`DaVinci Resolve’s ${name}.cube is used`, {
      skip: file === null && 'needs ../shared/media/wild',
    }, async () => {
      const { cube: written } = await studio.plan({
        source,
        look: { cube: file! },
        config: { style_strength: 1 },
      });
      const [read, given] = [parseCubeFile(written!), parseCubeFile(readFileSync(file!, 'utf8'))];
      for (const color of [
        [0.1, 0.5, 0.9],
        [0, 0.02, 1],
      ] as const)
        for (const [axis, value] of cubeColor(given, color).entries())
          assert.ok(Math.abs(cubeColor(read, color)[axis] - value) < 1e-4);
    });
  }

  test('a missing or invalid .cube file is reported, and no output is written', async () => {
    const bad = join(folder, 'bad.cube');
    writeFileSync(bad, readFileSync(cube, 'utf8').replace('1 1 1', ''));
    const output = join(folder, 'never.mp4');
    for (const [file, code, says] of [
      [bad, 'INPUT_UNSUPPORTED', /should have 8 entries for its size of 2; it has 7/],
      [join(folder, 'none.cube'), 'FILE_NOT_FOUND', /There is no file/],
    ] as const)
      await assert.rejects(studio.apply({ source, output, look: { cube: file } }), {
        code,
        detail: says,
      });
    assert.throws(() => readFileSync(output), { code: 'ENOENT' });
  });
});
