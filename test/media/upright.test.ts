import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture } from '../../src/footage.ts';
import { type Rotation, turnPicture } from '../../src/media/av/upright.ts';

/** Rows of letters, each a pixel: its code in every channel, the second a step higher. */
function drawn(rows: readonly string[], channels: 1 | 3): Picture {
  const codes = [...rows.join('')].map((letter) => letter.charCodeAt(0));
  const data = Uint8Array.from(codes.flatMap((code) => (channels === 1 ? [code] : [code, code + 1, code])));
  return { width: rows[0]!.length, height: rows.length, channels, data };
}

for (const [rotation, rows] of [
  [0, ['abc', 'def']],
  [90, ['da', 'eb', 'fc']],
  [180, ['fed', 'cba']],
  [270, ['cf', 'be', 'ad']],
] as readonly (readonly [Rotation, readonly string[]])[]) {
  test(`a picture turned by ${rotation} degrees clockwise`, () => {
    for (const channels of [1, 3] as const)
      assert.deepEqual(turnPicture(drawn(['abc', 'def'], channels), rotation), drawn(rows, channels));
  });
}
