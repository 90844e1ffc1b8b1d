import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Clip } from '../../../src/style/model/timeline.ts';
import { placeBefore, stageOf, type View } from '../../../web/src/player/stage.ts';

const UPRIGHT = { width: 720, height: 1280 };
const WIDE_PICTURE = { width: 960, height: 540 };

describe('the stage has the shape of the output in every view', () => {
  const cases: readonly (readonly [View, number, { readonly width: number; readonly height: number }])[] = [
    ['slider', 540, { width: 540, height: 960 }],
    ['before', 540, { width: 540, height: 960 }],
    ['after', 360, { width: 360, height: 640 }],
    ['beside', 360, { width: 720, height: 640 }],
  ];
  for (const [view, lines, size] of cases)
    test(view, () => assert.deepEqual(stageOf(UPRIGHT, view, lines).size, size));
});

describe('before is framed like after', () => {
  const stage = { x: 0, y: 0, width: 540, height: 960 };
  const clip = (fit: Clip['fit']) => ({ fit }) as Clip;

  test('a crop shows the same part in the same place', () => {
    const framing = { x: 0.3, y: 0, width: 0.316, height: 1 };
    assert.deepEqual(placeBefore({ clip: clip('crop'), framing }, WIDE_PICTURE, UPRIGHT, stage), {
      part: framing,
      place: stage,
    });
  });

  test('a picture that is fitted lies in the middle, as wide as the output', () => {
    const framing = { x: 0, y: 0, width: 1, height: 1 };
    const { part, place } = placeBefore({ clip: clip('pad'), framing }, WIDE_PICTURE, UPRIGHT, stage);
    assert.deepEqual([part, place], [framing, { x: 0, y: 328, width: 540, height: 304 }]);
  });
});
