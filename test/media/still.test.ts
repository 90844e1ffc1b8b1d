import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { writeJpeg } from '../../src/media/read/still.ts';
import { temporaryFolder } from '../support/clips.ts';
import { decodeJpeg } from '../support/jpeg.ts';

const folder = temporaryFolder();

/** RGB and the codes that stand for it in BT.709, limited range (ITU-R BT.709-6, section 3). */
for (const [name, rgb, codes] of [
  ['white', [255, 255, 255], [235, 128, 128]],
  ['black', [0, 0, 0], [16, 128, 128]],
  ['brick', [200, 60, 40], [92, 105, 190]],
  ['green', [30, 160, 60], [123, 97, 75]],
] as const) {
  test(`a still of ${name} is ${name}`, async () => {
    const path = join(folder, `${name}.jpg`);
    const frame = emptyFrame(64, 48);
    for (const [plane, code] of codes.entries()) frame.data![plane]!.fill(code);
    frame.pts = 0n;
    await writeJpeg(frame, path);
    frame.free();
    const { width, height, data } = await decodeJpeg(readFileSync(path));
    assert.deepEqual([width, height], [64, 48]);
    for (const [channel, level] of rgb.entries()) {
      const seen = data[(24 * 64 + 32) * 3 + channel]!;
      assert.ok(Math.abs(seen - level) <= 4, `${seen}, not ${level}`);
    }
  });
}
