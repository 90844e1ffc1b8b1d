import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { writeJpeg, writePng } from '../../src/media/read/still.ts';
import { temporaryFolder } from '../support/clips.ts';
import { decodeJpeg } from '../support/jpeg.ts';
import { decodePng } from '../support/png.ts';

const folder = temporaryFolder();

/** RGB and its codes in BT.709, limited range (ITU-R BT.709-6, section 3). */
for (const [name, rgb, codes] of [
  ['white', [255, 255, 255], [235, 128, 128]],
  ['black', [0, 0, 0], [16, 128, 128]],
  ['brick', [200, 60, 40], [92, 105, 190]],
  ['green', [30, 160, 60], [123, 97, 75]],
] as const) {
  const kinds = [
    { kind: 'JPEG', write: writeJpeg, decode: decodeJpeg, levels: 4 },
    { kind: 'PNG', write: writePng, decode: decodePng, levels: 1 },
  ];
  for (const { kind, write, decode, levels } of kinds) {
    test(`a still of ${name} is ${name} as ${kind}`, async () => {
      const path = join(folder, `${name}.${kind}`);
      const frame = emptyFrame(64, 48);
      for (const [plane, code] of codes.entries()) frame.data![plane].fill(code);
      frame.pts = 0n;
      await write(frame, path);
      frame.free();
      const { width, height, data } = await decode(readFileSync(path));
      assert.deepEqual([width, height], [64, 48]);
      for (const [channel, level] of rgb.entries()) {
        const observed = data[(24 * 64 + 32) * 3 + channel];
        assert.ok(Math.abs(observed - level) <= levels, `${observed}, not ${level}`);
      }
    });
  }
}
