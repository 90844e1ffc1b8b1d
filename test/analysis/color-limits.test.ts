/** The limits of the color statistics from both sides, on cells and pixels whose figures can be counted. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { castOf, chromaAbout } from '../../src/analysis/color/neutral.ts';
import { paletteOf } from '../../src/analysis/color/palette.ts';
import { ColorTally } from '../../src/analysis/color/tally.ts';
import { labToRgb } from '../../src/signal/color-space.ts';

type Lab = readonly [lightness: number, a: number, b: number];
type Cell = readonly [weight: number, lightness: number, a: number, b: number];

const cellsOf = (...cells: readonly (readonly [weight: number, ...Lab])[]) => Float64Array.from(cells.flat());
const isNear = (observed: number, expected: number, within = 1e-9) =>
  assert.ok(Math.abs(observed - expected) <= within, `${observed}, not ${expected}`);

/** A tally of so many pixels of each color. */
function tallyOf(...colors: readonly (readonly [count: number, ...Lab])[]): ColorTally {
  const tally = new ColorTally();
  const rgb = new Float64Array(3);
  for (const [count, lightness, a, b] of colors) {
    labToRgb(lightness, a, b, rgb);
    const pixel = rgb.map((value) => Math.round(255 * value));
    tally.add(Uint8Array.from({ length: 3 * count }, (_, at) => pixel[at % 3]));
  }
  return tally;
}

describe('the cast of greys', () => {
  test('counts colors by a Gaussian of 35 units', () => {
    const { a, b, share } = castOf(cellsOf([3, 50, 20, 15]));
    isNear(a, 20);
    isNear(b, 15);
    isNear(share, Math.exp(-0.5 * (25 / 35) ** 2));
  });

  for (const [lightness, share] of [
    [16, 0],
    [20, 0.5],
    [24, 1],
    [81, 1],
    [85, 0.5],
    [89, 0],
  ] as const)
    test(`counts ${share} of lightness ${lightness}`, () =>
      isNear(castOf(cellsOf([1, lightness, 0, 0])).share, share));
});

describe('the typical chroma', () => {
  const neutral = { a: 10, b: 0, share: 1 };
  test('is relative to the middle between it and the neutral', () =>
    isNear(chromaAbout(cellsOf([1, 50, 20, 0]), neutral), 15));

  const grey = { a: 0, b: 0, share: 1 };
  const of = (...cells: readonly (readonly [number, number])[]) =>
    chromaAbout(cellsOf(...cells.map(([weight, chroma]) => [weight, 50, chroma, 0] as const)), grey);

  test('is the mean of the middle half', () => {
    isNear(of([1, 5], [1, 20], [1, 30], [1, 90]), 25);
    isNear(of([3, 10], [1, 40]), 10);
  });
});

describe('skin', () => {
  const at = (lightness: number, chroma: number, hueDegrees: number) => {
    const hue = (hueDegrees * Math.PI) / 180;
    return tallyOf([1, lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)]).statistics().skin !== null;
  };
  // Bytes are a third of a unit apart.
  for (const [what, inside, outside] of [
    ['hue from 28°', at(60, 30, 30), at(60, 30, 26)],
    ['to 78°', at(60, 30, 76), at(60, 30, 80)],
    ['chroma from 10', at(60, 11, 50), at(60, 9, 50)],
    ['to 48', at(60, 47, 50), at(60, 49, 50)],
    ['lightness from 25', at(26, 20, 50), at(24, 20, 50)],
    ['to 92', at(91, 12, 60), at(93, 12, 60)],
  ] as const)
    test(what, () => assert.deepEqual([inside, outside], [true, false]));

  test('is none below a percent of the pixels', () => {
    const skin: Lab = [60, 20, 20];
    assert.equal(tallyOf([9, ...skin], [991, 50, 0, 0]).statistics().skin, null);
    assert.equal(tallyOf([11, ...skin], [989, 50, 0, 0]).statistics().skin?.share, 0.011);
  });
});

describe('a clip of several shots', () => {
  const clipOf = (...shots: readonly ColorTally[]) => {
    const clip = new ColorTally();
    for (const shot of shots) clip.merge(shot);
    return clip;
  };
  const plain = tallyOf([100, 50, 4, 10]);
  const far = tallyOf([100, 50, 30, 25]);
  const mixed = tallyOf([15, 50, -5, -8], [85, 5, 0, 0]);
  /** The finding of a shot, and its weight. */
  const weightOf = (shot: ColorTally) => {
    const { a, b, share } = castOf(shot.cells());
    const square = a * a + b * b;
    return { a, b, square, weight: share ** 2 };
  };

  test('has the mean of their neutrals, each by its weight', () => {
    const weighted = [plain, far, mixed].map(weightOf);
    const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
    const { neutral } = clipOf(plain, far, mixed).statistics();
    isNear(neutral.a, weighted.reduce((sum, { weight, a }) => sum + weight * a, 0) / total, 6e-4);
    isNear(neutral.b, weighted.reduce((sum, { weight, b }) => sum + weight * b, 0) / total, 6e-4);
  });

  test('has the uncertainty of the content, with a prior of two shots', () => {
    const weighted = [plain, mixed].map(weightOf);
    const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
    const meanOf = (of: (one: (typeof weighted)[number]) => number) =>
      weighted.reduce((sum, one) => sum + one.weight * of(one), 0) / total;
    const square = meanOf((one) => one.square);
    const variance = square - meanOf((one) => one.a) ** 2 - meanOf((one) => one.b) ** 2;
    isNear(clipOf(plain, mixed).castError(), Math.sqrt((2 * square + 2 * variance) / 4 / 2));
    assert.equal(new ColorTally().castError(), Number.POSITIVE_INFINITY);
  });
});

describe('a palette', () => {
  const of = (...cells: readonly Cell[]) => paletteOf(cellsOf(...cells)).length;
  test('merges colors within nine units', () => {
    assert.equal(of([5, 50, 0, 0], [5, 50, 8.8, 0]), 1);
    assert.equal(of([5, 50, 0, 0], [5, 50, 9.2, 0]), 2);
  });

  test('has none of less than a fiftieth', () => {
    assert.equal(of([98.1, 50, 0, 0], [1.9, 80, 0, 0]), 1);
    assert.equal(of([97.9, 50, 0, 0], [2.1, 80, 0, 0]), 2);
  });
});
