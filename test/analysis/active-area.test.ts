import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ActiveArea } from '../../src/analysis/active-area.ts';
import { type Box, WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import type { Picture } from '../../src/footage.ts';
import { openFrames } from '../../src/media/frames.ts';
import { mediaPath } from '../support/media.ts';

const WIDTH = 200;
const HEIGHT = 100;

function draw(level: (x: number, y: number) => number): Picture {
  const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
    level(at % WIDTH, Math.floor(at / WIDTH)),
  );
  return { width: WIDTH, height: HEIGHT, channels: 1, data };
}

function areaOf(...pictures: Picture[]): Box {
  const area = new ActiveArea();
  for (const picture of pictures) area.push(picture);
  return area.finish();
}

const texture = (x: number, y: number) => 90 + ((x * 7 + y * 13) % 60);
const bars = (left: number, right: number, top = 0, bottom = 0) =>
  draw((x, y) =>
    x < left || x >= WIDTH - right || y < top || y >= HEIGHT - bottom ? (x + y) % 3 : texture(x, y),
  );

const CASES: readonly [string, readonly Picture[], Box][] = [
  ['nothing at all', [], WHOLE_PICTURE],
  ['no borders', [bars(0, 0)], WHOLE_PICTURE],
  ['pillars', [bars(10, 12)], { x: 0.05, y: 0, width: 0.89, height: 1 }],
  ['letterbox', [bars(0, 0, 12, 12)], { x: 0, y: 0.12, width: 1, height: 0.76 }],
  ['both', [bars(4, 4, 6, 6)], { x: 0.02, y: 0.06, width: 0.96, height: 0.88 }],
  ['borders of one shot only', [bars(10, 10), bars(0, 0)], WHOLE_PICTURE],
  ['a black frame among others', [draw(() => 0), bars(10, 10)], { x: 0.05, y: 0, width: 0.9, height: 1 }],
  ['one dark side', [bars(20, 0)], WHOLE_PICTURE],
  ['a black clip', [draw(() => 1)], WHOLE_PICTURE],
  ['a light in the dark', [draw((x) => (x > 90 && x < 110 ? 200 : 2))], WHOLE_PICTURE],
  [
    'borders that ring with noise',
    [draw((x, y) => (y < 10 || y >= 90 ? (x * 7 + y * 3) % 12 : texture(x, y)))],
    { x: 0, y: 0.1, width: 1, height: 0.8 },
  ],
  [
    'soft edges of two rows',
    [draw((x, y) => texture(x, y) * Math.max(0, Math.min(1, (Math.min(y, 99 - y) - 9) / 2)))],
    { x: 0, y: 0.11, width: 1, height: 0.78 },
  ],
  [
    'a dark scene, then a bright one, in a letterbox',
    [draw((x, y) => (y < 10 || y >= 90 ? 0 : x % 20)), bars(0, 0, 10, 10)],
    { x: 0, y: 0.1, width: 1, height: 0.8 },
  ],
  ['a dark scene with lit lower third', [draw((x, y) => (y > 66 ? texture(x, y) : 5))], WHOLE_PICTURE],
  ['a black foreground at both sides for one shot', [bars(30, 30), bars(0, 0)], WHOLE_PICTURE],
  ['a vignette', [draw((x) => Math.min(x, WIDTH - 1 - x) * 1.5)], WHOLE_PICTURE],
];
for (const [name, pictures, wanted] of CASES) {
  test(`active area: ${name}`, () => assert.deepEqual(areaOf(...pictures), wanted));
}

test('a mixed column at the edge belongs to the border', () => {
  const picture = draw((x, y) => (x < 6 || x > 193 ? 0 : x === 6 || x === 193 ? 40 : texture(x, y)));
  assert.deepEqual(areaOf(picture), { x: 0.035, y: 0, width: 0.93, height: 1 });
});

const REAL: readonly [string, boolean][] = [
  ['video/mdn_pig.mp4', true],
  ['video/nasa_webb_13s.mp4', false],
  ['video/sam2_dog.mp4', false],
];
for (const [name, bordered] of REAL) {
  test(`active area of ${name}`, async (t) => {
    const path = mediaPath(name);
    if (path === null) return t.skip(`needs ../shared/media/${name}`);
    const area = new ActiveArea();
    for await (const { detail, timeSeconds } of openFrames(path)) {
      if (detail !== null) area.push(detail);
      if (timeSeconds > 3) break;
    }
    const { x, y, width, height } = area.finish();
    // 9 of its 720 columns on the left, 9 on the right.
    if (bordered) assert.ok(x > 0.009 && x < 0.016 && width > 0.97 && width < 0.982, `${x} ${width}`);
    else assert.deepEqual([x, width], [0, 1]);
    assert.deepEqual([y, height], [0, 1]);
  });
}
