/** Bursts of a distorted picture, strobes and appearing or disappearing bars, which are no cuts, and cuts that resemble them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RGB } from '../../src/domain/footage.ts';
import {
  detect,
  FPS,
  flat,
  HEIGHT,
  here,
  type Image,
  random,
  shot,
  there,
  times,
  WIDTH,
} from './shot-scenes.ts';

function colored(red: number, green: number, blue: number): Image {
  return flat(0).map((_, at) => [red, green, blue][at % RGB]);
}

type Distortion = (image: Image) => Image;

/** Red to the right, blue to the left. */
const split: Distortion = (image) =>
  image.map((_, at) => {
    const pixel = Math.floor(at / RGB);
    const x = pixel % WIDTH;
    const from = Math.max(0, Math.min(WIDTH - 1, x + [-5, 0, 5][at % RGB]));
    return image[RGB * (pixel - x + from) + (at % RGB)];
  });

/** A fifth of its colors is left: what most scenes have. */
const muted: Distortion = (image) =>
  image.map((level, at) => {
    const from = at - (at % RGB);
    const grey = (image[from] + image[from + 1] + image[from + 2]) / RGB;
    return grey + 0.2 * (level - grey);
  });

const noise = random(8);
const noisy: Distortion = (image) =>
  image.map((level) => Math.max(0, Math.min(255, level + 160 * noise() - 80)));
const negative: Distortion = (image) => image.map((level) => 255 - level);
const blocks: Distortion = (image) =>
  image.map((_, at) => {
    const pixel = Math.floor(at / RGB);
    const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
    return image[RGB * ((y - (y % 10) + 5) * WIDTH + x - (x % 10) + 5) + (at % RGB)];
  });
const DISTORTIONS: readonly [string, Distortion][] = [
  ['shifted colors and noise', (image) => noisy(split(image))],
  ['a negative', negative],
  ['blocks', blocks],
  ['dimmed and shifted', (image) => split(image).map((level) => 0.6 * level)],
];

function cutsOf(images: readonly Image[]): [string, number][] {
  const { transitions } = detect(images, { framesPerSecond: FPS, withMotion: true });
  return transitions.map(({ type, endFrame }) => [type, endFrame]);
}

describe('bursts', () => {
  for (const [name, distorted] of DISTORTIONS) {
    for (const length of [3, 6]) {
      it(`${name} for ${length} frames within a shot: no cut`, () => {
        const images = shot(here, 0, 90);
        for (const start of [30, 60])
          for (let i = start; i < start + length; i++) images[i] = distorted(images[i]);
        assert.deepEqual(cutsOf(images), []);
      });
    }
  }

  // If an edge of a burst is detected, it remains in addition to the cut, as in the others.
  for (const [name, distorted] of DISTORTIONS.filter(([name]) => /negative|dimmed/.test(name))) {
    it(`${name} over a cut: one cut`, () => {
      const images = [...shot(here, 0, 40), ...shot(there, 0, 40)];
      for (let i = 37; i < 43; i++) images[i] = distorted(images[i]);
      const found = cutsOf(images);
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.equal(found[0][0], 'cut');
      assert.ok(found[0][1] >= 37 && found[0][1] <= 43, JSON.stringify(found));
    });
  }
});

describe('strobes', () => {
  for (const [name, color] of [
    ['red', colored(255, 0, 0)],
    ['blue', colored(0, 0, 255)],
    ['yellow', colored(255, 220, 0)],
  ] as const) {
    for (const [on, off] of [
      [1, 4],
      [3, 6],
      [4, 6],
    ] as const) {
      it(`${on} frames of ${name}, ${off} of the shot: no cut`, () => {
        const images = shot(here, 0, 120).map((image, i) =>
          i >= 30 && i < 90 && i % (on + off) < on ? color : image,
        );
        assert.deepEqual(cutsOf(images), []);
      });
    }
  }

  it('red and blue light in turn: no cut', () => {
    const lights = [
      [1, 0.15, 0.15],
      [0.15, 0.15, 1],
    ] as const;
    const images = shot(here, 0, 90)
      .map(muted)
      .map((image, i) => image.map((level, at) => level * lights[Math.floor(i / 3) % 2][at % RGB]));
    assert.deepEqual(cutsOf(images), []);
  });
});

describe('cuts that stay', () => {
  it('to another shot for six frames and back', () => {
    const images = [...shot(here, 0, 40), ...shot(there, 0, 6), ...shot(here, 46, 40)];
    assert.deepEqual(cutsOf(images), [
      ['cut', 40],
      ['cut', 46],
    ]);
  });

  it('to a colored card that stays, and from it', () => {
    const images = [...shot(here, 0, 40), ...times(40, () => colored(10, 60, 255)), ...shot(there, 0, 40)];
    assert.deepEqual(cutsOf(images), [
      ['cut', 40],
      ['cut', 80],
    ]);
  });

  it('between two framings of one scene', () => {
    const images = [...times(40, () => here.view()), ...times(40, () => here.view(12, 6, 1.3))];
    assert.deepEqual(cutsOf(images), [['cut', 40]]);
  });
});

describe('black bars that appear or disappear within a shot', () => {
  const barred = (image: Image, across: number, down: number): Image =>
    image.map((level, at) => {
      const pixel = Math.floor(at / RGB);
      const [x, y] = [pixel % WIDTH, Math.floor(pixel / WIDTH)];
      return x < across || x >= WIDTH - across || y < down || y >= HEIGHT - down ? 0 : level;
    });

  for (const [name, across, down] of [
    ['above and below', 0, 12],
    ['on either side', 20, 0],
  ] as const) {
    it(`${name}: no cut`, () => {
      const opens = shot(here, 0, 90).map((image, i) => (i < 45 ? barred(image, across, down) : image));
      assert.deepEqual(cutsOf(opens), []);
      const closes = shot(here, 0, 90).map((image, i) => (i < 45 ? image : barred(image, across, down)));
      assert.deepEqual(cutsOf(closes), []);
    });

    it(`${name}, with a cut: the cut`, () => {
      const images = [
        ...shot(here, 0, 45).map((image) => barred(image, across, down)),
        ...shot(there, 0, 45),
        ...shot(here, 0, 45).map((image) => barred(image, across, down)),
      ];
      assert.deepEqual(cutsOf(images), [
        ['cut', 45],
        ['cut', 90],
      ]);
    });
  }
});
