/** How skin is kept from turning green or magenta, whichever way round it was turned. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardSkin, TYPICAL_SKIN } from '../../src/style/look/skin.ts';

const GUARD_DEGREES = 9;
const grade = { matrix: [1, 0, 0, 1], skinGuardDegrees: GUARD_DEGREES } as const;

/** By how many degrees skin is shown off its own hue, and with which chroma, after a grade that turns it by so many. */
function shown(turnDegrees: number): { offDegrees: number; chroma: number } {
  const [a, b] = TYPICAL_SKIN;
  const [sin, cos] = [Math.sin((turnDegrees * Math.PI) / 180), Math.cos((turnDegrees * Math.PI) / 180)];
  const out = new Float64Array(3);
  guardSkin(grade, TYPICAL_SKIN, [cos * a - sin * b, sin * a + cos * b], out);
  const off = Math.atan2(out[2]! * a - out[1]! * b, out[1]! * a + out[2]! * b);
  return { offDegrees: (off * 180) / Math.PI, chroma: Math.hypot(out[1]!, out[2]!) / Math.hypot(a, b) };
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
  // On the far side of grey either way round would do: it goes back to its own hue.
  assert.ok(shown(170).offDegrees < 2);
});

test('what is left of its chroma is what points its own way, and never less than people have', () => {
  assert.ok(Math.abs(shown(20).chroma - Math.cos(((20 - shown(20).offDegrees) * Math.PI) / 180)) < 1e-6);
  assert.ok(Math.abs(shown(140).chroma - 0.7) < 1e-6);
});
