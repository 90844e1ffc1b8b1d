import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { LinearGraph } from '../../src/media/av/graph.ts';

const CHANGES = 400;
/** 400 graphs that are kept until the end: 258 MB; graphs that are freed when they are replaced: 4 MB. */
const MAX_GROWTH_BYTES = 100e6;

test('frames that change size with each one do not fill the memory with graphs', () => {
  const frames = [emptyFrame(640, 360), emptyFrame(360, 640)];
  using graph = new LinearGraph('video', { num: 1, den: 25 }, () => 'scale=320:180');
  const sizes = new Set<string>();
  let count = 0;
  const before = process.memoryUsage().rss;
  for (let at = 0; at < CHANGES; at++) {
    const frame = frames[at % 2]!;
    frame.pts = BigInt(at);
    graph.push(frame, ({ width, height }) => {
      count += 1;
      sizes.add(`${width}x${height}`);
    });
  }
  const growth = process.memoryUsage().rss - before;
  for (const frame of frames) frame.free();
  assert.deepEqual([count, [...sizes]], [CHANGES, ['320x180']]);
  assert.ok(growth < MAX_GROWTH_BYTES, `${growth} bytes`);
});
