import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Box } from '../../src/analysis/facts.ts';
import { findSalientRegion } from '../../src/analysis/subjects/salient-region.ts';
import { SalientTracker } from '../../src/analysis/subjects/salient-track.ts';
import type { Frame, Picture } from '../../src/domain/footage.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

type Rgb = readonly [number, number, number];
const [WIDTH, HEIGHT] = [48, 27];
const [WOOD, FROG, GRASS, SKY]: Rgb[] = [
  [130, 80, 45],
  [60, 190, 60],
  [110, 150, 60],
  [150, 190, 230],
];

/** A picture whose color at (x, y), both 0..1, is `at`; each level off by up to `noise`. */
function picture(at: (x: number, y: number) => Rgb, noise = 0): Picture {
  const random = seededRandom(7);
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  for (let cell = 0; cell < WIDTH * HEIGHT; cell++) {
    const color = at(((cell % WIDTH) + 0.5) / WIDTH, (Math.floor(cell / WIDTH) + 0.5) / HEIGHT);
    for (let c = 0; c < 3; c++) data[3 * cell + c] = color[c] + noise * (2 * random() - 1);
  }
  return { width: WIDTH, height: HEIGHT, channels: 3, data };
}

const within =
  ({ x, y, width, height }: Box) =>
  (atX: number, atY: number) =>
    atX >= x && atX < x + width && atY >= y && atY < y + height;

const on = (ground: Rgb, ...things: (readonly [Box, Rgb])[]) =>
  picture((x, y) => things.find(([box]) => within(box)(x, y))?.[1] ?? ground, 12);

describe('a salient object', () => {
  const frog: Box = { x: 0.5, y: 0.3, width: 0.25, height: 0.37 };
  const person: Box = { x: 0.25, y: 0.37, width: 0.25, height: 0.63 };
  for (const [name, observed, box] of [
    ['on a table', on(WOOD, [frog, FROG]), frog],
    ['standing on the lower edge', on(SKY, [person, [200, 140, 20]]), person],
    ['small', on(WOOD, [{ x: 0.125, y: 0.37, width: 0.0625, height: 0.1112 }, FROG]), null],
  ] as const) {
    test(name, () => {
      const found = findSalientRegion(observed)!;
      assert.ok(found.salience > 0.5, `${found.salience}`);
      if (box === null) return;
      for (const side of ['x', 'y', 'width', 'height'] as const)
        assert.ok(
          Math.abs(found.box[side] - box[side]) < 0.045,
          `${side}: ${found.box[side]} for ${box[side]}`,
        );
    });
  }
});

test('nothing is salient in a plain picture, with two objects, or in a landscape', () => {
  const corner: Box = { x: 0.6, y: 0.6, width: 0.4, height: 0.4 };
  const [one, other]: Box[] = [
    { x: 0.1, y: 0.3, width: 0.2, height: 0.4 },
    { x: 0.7, y: 0.3, width: 0.2, height: 0.4 },
  ];
  for (const [name, observed] of [
    ['one color', on(WOOD)],
    ['noise', picture(() => [128, 128, 128], 120)],
    ['a horizon', picture((_, y) => (y < 0.5 ? SKY : GRASS), 12)],
    ['bushes in a corner', on(SKY, [corner, GRASS])],
    [
      'light that falls off',
      picture((x, y) => [230, 220, 200].map((v) => v * (0.4 + 0.3 * (x + y))) as unknown as Rgb),
    ],
    ['two alike', on(WOOD, [one!, FROG], [other!, FROG])],
  ] as const) {
    assert.ok((findSalientRegion(observed)?.salience ?? 0) < 0.25, name);
  }
});

test('each shot has its own track, and none if the object is visible for less than half of it', () => {
  const tracker = new SalientTracker();
  const thing = (x: number) => on(WOOD, [{ x, y: 0.3, width: 0.2, height: 0.4 }, FROG]);
  const empty = on(WOOD);
  for (let index = 0; index < 300; index++) {
    const timeSeconds = index / 25;
    const color =
      timeSeconds < 4
        ? thing(0.1)
        : timeSeconds < 8
          ? thing(0.1 + 0.1 * (timeSeconds - 4))
          : timeSeconds < 9
            ? thing(0.5)
            : empty;
    tracker.push({ index, timeSeconds, color } as Frame);
  }
  const shots = [0, 4, 8].map((startSeconds) => ({
    startSeconds,
    endSeconds: startSeconds + 4,
    startFrame: 25 * startSeconds,
    endFrame: 25 * startSeconds + 100,
  }));
  const tracks = tracker.finish(shots);
  assert.deepEqual(
    tracks.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]),
    [
      [0, 4],
      [4, 8],
    ],
  );
  const [still, moving] = tracks.map(({ boxes }) => boxes.map(({ box }) => box.x));
  assert.ok(still!.every((x) => Math.abs(x - 0.1) < 0.03));
  assert.ok(moving!.at(-1)! - moving![0] > 0.3, 'it is followed');
});
