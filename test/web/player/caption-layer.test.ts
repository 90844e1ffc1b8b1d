import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Timeline } from '../../../src/style/model/timeline.ts';
import { CaptionLayer } from '../../../web/src/player/caption-layer.ts';

/** A canvas that counts what is filled, with letters of 10 pixels and a fraction. */
function fakeCanvas() {
  const shapes: number[][][] = [];
  let path: number[][] = [];
  const context = {
    direction: '',
    shapes,
    scale() {},
    letters: [] as (string | number)[][],
    fillText: (...letters: (string | number)[]) => context.letters.push(letters),
    beginPath: () => (path = []),
    rect: (...rectangle: number[]) => path.push(rectangle),
    fill: () => shapes.push(path),
    measureText: (text: string) => ({
      width: 10 * text.length + 0.4,
      actualBoundingBoxLeft: 0,
      actualBoundingBoxRight: 10 * text.length,
    }),
  };
  return { context, getContext: () => context };
}

function drawn(lines: readonly string[]) {
  const canvas = fakeCanvas();
  Object.assign(globalThis, { document: { createElement: () => canvas } });
  const look = { sizePixels: 100, pitchPixels: 122, color: '#ffffff', ground: 'box' };
  const timeline = {
    captions: [{ startSeconds: 0, endSeconds: 1, lines, face: 'noto-hebrew-semibold', baselineY: 300 }],
    captionLook: look,
    frameRate: { numerator: 25, denominator: 1 },
    ...{ width: 1000, height: 500 },
  };
  new CaptionLayer(timeline as unknown as Timeline).at(0);
  return canvas.context;
}

test('overlapping boxes of two lines are one shape, as in the output', () => {
  assert.deepEqual(drawn(['ab', 'abcd']).shapes, [
    [
      [453.5, 196, 92, 150],
      [443.5, 318, 112, 150],
    ],
  ]);
});

test('a line begins where the output begins it: its width is a whole number of pixels', () => {
  // 500 less half of 21 pixels.
  assert.deepEqual(drawn(['ab']).letters, [['ab', 489.5, 300]]);
});

for (const [text, direction] of [
  ['שלום Tel Aviv', 'rtl'],
  ['Tel Aviv שלום', 'ltr'],
] as const)
  test(`${text} is drawn ${direction}`, () => assert.equal(drawn([text]).direction, direction));
