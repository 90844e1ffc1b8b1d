/** Skin does not turn green or magenta, in either direction. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { guardSkin, skinWeight, TYPICAL_SKIN } from '../../src/style/look/skin.ts';

const GUARD_DEGREES = 9;
const grade = { chroma: 1, skinGuardDegrees: GUARD_DEGREES } as const;

/** By how many degrees skin is shown off its own hue, and with which chroma, after a grade that turns it by so many. */
function shown(turnDegrees: number): { offDegrees: number; chroma: number } {
  const [a, b] = TYPICAL_SKIN;
  const [sin, cos] = [Math.sin((turnDegrees * Math.PI) / 180), Math.cos((turnDegrees * Math.PI) / 180)];
  const out = new Float64Array(3);
  guardSkin(grade, TYPICAL_SKIN, [cos * a - sin * b, sin * a + cos * b], out);
  const off = Math.atan2(out[2] * a - out[1] * b, out[1] * a + out[2] * b);
  return { offDegrees: (off * 180) / Math.PI, chroma: Math.hypot(out[1], out[2]) / Math.hypot(a, b) };
}

test('skin goes with a small turn, and no farther than the guard with a large one, to the same side', () => {
  for (const turn of [2, 20, 60, 89, 100, 125, 140, 170]) {
    const [one, other] = [shown(turn), shown(-turn)];
    assert.ok(one.offDegrees > 0 && one.offDegrees <= GUARD_DEGREES, `${turn}°: ${one.offDegrees}`);
    assert.ok(Math.abs(one.offDegrees + other.offDegrees) < 1e-6, `${turn}° and back differ`);
    assert.ok(Math.abs(one.chroma - other.chroma) < 1e-6);
  }
  assert.ok(shown(2).offDegrees > 1.9);
  assert.ok(shown(60).offDegrees > 8.9);
  // Opposite of grey both directions are equal: it returns to its own hue.
  assert.ok(shown(170).offDegrees < 2);
});

test('its remaining chroma is the part along its hue, and never less than people have', () => {
  assert.ok(Math.abs(shown(20).chroma - Math.cos(((20 - shown(20).offDegrees) * Math.PI) / 180)) < 1e-6);
  assert.ok(Math.abs(shown(140).chroma - 0.9) < 1e-6);
});

describe('pale skin is guarded in its mapped color:', () => {
  const [a, b] = TYPICAL_SKIN;
  // A turn to the far side of grey: the remainder is the least that people have.
  const graded = [-a, -b] as const;
  const chroma = Math.hypot(a, b);
  for (const [what, factor, left] of [
    ['all of its color', 1, 1],
    ['more than all of it', 1.3, 1],
    ['six tenths of it', 0.6, 0.6],
    ['a tenth of it', 0.1, 0.1],
  ] as const)
    test(what, () => {
      const out = new Float64Array(3);
      guardSkin({ chroma: factor, skinGuardDegrees: GUARD_DEGREES }, TYPICAL_SKIN, graded, out);
      const shownChroma = Math.hypot(out[1], out[2]) / chroma;
      assert.ok(Math.abs(shownChroma - 0.9 * left ** 0.2) < 1e-6, `${shownChroma}`);
    });
});

test('flushed skin is guarded like pale and yellow skin; red clothes and lips are not', () => {
  for (const [a, b, weight] of [
    [14, 19, 1],
    [36, 18, 0.78],
    [10, 32, 0.82],
    [52, 20, 0.05],
    [65, 30, 0],
    [0, 0, 0],
    [4, 4, 0.5],
  ] as const)
    assert.ok(Math.abs(skinWeight(a, b) - weight) < 0.06, `${a}, ${b}: ${skinWeight(a, b)}`);
  const out = new Float64Array(3);
  // A gain of chroma by a third.
  guardSkin({ chroma: 1.33, skinGuardDegrees: GUARD_DEGREES }, [36, 18], [48, 24], out);
  assert.ok(out[1]! < 40.5 && out[2]! < 20.5, `${out}`);
});

test('hues on both sides of 0 degrees are neighbours', () => {
  for (const skinHue of [110, 120]) {
    const [sin, cos] = [Math.sin((skinHue * Math.PI) / 180), Math.cos((skinHue * Math.PI) / 180)];
    const [above, below] = [1e-9, -1e-9].map((b) => {
      const out = new Float64Array(3);
      guardSkin(grade, [7 * cos, 7 * sin], [-7, b], out);
      return out;
    });
    for (const axis of [1, 2])
      assert.ok(Math.abs(above![axis] - below![axis]) < 1e-6, `${skinHue}°: ${above}, ${below}`);
    assert.ok(Math.abs(above![1] + 7) > 1e-3, 'it is guarded');
  }
});
