import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openInput } from '../../src/media/av/open-input.ts';
import { ClipTails, packetsOfSpans } from '../../src/render/picture/clip-tails.ts';
import { isHeld } from '../../src/render/picture/held-tail.ts';
import { OneTakeReader } from '../../src/render/picture/one-take-reader.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { SourceFrames } from '../../src/render/picture/source-frames.ts';
import { VideoRenderer } from '../../src/render/render-video.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { remux } from '../support/remux.ts';
import { timelineClip as clip } from '../support/timeline-clip.ts';

const folder = temporaryFolder();

/** A dissolve over a cut, and one over a part that is left out. Key frames lie two seconds apart. */
const TIMELINE: Timeline = {
  version: 2,
  frameRate: { numerator: 25, denominator: 1 },
  width: 320,
  height: 180,
  clips: [clip(0, 2.6), clip(2.6, 4, { reason: 'source_cut' }), clip(5.5, 7, { reason: 'trim' })],
  transitions: [
    { clipIndex: 1, type: 'dissolve', durationSeconds: 1, easing: 'linear' },
    { clipIndex: 2, type: 'dissolve', durationSeconds: 0.8, easing: 'linear' },
  ],
  takes: [{ grade: null }],
  audio: null,
  captions: [],
};

/** Hashes of the frames. `tails`: the file from which all tails are read; null: they are held. */
async function drawn(path: string, tails: string | null) {
  using input = await openInput(path);
  using source = await SourceFrames.open(input);
  using tailReader = tails === null ? null : await ClipTails.open(tails, input, TIMELINE, () => false);
  using video = new VideoRenderer(TIMELINE, new OneTakeReader(TIMELINE, source, tailReader));
  const hashes: string[] = [];
  let held = 0;
  for (let number = 0; number < video.frameCount; number++) {
    video.draw(number, (frame) => {
      const hash = createHash('sha256');
      for (const { data, stride, width, height } of planesOf(frame)) {
        for (let y = 0; y < height; y++) hash.update(data.subarray(y * stride, y * stride + width));
      }
      hashes.push(hash.digest('hex'));
    });
    held = Math.max(held, source.heldCount);
  }
  return { hashes, held };
}

describe('the end of a clip under a transition', async () => {
  const path = await makeClip(folder, { name: 'source', durationSeconds: 7, silent: true });
  const held = await drawn(path, null);

  test('held: no more than is shown, for any gap before the next clip', () => {
    assert.equal(held.hashes.length, 138);
    // Half a second of it, and the frames about the other moment; the part left out has 37.
    assert.ok(held.held <= 16, `${held.held} frames were held`);
  });

  for (const container of ['mp4', 'matroska', 'mpegts']) {
    test(`read by a second decoder from ${container}: the same frames, nothing held`, async () => {
      const other = join(folder, `source.${container}`);
      await remux(path, container, other);
      const read = await drawn(other, other);
      assert.deepEqual(read.hashes, (await drawn(other, null)).hashes);
      assert.ok(read.held <= 3, `${read.held} frames were held`);
    });
  }

  test('a second decoder that gives other pictures is not believed', async () => {
    const stranger = await makeClip(folder, {
      name: 'stranger',
      durationSeconds: 7,
      silent: true,
      draw: (rgb, seconds) => {
        rgb.fill(20 * seconds);
      },
    });
    assert.deepEqual((await drawn(path, stranger)).hashes, held.hashes);
  });

  test('which are held: those of up to 1080 lines, and short ones of large pictures', () => {
    const bytes = (width: number, height: number) => 3 * width * height;
    assert.ok(isHeld(60, bytes(1920, 1080)));
    assert.ok(isHeld(15, bytes(3840, 2160)));
    assert.ok(!isHeld(16, bytes(3840, 2160)));
    assert.ok(isHeld(8, bytes(8192, 4320)));
    assert.ok(!isHeld(9, bytes(8192, 4320)));
  });
});

test('of the packets those are decoded in whose groups the tails lie', () => {
  const keys = [0, 10, 20, 30].map((packet) => ({ packet, seconds: packet / 10 }));
  const chosen = (...spans: [number, number][]) => {
    const list = packetsOfSpans(
      spans.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds })),
      keys,
      40,
    );
    return list.flatMap((one, index) => (one && index % 10 === 0 ? [index] : []));
  };
  assert.deepEqual(chosen([1.5, 1.8]), [10]);
  assert.deepEqual(chosen([1.5, 1.95]), [10, 20]);
  // Too near to its key frame: the group before it as well.
  assert.deepEqual(chosen([2.05, 2.5]), [10, 20]);
  assert.deepEqual(chosen([0, 0.2], [3.5, 9]), [0, 30]);
  assert.deepEqual(packetsOfSpans([{ startSeconds: 1, endSeconds: 2 }], [], 2), [true, true]);
});
