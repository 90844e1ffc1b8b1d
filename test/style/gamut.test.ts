import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rgbToLab } from '../../src/signal/color-space.ts';
import { gradeLut, gradeRgb } from '../../src/style/look/grade.ts';
import type { Grade } from '../../src/style/model/timeline.ts';
import { IDENTITY_GRADE } from '../support/identity-grade.ts';

const SATURATED: Grade = { ...IDENTITY_GRADE, chroma: 1.25, skinGuardDegrees: 180 };
const WARM: Grade = {
  ...SATURATED,
  offsets: [
    { at: 0, a: 0, b: -8 },
    { at: 100, a: 5, b: 12 },
  ],
};
const COOL: Grade = {
  ...SATURATED,
  offsets: [
    { at: 0, a: 0, b: 0 },
    { at: 100, a: -3, b: -8 },
  ],
};
const DARKER: Grade = {
  ...SATURATED,
  lightness: [
    { in: 0, out: 0 },
    { in: 100, out: 85 },
  ],
};

function graded(grade: Grade, red: number, green: number, blue: number): number[] {
  const out = new Float64Array(3);
  gradeRgb(grade, red, green, blue, out);
  return [...out];
}

function lightnessOf(rgb: readonly number[]): number {
  const lab = new Float64Array(3);
  rgbToLab(rgb[0], rgb[1], rgb[2], lab);
  return lab[0];
}

/** The most by which a channel changes from one color of a cube to the next. */
function largestStep(lut: Float32Array, size: number): number {
  let largest = 0;
  for (let at = 0; at < lut.length; at += 3) {
    const place = at / 3;
    const coordinates = [place % size, Math.floor(place / size) % size, Math.floor(place / size ** 2)];
    for (const [axis, coordinate] of coordinates.entries()) {
      if (coordinate === size - 1) continue;
      const next = at + 3 * size ** axis;
      for (let channel = 0; channel < 3; channel++)
        largest = Math.max(largest, Math.abs(lut[next + channel] - lut[at + channel]));
    }
  }
  return largest;
}

test('neighbouring colors stay neighbours, also at the boundary of the gamut', () => {
  for (const [name, grade] of Object.entries({ SATURATED, WARM, COOL, DARKER })) {
    const step = largestStep(gradeLut(grade), 33);
    // A step of the cube is .031; a tear, where colors were brought back along hues of CIELAB, was .4 to .74.
    assert.ok(step < 0.2, `${name}: ${step.toFixed(2)} from one color to the next`);
  }
});

test('bright colors stay colorful: a green screen, yellow letters, a red car', () => {
  for (const rgb of [
    [0.13, 1, 0.02],
    [0.97, 0.97, 0.06],
    [0.9, 0.97, 0.06],
    [1, 0.1, 0.08],
    [0.1, 0.9, 1],
  ] as const) {
    const out = graded(SATURATED, rgb[0], rgb[1], rgb[2]);
    const [low, top] = [Math.min(...out), Math.max(...out)];
    assert.ok(low < 0.13 && top > 0.85, `${rgb} became ${out.map((value) => value.toFixed(2))}`);
  }
});

test('greys at the ends of the range stay grey: white in warm light, black in cold', () => {
  for (const level of [0, 0.01, 0.995, 1]) {
    const out = graded(WARM, level, level, level);
    const spread = Math.max(...out) - Math.min(...out);
    assert.ok(spread < 0.02, `${level} became ${out.map((value) => value.toFixed(3))}`);
    assert.ok(Math.abs(lightnessOf(out) - lightnessOf([level, level, level])) < 1);
  }
  // Noise in a dark sky is no color.
  const night = graded(WARM, 0.008, 0.008, 0.04);
  assert.ok(Math.max(...night) < 0.06, String(night));
  // White inside the gamut gets the cast.
  const table = graded(WARM, 0.85, 0.85, 0.85);
  assert.ok(table[0] - table[2] > 0.06, String(table));
});

test('colors inside the gamut do not change, nor unchanged ones at its boundary', () => {
  for (let at = 0; at < 9 ** 3; at++) {
    const rgb = [at % 9, Math.floor(at / 9) % 9, Math.floor(at / 81)].map((value) => value / 8);
    const out = graded(IDENTITY_GRADE, rgb[0], rgb[1], rgb[2]);
    for (let axis = 0; axis < 3; axis++) assert.ok(Math.abs(out[axis] - rgb[axis]) < 1e-6, `${rgb}: ${out}`);
  }
  const lab = new Float64Array(3);
  rgbToLab(0.5, 0.42, 0.4, lab);
  const [before, chroma] = [lab[0], Math.hypot(lab[1], lab[2])];
  const out = graded(SATURATED, 0.5, 0.42, 0.4);
  rgbToLab(out[0], out[1], out[2], lab);
  assert.ok(Math.abs(lab[0] - before) < 1e-6);
  assert.ok(Math.abs(Math.hypot(lab[1], lab[2]) - 1.25 * chroma) < 1e-6);
});

test('beyond the knee order is preserved: the more colorful of two stays so', () => {
  for (const [low, high] of [
    [0.7, 0.72],
    [0.8, 0.82],
    [0.9, 0.92],
  ] as const) {
    const spread = (depth: number) => {
      const out = graded({ ...SATURATED, chroma: 1.6 }, 0.8, 0.8 * (1 - depth), 0.8 * (1 - depth));
      return Math.max(...out) - Math.min(...out);
    };
    assert.ok(spread(high) > spread(low), `${low}: ${spread(low)}, ${high}: ${spread(high)}`);
  }
});
