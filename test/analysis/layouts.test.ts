/** Cuts that keep part of the picture: a picture in a layout changes, or a static camera has a jump cut. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RGB } from '../../src/domain/footage.ts';
import { detect, FPS, HEIGHT, here, type Image, Place, shot, there, WIDTH } from './shot-scenes.ts';

/** The ground of a layout, with a drawing on it. */
const ground = new Place(5).view();

/** A picture in the middle `share` of a layout's height. */
function within(share: number, image: Image): Image {
  const edge = Math.round(((1 - share) / 2) * HEIGHT) * WIDTH * RGB;
  return image.map((level, at) => (at < edge || at >= image.length - edge ? ground[at] : level));
}

/** Changes between two shots that fill a share of the layout. */
function cutsOf(share: number) {
  const images = [...shot(here, 0, 45), ...shot(there, 0, 45)].map((image) => within(share, image));
  const { transitions } = detect(images, { framesPerSecond: FPS, withMotion: true });
  return transitions.map(({ type, endFrame, keepsPart }) => [type, endFrame, keepsPart]);
}

describe('a cut', () => {
  for (const [share, keepsPart] of [
    [1, undefined],
    [0.9, undefined],
    [0.5, true],
    [0.4, true],
  ] as const)
    it(`of ${share} of the picture's height ${keepsPart ? 'keeps part of it' : 'changes it'}`, () => {
      assert.deepEqual(cutsOf(share), [['cut', 45, keepsPart]]);
    });
});
