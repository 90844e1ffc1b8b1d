import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { assertRoom } from '../../src/pipeline/engine/disk-need.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';

const MB = 1e6;

test('an output that the disk cannot hold is refused before it is rendered, with its size', async (t) => {
  using disk = mountSmallDisk(64 * MB);
  if (disk === null) return t.skip('needs the right to mount a small tmpfs');
  const timeline = {
    ...timelineOf([timelineClip(0, 600)]),
    ...{ frameRate: { numerator: 30, denominator: 1 }, width: 1280, height: 720 },
  };
  // 18,000 frames of .92 million pixels with 9,200 bytes to a million: 153 MB, of which 31 are certain.
  const config = { quality: 'medium', comparison: false } as const;
  disk.fill(40 * MB);
  await assertRoom(disk.folder, timeline, config);
  const both = { ...config, comparison: true };
  for (const [free, asked, words] of [
    [26, config, /about 153 MB \(1280×720, 600 s, quality "medium"\), and the disk has 2[67] MB free/],
    [40, both, /about 306 MB .* has 4[01] MB free: free some space, or choose a lower quality or resolution/],
  ] as const) {
    disk.fill(free * MB);
    await assert.rejects(assertRoom(disk.folder, timeline, asked), (error) => {
      assert.ok(isFailure(error, 'INSUFFICIENT_STORAGE'));
      assert.match(error.detail, words);
      return true;
    });
  }
});
