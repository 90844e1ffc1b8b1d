/** Fades through black and white under a mark of the broadcaster that stays. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RGB } from '../../src/domain/footage.ts';
import { detect, FPS, flat, type Image, mixed, Place, WIDTH } from './shot-scenes.ts';

/** Filled square in the corner above, at the right. */
function marked(image: Image, rgb: readonly number[]): Image {
  const out = image.slice();
  for (let y = 6; y < 20; y++)
    for (let x = WIDTH - 24; x < WIDTH - 8; x++) out.set(rgb, RGB * (y * WIDTH + x));
  return out;
}

function changesOf(images: readonly Image[]): [string, number][] {
  const { transitions } = detect(images, { framesPerSecond: FPS, withMotion: true });
  return transitions.map(({ type, startFrame }) => [type, startFrame]);
}

for (const [type, level, rgb] of [
  ['fade_white', 255, [20, 30, 80]],
  ['fade_black', 0, [240, 240, 240]],
] as const) {
  it(`${type} that holds its color is found as the two fades of its sides`, () => {
    const [here, there] = [new Place(11).view(), new Place(23).view()];
    const shown = (share: number, image: Image) => mixed(flat(level), image, share);
    const images = Array.from({ length: 100 }, (_, i) => {
      if (i < 40) return here;
      if (i < 47) return shown((47 - i) / 8, here);
      return i < 54 ? flat(level) : shown(Math.min(1, (i - 53) / 8), there);
    });
    assert.deepEqual(changesOf(images.map((image) => marked(image, rgb))), [
      [type, 39],
      [type, 53],
    ]);
  });

  it(`small lights in the ${type === 'fade_black' ? 'dark' : 'haze'} that come and go are none`, () => {
    const ground = flat(level === 0 ? 4 : 251);
    const here = new Place(11).view();
    const images = Array.from({ length: 100 }, (_, i) => {
      if (i < 40 || i >= 70) return here;
      return marked(ground, i % 10 < 5 ? rgb : [128, 128, 128]);
    });
    assert.deepEqual(
      changesOf(images).map(([found]) => found),
      ['cut', 'cut'],
    );
  });
}
