import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { captionMotion, scaledCaption } from '../../src/render/captions/caption-motion.ts';
import type { CaptionAnimation } from '../../src/style/model/timeline.ts';

const FADE: CaptionAnimation = { type: 'fade', seconds: 0.3 };
const POP: CaptionAnimation = { type: 'pop', seconds: 0.3 };
const slide = (side: NonNullable<CaptionAnimation['side']>): CaptionAnimation => ({
  ...{ type: 'slide', seconds: 0.3, side, distancePixels: 80 },
});
const RATE = 10;

describe('an animated caption', () => {
  // 3 frames at 10 a second: shares of 1/4, 1/2 and 3/4; (1 - share)³ is .422, .125 and .016.
  for (const [name, look, frame, expected] of [
    ['fades in', { animationIn: FADE }, 0, [0.25, 0, 0, 1]],
    ['is in place after its time', { animationIn: FADE }, 3, null],
    ['is in place without an animation', {}, 0, null],
    ['fades out', { animationOut: FADE }, 29, [0.25, 0, 0, 1]],
    ['stays until then', { animationOut: FADE }, 26, null],
    ['slides from the left', { animationIn: slide('left') }, 0, [0.5, -33.75, 0, 1]],
    ['slides from the right', { animationIn: slide('right') }, 1, [1, 10, 0, 1]],
    ['slides from the top', { animationIn: slide('top') }, 1, [1, 0, -10, 1]],
    ['slides to the bottom', { animationOut: slide('bottom') }, 28, [1, 0, 10, 1]],
    ['grows', { animationIn: POP }, 1, [1, 0, 0, 1 - 0.7 / 8]],
  ] as const)
    test(name, () => {
      const motion = captionMotion(look, frame, 30, RATE);
      const { opacity, x, y, scale } = motion ?? {};
      assert.deepEqual(motion === null ? null : [opacity, x, y, scale], expected);
    });

  test('moves for a third of a short time at most', () => {
    const long = { type: 'fade', seconds: 5 } as const;
    const opacities = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(
      (frame) => captionMotion({ animationIn: long, animationOut: long }, frame, 9, RATE)?.opacity ?? 1,
    );
    assert.deepEqual(opacities, [0.25, 0.5, 0.75, 1, 1, 1, 0.75, 0.5, 0.25]);
  });

  test('is scaled about its middle', () => {
    const look = { sizePixels: 100, pitchPixels: 120 } as Parameters<typeof scaledCaption>[1];
    const cue = {
      startSeconds: 0,
      endSeconds: 1,
      lines: ['A', 'B'],
      face: 'inter-medium',
      baselineY: 500,
    } as const;
    // The middle of two lines: 500 - 72 / 2 + 120 / 2.
    const { baselineY, look: scaled } = scaledCaption(cue, look, 0.5);
    assert.deepEqual([baselineY, scaled?.sizePixels, scaled?.pitchPixels], [524 - 12, 50, 60]);
  });
});
