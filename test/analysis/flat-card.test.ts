/** Titles and logos on flat grounds: they do not count for a look. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ColorAnalysis } from '../../src/analysis/color/color.ts';
import { isFlatCard } from '../../src/analysis/color/flat-card.ts';
import { type Shot, WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import type { Frame } from '../../src/domain/footage.ts';
import { lookOf } from '../../src/style/look/estimate.ts';
import { dialsOfLook } from '../../src/style/model/color-dials.ts';
import { videoFacts } from '../support/clip-facts.ts';
import { random } from './shot-scenes.ts';

const [WIDTH, HEIGHT] = [640, 360];
const [COLUMNS, ROWS] = [48, 27];
const FPS = 10;

type Rgb = readonly [number, number, number];
type Paint = (x: number, y: number) => Rgb;

/** As the decoder makes it: RGB means of cells, and the grey picture. */
function frameOf(paint: Paint, index = 0): Frame {
  const sums = new Float64Array(3 * COLUMNS * ROWS);
  const counts = new Float64Array(COLUMNS * ROWS);
  const data = new Uint8Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [red, green, blue] = paint(x, y);
      data[y * WIDTH + x] = Math.round(0.2126 * red + 0.7152 * green + 0.0722 * blue);
      const cell = Math.floor((y * ROWS) / HEIGHT) * COLUMNS + Math.floor((x * COLUMNS) / WIDTH);
      sums[3 * cell] += red;
      sums[3 * cell + 1] += green;
      sums[3 * cell + 2] += blue;
      counts[cell] += 1;
    }
  }
  const detail = { width: WIDTH, height: HEIGHT, channels: 1, data } as const;
  const color = {
    width: COLUMNS,
    height: ROWS,
    channels: 3,
    data: Uint8Array.from(sums, (sum, at) => Math.round(sum / counts[Math.floor(at / 3)])),
  } as const;
  return { index, timeSeconds: index / FPS, color, grey: detail, detail };
}

/** Upright strokes like those of a word, `size` pixels high, in the middle. */
function isLetter(x: number, y: number, size = 80): boolean {
  return (
    Math.abs(y - HEIGHT / 2) < size / 2 && Math.abs(x - WIDTH / 2) < 2 * size && x % (size / 2) < size / 5
  );
}

const card =
  (ground: Paint, ink: Rgb, size?: number): Paint =>
  (x, y) =>
    isLetter(x, y, size) ? ink : ground(x, y);
const plain =
  (...rgb: Rgb): Paint =>
  () =>
    rgb;
const gradient: Paint = (x, y) => [(180 * x) / WIDTH, 64 - (40 * y) / HEIGHT, 255 - (90 * x) / WIDTH];
const WHITE: Rgb = [255, 255, 255];

/** A thing with shades and texture on a ground. */
function thingOn(ground: Paint, seed = 5): Paint {
  const next = random(seed);
  const noise = Float32Array.from({ length: WIDTH * HEIGHT }, () => 24 * next() - 12);
  return (x, y) => {
    const away = Math.hypot((x - WIDTH / 2) / 130, (y - HEIGHT / 2) / 110);
    if (away > 1) return ground(x, y);
    const shade = 220 - 150 * away + 30 * Math.sin(x / 9) + noise[y * WIDTH + x];
    return [shade, 0.8 * shade, 0.6 * shade];
  };
}

/** A scene: patches of all lightnesses with texture, in warm light. */
function scene(seed: number): Paint {
  const next = random(seed);
  const patches = Array.from({ length: 12 * 8 }, () => [40 + 180 * next(), 0.6 + 0.5 * next()] as const);
  const noise = Float32Array.from({ length: 997 }, () => 16 * next() - 8);
  return (x, y) => {
    const [level, green] = patches[12 * Math.floor(y / 45) + Math.floor((12 * x) / WIDTH)];
    const lit = level + noise[(31 * x + 17 * y) % 997];
    return [Math.min(255, 1.1 * lit), green * lit, 0.75 * lit];
  };
}

describe('cards', () => {
  for (const [name, paint] of [
    ['white letters on blue', card(plain(10, 60, 255), WHITE)],
    ['black letters on white', card(plain(...WHITE), [0, 0, 0])],
    ['red letters on cream', card(plain(244, 234, 210), [200, 20, 20])],
    ['small letters on red', card(plain(208, 16, 16), WHITE, 40)],
    ['white letters on black', card(plain(0, 0, 0), WHITE, 120)],
    ['letters on a gradient', card(gradient, WHITE)],
    ['a ground before its letters come', plain(10, 60, 255)],
    [
      'a logo of three colors',
      (x: number, y: number) =>
        Math.abs(y - 180) < 60 && Math.abs(x - 320) < 120
          ? (
              [
                [255, 220, 0],
                [255, 40, 40],
                [40, 200, 90],
              ] as const
            )[Math.floor((x - 200) / 80)]
          : ([10, 60, 255] as const),
    ],
  ] as [string, Paint][]) {
    test(`${name}`, () => assert.equal(isFlatCard(frameOf(paint), WHOLE_PICTURE), true));
  }

  test('a card between black bars is found inside them', () => {
    const barred: Paint = (x, y) => (y < 40 || y >= 320 ? [0, 0, 0] : card(plain(10, 60, 255), WHITE)(x, y));
    assert.equal(isFlatCard(frameOf(barred), WHOLE_PICTURE), false);
    const inside = { x: 0, y: 40 / HEIGHT, width: 1, height: 280 / HEIGHT };
    assert.equal(isFlatCard(frameOf(barred), inside), true);
  });
});

describe('no cards', () => {
  for (const [name, paint] of [
    ['a thing on studio white', thingOn(plain(...WHITE))],
    ['a thing on a flat color', thingOn(plain(90, 180, 240))],
    ['a clear sky', (_: number, y: number): Rgb => [90 + y / 4, 150 + y / 5, 235]],
    ['a scene', scene(3)],
    ['letters over a scene', card(scene(3), WHITE)],
    ['letters that cover most of the picture', card(plain(10, 60, 255), WHITE, 900)],
  ] as [string, Paint][]) {
    test(`${name}`, () => assert.equal(isFlatCard(frameOf(paint), WHOLE_PICTURE), false));
  }

  test('a frame without detail is not judged', () => {
    assert.equal(isFlatCard({ ...frameOf(plain(10, 60, 255)), detail: null }, WHOLE_PICTURE), null);
  });
});

const SHOT_FRAMES = 10;

/** Look and colors of shots of a second each. */
function analysed(paints: readonly Paint[], isStill = false) {
  const analysis = new ColorAnalysis({ isStill });
  paints.forEach((paint, at) => {
    const { color, grey, detail } = frameOf(paint);
    for (let frame = 0; frame < SHOT_FRAMES; frame++) {
      const index = at * SHOT_FRAMES + frame;
      analysis.push({ index, timeSeconds: index / FPS, color, grey, detail });
    }
  });
  const shots = paints.map(
    (_, at): Shot => ({
      startFrame: at * SHOT_FRAMES,
      endFrame: (at + 1) * SHOT_FRAMES,
      startSeconds: at,
      endSeconds: at + 1,
    }),
  );
  const color = analysis.finish(shots, []);
  return { color, look: lookOf(videoFacts({ color, shots, durationSeconds: paints.length })) };
}

describe('a film with cards', () => {
  const film = [scene(3), scene(4), scene(5)];
  const cards = [card(plain(10, 60, 255), WHITE), card(plain(208, 16, 16), WHITE), card(gradient, WHITE)];
  const alone = analysed(film);

  for (const [where, paints] of [
    ['at the end', [...film, cards[0]]],
    ['at the start', [cards[1], ...film]],
    ['in the middle', [film[0], cards[2], ...film.slice(1)]],
    ['three of them', [cards[1], ...film, cards[0], cards[2]]],
  ] as const) {
    test(`has the look, dials and palette of the film: cards ${where}`, () => {
      const { color, look } = analysed(paints);
      assert.deepEqual(color.palette, alone.color.palette);
      assert.deepEqual(color.clip, alone.color.clip);
      assert.deepEqual(look, alone.look);
      assert.deepEqual(dialsOfLook(look.look), dialsOfLook(alone.look.look));
      assert.ok(Math.abs(color.confidence - alone.color.confidence) < 0.15);
    });
  }

  test('would have another one if they counted', () => {
    // The same ground under a thing that is no letter.
    const { color } = analysed([...film, thingOn(plain(10, 60, 255))]);
    assert.notDeepEqual(color.palette, alone.color.palette);
  });
});

test('a video of cards only has colors and no look', () => {
  const { color, look } = analysed([card(plain(10, 60, 255), WHITE), card(plain(208, 16, 16), WHITE)]);
  assert.equal(color.isCardsOnly, true);
  assert.ok(color.palette.length >= 2 && color.confidence > 0);
  assert.equal(look.confidence, 0);
  assert.equal(look.look.chroma, 1);
});

test('a still is measured whole, even if it is a card', () => {
  const { color } = analysed([card(plain(10, 60, 255), WHITE)], true);
  assert.equal(color.isCardsOnly, undefined);
});
