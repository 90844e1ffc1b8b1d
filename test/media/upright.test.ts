import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Picture } from '../../src/domain/footage.ts';
import { type Rotation, turnPicture } from '../../src/media/av/upright.ts';

/** Rows of letters, each a pixel: its code in every channel, the second a step higher. */
function drawn(rows: readonly string[], channels: 1 | 3): Picture {
  const codes = [...rows.join('')].map((letter) => letter.charCodeAt(0));
  const data = Uint8Array.from(codes.flatMap((code) => (channels === 1 ? [code] : [code, code + 1, code])));
  return { width: rows[0].length, height: rows.length, channels, data };
}

for (const [rotation, isMirrored, rows] of [
  [0, false, ['abc', 'def']],
  [90, false, ['da', 'eb', 'fc']],
  [180, false, ['fed', 'cba']],
  [270, false, ['cf', 'be', 'ad']],
  [0, true, ['cba', 'fed']],
  [90, true, ['fc', 'eb', 'da']],
  [180, true, ['def', 'abc']],
  [270, true, ['ad', 'be', 'cf']],
] as readonly (readonly [Rotation, boolean, readonly string[]])[]) {
  test(`a picture ${isMirrored ? 'mirrored left to right, then ' : ''}turned by ${rotation} degrees clockwise`, () => {
    for (const channels of [1, 3] as const)
      assert.deepEqual(
        turnPicture(drawn(['abc', 'def'], channels), { rotation, isMirrored }),
        drawn(rows, channels),
      );
  });
}
