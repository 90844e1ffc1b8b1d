import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type DialTargets,
  dialsOf,
  dialTargets,
  NEUTRAL_GRADE,
  NEUTRAL_PRIOR,
} from '../../src/style/model/color-dials.ts';

const pictureOf = (
  a: number,
  b: number,
  [p5, p95]: readonly [number, number],
  medianChroma: number,
): DialTargets => ({ neutral: [a, b], p5, p95, medianChroma });
const { p5, p95, medianChroma: CHROMA } = NEUTRAL_PRIOR;
const isNear = (seen: number, wanted: number, tolerance: number, what: string) =>
  assert.ok(Math.abs(seen - wanted) <= tolerance, `${what}: ${seen}, not ${wanted}`);

test('the prior is neutral', () => {
  assert.deepEqual(dialsOf(pictureOf(0, 0, [p5, p95], CHROMA)), NEUTRAL_GRADE);
});

describe('each dial by its formula', () => {
  const dial = (share: number) => Math.round(share * 1000) / 10;
  for (const [what, targets, expected] of [
    [
      '30 units towards warm',
      pictureOf(0.3 * 30, 0.954 * 30, [p5, p95], CHROMA),
      { temperature: dial(Math.tanh(1)), tint: 0 },
    ],
    [
      '15 away from magenta',
      pictureOf(-0.82 * 15, 0.572 * 15, [p5, p95], CHROMA),
      { tint: dial(Math.tanh(-0.5)), temperature: 0 },
    ],
    ['three times the chroma', pictureOf(0, 0, [p5, p95], 3 * CHROMA), { saturation: 50 }],
    [
      '10 wider at both ends: three fifths of it are contrast',
      pictureOf(0, 0, [p5 - 10, p95 + 10], CHROMA),
      {
        contrast: dial(Math.tanh(20 / 35)),
        highlights: dial(Math.tanh(4 / 30)),
        shadows: dial(Math.tanh(-4 / 30)),
      },
    ],
    [
      'lighter by 10 at both ends',
      pictureOf(0, 0, [p5 + 10, p95 + 10], CHROMA),
      { contrast: 0, highlights: dial(Math.tanh(10 / 30)), shadows: dial(Math.tanh(10 / 30)) },
    ],
  ] as const) {
    test(what, () => assert.deepEqual(dialsOf(targets), { ...NEUTRAL_GRADE, ...expected }));
  }
});

describe('targets are the inverse', () => {
  for (const dials of [
    { temperature: 50, tint: -30, saturation: 40, contrast: 35, highlights: 20, shadows: -10 },
    { temperature: -70, tint: 20, saturation: -60, contrast: -25, highlights: -30, shadows: 15 },
  ]) {
    test(JSON.stringify(dials), () => {
      const targets = dialTargets(dials);
      const again = dialsOf(targets);
      // Contrast explains part of the shift of both ends: two numbers cannot determine three dials.
      isNear(again.temperature, dials.temperature, 0.06, 'temperature');
      isNear(again.tint, dials.tint, 0.06, 'tint');
      isNear(again.saturation, dials.saturation, 0.06, 'saturation');
      const explained = 0.3 * 35 * Math.atanh(dials.contrast / 100);
      isNear(targets.p5, p5 - explained + 30 * Math.atanh(dials.shadows / 100), 1e-9, 'p5');
      isNear(targets.p95, p95 + explained + 30 * Math.atanh(dials.highlights / 100), 1e-9, 'p95');
    });
  }

  test('a full dial is a strong grade, not an infinite one', () => {
    const full = dialTargets({ ...NEUTRAL_GRADE, temperature: 100, saturation: 100 });
    isNear(full.neutral[0], 0.3 * 30 * Math.atanh(0.95), 1e-9, 'a');
    isNear(full.medianChroma, (CHROMA * 1.95) / 0.05, 1e-6, 'chroma');
    const cold = dialTargets({ ...NEUTRAL_GRADE, temperature: -100, shadows: -100, highlights: 100 });
    isNear(cold.neutral[1], -0.954 * 30 * Math.atanh(0.95), 1e-9, 'b');
    assert.deepEqual([cold.p5, cold.p95], [0, 100]);
  });
});
