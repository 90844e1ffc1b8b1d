/** Storyboards: each tile is the frame of the output in the middle of its slot, framed and graded, without rendering the output. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PixelBox } from '../../src/domain/preview.ts';
import { storyboardLayout, storyboardTile } from '../../src/render/previews/storyboard-layout.ts';
import { drawStoryboard } from '../../src/render/storyboard.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { drawNumber, makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { encodeImage } from '../support/image.ts';
import { decodePng } from '../support/png.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const SIZE = { width: 320, height: 180 };

function cropped({ channels, data, width }: ReturnType<typeof decodePng>, box: PixelBox) {
  const rows = Array.from({ length: box.height }, (_, y) => {
    const at = ((box.y + y) * width + box.x) * channels;
    return data.subarray(at, at + box.width * channels);
  });
  return { ...SIZE, channels, data: Buffer.concat(rows) };
}

test('tiles show the middle of their slots, in the order of the output, and a photo', async () => {
  const draw = drawNumber(SIZE.width, SIZE.height);
  const takes = await Promise.all(
    [0, 300].map((first) =>
      makeClip(folder, {
        name: `take-${first}`,
        durationSeconds: 6,
        draw: (rgb, seconds, index) => draw(rgb, seconds, index + first),
      }),
    ),
  );
  const rgb = new Uint8Array(3 * SIZE.width * SIZE.height);
  draw(rgb, 0, 1000);
  const photo = join(folder, 'photo.png');
  const pixel = (x: number, y: number) => [...rgb.subarray(3 * (y * SIZE.width + x)).subarray(0, 3)];
  writeFileSync(photo, await encodeImage('png', SIZE, (x, y) => pixel(x, y) as [number, number, number]));
  const slot = (take: number, start: number, end: number) =>
    timelineClip(start, end, { take, reason: 'slot' });
  const timeline: Timeline = {
    ...timelineOf(
      [slot(1, 4, 5), slot(0, 3, 4), slot(2, 0, 1), slot(1, 1, 2)],
      [{ clipIndex: 1, type: 'dissolve', durationSeconds: 0.9, easing: 'linear' }],
    ),
    ...SIZE,
    frameRate: { numerator: 25, denominator: 1 },
    takes: [{ grade: null }, { grade: null }, { grade: null }],
  };
  const picturePath = join(folder, 'board.png');
  const slots = [0.5, 1.5, 2.5, 3.5].map((seconds, number) => ({
    seconds,
    label: `${number}   ${seconds} s`,
  }));
  const progress: number[] = [];
  const layout = await drawStoryboard(
    { timeline, takePaths: [...takes, photo], slots, format: 'png', picturePath },
    (done) => progress.push(done),
  );
  const picture = decodePng(readFileSync(picturePath));
  assert.deepEqual([picture.width, picture.height], [layout.width, layout.height]);
  assert.deepEqual(
    layout.tiles.map((box) => readNumber(cropped(picture, box))),
    [300 + 112, 87, 1000, 300 + 37],
  );
  assert.equal(progress.at(-1), 1);
  // Each label is drawn below its tile, and nothing else is.
  for (const { x, y, height } of layout.tiles) {
    const levels = new Set<number>();
    for (let line = y + height; line < y + height + 28; line++)
      for (let column = x; column < x + 60; column++)
        levels.add(picture.data[(line * picture.width + column) * picture.channels]!);
    assert.ok(Math.max(...levels) > 230 && Math.min(...levels) < 60);
  }
});

test('tiles have the shape of the output, are never enlarged, and fill rows of a screen', () => {
  const tile = storyboardTile({ width: 1080, height: 1920 });
  assert.ok(Math.abs(tile.width / tile.height - 9 / 16) < 0.01, JSON.stringify(tile));
  assert.deepEqual(storyboardTile({ width: 160, height: 90 }), { width: 160, height: 90 });
  const { width, tiles } = storyboardLayout(tile, 30);
  assert.ok(width <= 1600);
  assert.equal(tiles.length, 30);
  for (const box of tiles) assert.ok([box.x, box.y, box.width, box.height].every((value) => value % 2 === 0));
});
