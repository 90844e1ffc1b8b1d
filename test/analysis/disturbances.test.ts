/** Overlays over stills and light that flares up are no changes of shot; cuts that resemble them are. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RGB } from '../../src/domain/footage.ts';
import {
  changesOf,
  detect,
  FPS,
  flat,
  here,
  type Image,
  mixed,
  random,
  shot,
  there,
  times,
  WIDTH,
} from './shot-scenes.ts';

/** A caption over the lower part: letters of 4 × 12 pixels in one row, other ones for each seed. */
function captioned(image: Image, seed: number): Image {
  const next = random(seed);
  const out = image.slice();
  for (let letter = 0; letter < 24; letter++) {
    if (next() < 0.35) continue;
    for (let y = 56; y < 68; y++) {
      const from = RGB * (y * WIDTH + 8 + 6 * letter);
      out.fill(250, from, from + 4 * RGB);
    }
  }
  return out;
}

/** The middle half of the rows show another picture. */
function boxed(image: Image, inside: Image): Image {
  const out = image.slice();
  out.set(inside.subarray(RGB * WIDTH * 23, RGB * WIDTH * 68), RGB * WIDTH * 23);
  return out;
}

describe('captions over a still picture', () => {
  it('that replace each other: no cut', () => {
    const images = times(120, (i) => captioned(here.view(), 1 + Math.floor(i / 20)));
    assert.deepEqual(changesOf(images), []);
  });

  const boxes = [here, there].map((place) => mixed(flat(110), place.view(60, 20), 0.6));

  it('in large boxes: no cut', () => {
    const images = times(120, (i) => boxed(here.view(), boxes[Math.floor(i / 20) % 2]));
    assert.deepEqual(detect(images, { framesPerSecond: FPS, noise: 0.3 }).transitions, []);
  });

  it('the same on a plain card: a cut', () => {
    const images = times(80, (i) => boxed(flat(110), boxes[Math.floor(i / 40)]));
    const { transitions } = detect(images, { framesPerSecond: FPS, noise: 0.3 });
    assert.deepEqual(
      transitions.map(({ type, endFrame }) => [type, endFrame]),
      [['cut', 40]],
    );
  });

  it('over a cut between two stills: the cut', () => {
    const images = times(80, (i) => captioned((i < 40 ? here : there).view(), 1 + Math.floor(i / 20)));
    assert.deepEqual(changesOf(images), [['cut', 40]]);
  });
});

it('a cut from dark stripes to light ones: a cut', () => {
  const striped = (tone: number, move: number): Image =>
    here.view().map((_, at) => tone + ((Math.floor(at / RGB) + move) % 40 < 20 ? 20 : -20));
  const images = times(80, (i) => (i < 40 ? striped(60, 0) : striped(140, 13)));
  assert.deepEqual(changesOf(images), [['cut', 40]]);
});

describe('light that flares up and decays', () => {
  const dark = flat(3);
  /** Frames since the light, which halves every two frames. */
  const decaying = (bright: Image, since: number, ground: Image) => mixed(ground, bright, 0.5 ** (since / 2));

  it('over a night sky, again and again: no fade, no cut', () => {
    const sky = mixed(dark, here.view(), 0.05);
    const images = times(150, (i) =>
      i < 30 || i >= 130 ? sky : decaying(mixed(dark, here.view(), 0.5), i % 20, sky),
    );
    assert.deepEqual(changesOf(images), []);
  });

  it('from a cut, and from the first frame: only the cut', () => {
    const light = mixed(dark, there.view(), 0.5);
    const lit = times(50, (i) => decaying(light, i, dark));
    assert.deepEqual(changesOf([...shot(here, 0, 40), ...lit]), [['cut', 40]]);
    assert.deepEqual(changesOf(lit), []);
  });

  it('a shot of six frames out of black: both cuts', () => {
    const images = [...times(40, () => dark), ...shot(here, 0, 6), ...shot(there, 0, 40)];
    assert.deepEqual(changesOf(images), [
      ['cut', 40],
      ['cut', 46],
    ]);
  });

  it('a shot that fades in, stays for half a second and fades out: two fades', () => {
    const view = here.view();
    const ramp = (i: number) => Math.max(0, Math.min(1, i / 15, (45 - i) / 15));
    const images = times(105, (i) => mixed(dark, view, ramp(i - 30)));
    assert.deepEqual(
      changesOf(images).map(([type]) => type),
      ['fade_black', 'fade_black'],
    );
  });
});
