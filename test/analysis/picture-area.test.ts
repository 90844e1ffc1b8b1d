import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PictureAreaDetector } from '../../src/analysis/bars/picture-area.ts';
import { type Box, type Shot, type Transition, WHOLE_PICTURE } from '../../src/analysis/facts.ts';
import type { Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { mediaPath } from '../support/media.ts';

const WIDTH = 200;
const HEIGHT = 100;

function draw(level: (x: number, y: number) => number): Picture {
  const data = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
    level(at % WIDTH, Math.floor(at / WIDTH)),
  );
  return { width: WIDTH, height: HEIGHT, channels: 1, data };
}

function detectorOf(pictures: readonly Picture[]): PictureAreaDetector {
  const detector = new PictureAreaDetector();
  for (const [index, detail] of pictures.entries()) detector.push({ index, detail });
  return detector;
}

const areaOf = (...pictures: Picture[]): Box => detectorOf(pictures).finish([], []).clip;
const inside = (left: number, right: number, top = 0, bottom = 0): Box => ({
  x: left / WIDTH,
  y: top / HEIGHT,
  width: (WIDTH - left - right) / WIDTH,
  height: (HEIGHT - top - bottom) / HEIGHT,
});

const texture = (x: number, y: number) => 90 + ((x * 7 + y * 13) % 60);
const bars = (left: number, right: number, top = 0, bottom = 0) =>
  draw((x, y) =>
    x < left || x >= WIDTH - right || y < top || y >= HEIGHT - bottom ? (x + y) % 3 : texture(x, y),
  );

const white = (left: number, right: number, top = 0, bottom = 0, level = 254) =>
  draw((x, y) =>
    x < left || x >= WIDTH - right || y < top || y >= HEIGHT - bottom ? level - ((x + y) % 3) : texture(x, y),
  );
/** The left half of one picture and the right half of another. */
const half = (left: Picture, right: Picture): Picture =>
  draw((x, y) => (x < WIDTH / 2 ? left : right).data[y * WIDTH + x]);

/** Something drawn over a picture. */
const over = (picture: Picture, level: (x: number, y: number) => number | null): Picture =>
  draw((x, y) => level(x, y) ?? picture.data[y * WIDTH + x]);
/** Letters: upright strokes that cover 40 % of their rows. */
const letters = (left: number, right: number, top: number, bottom: number) => (x: number, y: number) =>
  x >= left && x < right && y >= top && y < bottom && x % 5 < 2 ? 235 : null;
const box = (left: number, right: number, top: number, bottom: number) => (x: number, y: number) =>
  x >= left && x < right && y >= top && y < bottom ? 200 : null;
const black = draw(() => 0);

const CASES: readonly [string, readonly Picture[], Box][] = [
  ['nothing at all', [], WHOLE_PICTURE],
  ['no bars', [bars(0, 0)], WHOLE_PICTURE],
  ['pillars', [bars(10, 12)], inside(10, 12)],
  ['letterbox', [bars(0, 0, 12, 12)], inside(0, 0, 12, 12)],
  ['both', [bars(4, 4, 6, 6)], inside(4, 4, 6, 6)],
  ['9:16 in 16:9, which leaves .316', [bars(68, 69)], inside(68, 69)],
  ['a phone of 9:19.5 in 16:9, which leaves .26', [bars(74, 74)], inside(74, 74)],
  ['4:3 in 16:9', [bars(25, 25)], inside(25, 25)],
  ['2.39:1 in 16:9', [bars(0, 0, 13, 13)], inside(0, 0, 13, 13)],
  ['2.39:1 in 9:16, which leaves .235', [bars(0, 0, 38, 38)], inside(0, 0, 38, 38)],
  ['bars of two widths', [bars(0, 0, 6, 20)], inside(0, 0, 6, 20)],
  ['pillars of two widths', [bars(30, 107)], inside(30, 107)],
  ['a letterbox inside pillars', [bars(60, 60, 15, 10)], inside(60, 60, 15, 10)],
  ['bars of one shot only', [bars(10, 10), bars(0, 0)], WHOLE_PICTURE],
  ['a black frame among others', [black, bars(10, 10)], inside(10, 10)],
  ['a clip that begins black', [black, black, black, bars(68, 68)], inside(68, 68)],
  ['one dark side', [bars(20, 0)], WHOLE_PICTURE],
  ['one dark side below', [bars(0, 0, 0, 20)], WHOLE_PICTURE],
  ['a black clip', [draw(() => 1)], WHOLE_PICTURE],
  ['a grey clip', [draw(() => 30)], WHOLE_PICTURE],
  ['a light in the dark', [draw((x) => (x > 90 && x < 110 ? 200 : 2))], WHOLE_PICTURE],
  ['a title on black', [over(black, letters(40, 160, 40, 60))], WHOLE_PICTURE],
  [
    'a box drawn on black, with words in it',
    [
      over(over(black, letters(70, 130, 40, 50)), (x, y) =>
        x >= 40 && x < 160 && y >= 20 && y < 80 && (x < 43 || x >= 157 || y < 23 || y >= 77) ? 230 : null,
      ),
    ],
    WHOLE_PICTURE,
  ],
  ['a ball on black', [draw((x, y) => (Math.hypot(x - 100, y - 50) < 45 ? 180 : 2))], WHOLE_PICTURE],
  ['a caption in a bar', [over(bars(0, 0, 20, 20), letters(20, 180, 84, 94))], inside(0, 0, 20, 20)],
  [
    'a caption that comes and goes, on a box of its own, in a bar',
    [bars(0, 0, 25, 25), over(bars(0, 0, 25, 25), box(10, 190, 80, 92)), bars(0, 0, 25, 25)],
    inside(0, 0, 25, 25),
  ],
  [
    'a caption that straddles the edge of a bar',
    [
      over(bars(0, 0, 20, 20), letters(40, 160, 74, 88)),
      bars(0, 0, 20, 20),
      over(bars(0, 0, 20, 20), letters(40, 160, 74, 88)),
    ],
    inside(0, 0, 20, 20),
  ],
  ['captions across pillars', [over(bars(68, 68), letters(20, 180, 80, 92))], inside(68, 68)],
  ['a logo that stays in a pillar', [over(bars(68, 68), box(10, 50, 8, 24))], inside(68, 68)],
  [
    'a logo in the corner of a letterbox',
    [over(bars(0, 0, 20, 20), box(170, 195, 3, 16))],
    inside(0, 0, 20, 20),
  ],
  [
    'bars of 16 to 24: a range that was converted wrongly, and noise',
    [draw((x, y) => (x < 50 || x >= 150 ? 16 + ((x * 5 + y * 3) % 9) : texture(x, y)))],
    inside(50, 50),
  ],
  [
    'dark grey bars are a picture of something',
    [draw((x, y) => (x < 50 || x >= 150 ? 45 : texture(x, y)))],
    WHOLE_PICTURE,
  ],
  ['white pillars', [white(60, 64)], inside(60, 64)],
  ['a white frame', [white(12, 12, 20, 20)], inside(12, 12, 20, 20)],
  ['white pillars of a range that was converted wrongly', [white(60, 64, 0, 0, 233)], inside(60, 64)],
  ['a white pillar and a black one', [half(white(60, 64), bars(60, 64))], WHOLE_PICTURE],
  ['one white side', [white(60, 0)], WHOLE_PICTURE],
  ['light grey walls on both sides', [white(60, 64, 0, 0, 222)], WHOLE_PICTURE],
  ['white pillars of one shot only', [white(60, 64), bars(0, 0)], WHOLE_PICTURE],
  [
    'a round thing before white',
    [draw((x, y) => (Math.hypot(x - 100, y - 50) < 45 ? texture(x, y) : 255))],
    WHOLE_PICTURE,
  ],
  [
    'a white page with a line of words',
    [draw((x, y) => (y > 40 && y < 50 && x % 5 < 2 ? 0 : 255))],
    WHOLE_PICTURE,
  ],
  [
    'bars that ring with noise',
    [draw((x, y) => (y < 10 || y >= 90 ? (x * 7 + y * 3) % 12 : texture(x, y)))],
    inside(0, 0, 10, 10),
  ],
  [
    'bars that ring beside a white picture, which they do not beside others',
    [bars(68, 68), draw((x) => (x >= 68 && x < 132 ? 235 : x >= 63 && x < 137 ? 24 : 0)), bars(68, 68)],
    inside(68, 68),
  ],
  [
    'soft edges of two rows',
    [draw((x, y) => texture(x, y) * Math.max(0, Math.min(1, (Math.min(y, 99 - y) - 9) / 2)))],
    inside(0, 0, 11, 11),
  ],
  [
    'a dark scene, then a bright one, in a letterbox',
    [draw((x, y) => (y < 10 || y >= 90 ? 0 : x % 20)), bars(0, 0, 10, 10)],
    inside(0, 0, 10, 10),
  ],
  ['a dark scene with lit lower third', [draw((x, y) => (y > 66 ? texture(x, y) : 5))], WHOLE_PICTURE],
  [
    'a night: black sky, black street, roofs between them',
    [draw((x, y) => (y > 30 + 12 * Math.sin(x / 9) && y < 75 + 6 * Math.cos(x / 13) ? texture(x, y) : 3))],
    WHOLE_PICTURE,
  ],
  ['a black foreground at both sides for one shot', [bars(30, 30), bars(0, 0)], WHOLE_PICTURE],
  ['a vignette', [draw((x) => Math.min(x, WIDTH - 1 - x) * 1.5)], WHOLE_PICTURE],
  [
    'a round vignette',
    [draw((x, y) => 180 * Math.max(0, 1 - Math.hypot((x - 100) / 110, (y - 50) / 60) ** 2))],
    WHOLE_PICTURE,
  ],
  [
    'a blurred copy of the picture in place of bars',
    [draw((x, y) => (x < 68 || x >= 132 ? 70 + x / 8 : texture(x, y)))],
    WHOLE_PICTURE,
  ],
];
for (const [name, pictures, expected] of CASES) {
  test(`picture area: ${name}`, () => {
    const found = areaOf(...pictures);
    for (const key of ['x', 'y', 'width', 'height'] as const)
      assert.ok(
        Math.abs(found[key] - expected[key]) < 1e-4,
        `${JSON.stringify(found)}, wanted ${JSON.stringify(expected)}`,
      );
  });
}

test('a mixed column at the edge belongs to the bar', () => {
  const picture = draw((x, y) => (x < 6 || x > 193 ? 0 : x === 6 || x === 193 ? 40 : texture(x, y)));
  assert.deepEqual(areaOf(picture), { x: 0.035, y: 0, width: 0.93, height: 1 });
});

const REAL: readonly [string, boolean][] = [
  ['video/mdn_pig.mp4', true],
  ['video/nasa_webb_13s.mp4', false],
  ['video/sam2_dog.mp4', false],
];
for (const [name, bordered] of REAL) {
  test(`picture area of ${name}`, async (t) => {
    const path = mediaPath(name);
    if (path === null) return t.skip(`needs ../shared/media/${name}`);
    const detector = new PictureAreaDetector();
    for await (const frame of openFrames(path)) {
      detector.push(frame);
      if (frame.timeSeconds > 3) break;
    }
    const { x, y, width, height } = detector.box;
    // 9 of its 720 columns on the left, 9 on the right.
    if (bordered) assert.ok(x > 0.009 && x < 0.016 && width > 0.97 && width < 0.982, `${x} ${width}`);
    else assert.deepEqual([x, width], [0, 1]);
    assert.deepEqual([y, height], [0, 1]);
  });
}

const shot = (startFrame: number, endFrame: number): Shot => ({
  startFrame,
  endFrame,
  startSeconds: startFrame / 3,
  endSeconds: endFrame / 3,
});

test('each shot has its own bars; a dark one those of the clip, and a dissolve has none', () => {
  const pictures = [
    ...Array<Picture>(4).fill(bars(68, 68)),
    over(bars(68, 68), (x, y) => (y % 2 === 0 ? texture(x, y) : null)),
    ...Array<Picture>(4).fill(bars(0, 0, 12, 12)),
    ...Array<Picture>(4).fill(bars(0, 0)),
    ...Array<Picture>(3).fill(draw((x, y) => (x + y) % 4)),
  ];
  const dissolve: Transition = {
    type: 'dissolve',
    startFrame: 3,
    endFrame: 5,
    startSeconds: 1,
    endSeconds: 5 / 3,
    easing: 'linear',
    confidence: 1,
  };
  const shots = [shot(0, 4), shot(4, 9), shot(9, 13), shot(13, 16)];
  const areas = detectorOf(pictures).finish(shots, [dissolve]);
  assert.deepEqual(areas.clip, WHOLE_PICTURE);
  assert.deepEqual(areas.shots, [inside(68, 68), inside(0, 0, 12, 12), WHOLE_PICTURE, WHOLE_PICTURE]);
});

test('bars count that show only while a clip fades in or out: no other shot is mixed into them', () => {
  const barred = bars(10, 12, 6, 6);
  const whole = bars(0, 0);
  const shots: Shot[] = [
    [0, 4],
    [4, 8],
    [8, 12],
  ].map(([startFrame, endFrame]) => ({
    startFrame: startFrame!,
    endFrame: endFrame!,
    startSeconds: startFrame! / 25,
    endSeconds: endFrame! / 25,
  }));
  const fade = (edge: 'start' | 'end', startFrame: number, endFrame: number): Transition => ({
    ...{ type: 'fade_black', edge, startFrame, endFrame, easing: 'linear', confidence: 1 },
    startSeconds: startFrame / 25,
    endSeconds: endFrame / 25,
  });
  const pictures = [
    black,
    ...Array(3).fill(barred),
    ...Array(4).fill(whole),
    ...Array(3).fill(barred),
    black,
  ];
  const areas = detectorOf(pictures).finish(shots, [fade('start', 0, 4), fade('end', 7, 11)]);
  assert.deepEqual(areas.shots, [inside(10, 12, 6, 6), WHOLE_PICTURE, inside(10, 12, 6, 6)]);
  assert.deepEqual(areas.clip, WHOLE_PICTURE);
});

test('a dark shot of a barred clip has the clip’s bars', () => {
  const dark = draw((x, y) => (x < 68 || x >= 132 ? 0 : (x + y) % 9));
  const { shots } = detectorOf([bars(68, 68), bars(68, 68), dark, dark]).finish([shot(0, 2), shot(2, 4)], []);
  assert.deepEqual(shots, [inside(68, 68), inside(68, 68)]);
});

test('the area grows with the visible picture; a run of frames may have different bars', () => {
  const detector = detectorOf([bars(68, 68)]);
  assert.deepEqual(detector.box, inside(68, 68));
  detector.push({ index: 1, detail: null });
  detector.push({ index: 2, detail: bars(0, 0) });
  assert.deepEqual([detector.box, detector.runBox], [WHOLE_PICTURE, WHOLE_PICTURE]);
  detector.startRun();
  detector.push({ index: 3, detail: bars(25, 25) });
  assert.deepEqual([detector.box, detector.runBox], [WHOLE_PICTURE, inside(25, 25)]);
});
