/** How well people are seen at a moment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Box, FigureLook } from '../../../src/analysis/facts.ts';
import { peopleCurve } from '../../../src/analysis/material/people.ts';
import { clipFacts } from '../../support/clip-facts.ts';

const STEPS = 10;
/** A head with its shoulders, as wide as .65 of its height in pixels of an upright picture. */
const face = (x: number, height = 0.4, y = 0.3): Box => ({ x, y, width: height * 0.65 * (16 / 9), height });
const AT_TOP = [0.1, 0.1, 0.2, 0.2, 0.2, 0.2];
const INSIDE = [0, 0, 0.2, 0.3, 0.3, 0.2];
const NOBODY = [0, 0, 0, 0, 0, 0];

/** Of 2 s of an upright picture with the same all the time. */
function seen(boxes: readonly Box[], down: readonly number[] | null): number {
  const times = Array.from({ length: STEPS }, (_, at) => at / 5);
  const faces = boxes.map((box) => ({
    ...{ kind: 'face' as const, startSeconds: 0, endSeconds: 2, salience: 0.8 },
    boxes: times.map((timeSeconds) => ({ timeSeconds, box })),
  }));
  const figures: FigureLook[] =
    down === null ? [] : [0, 1.5].map((timeSeconds) => ({ timeSeconds, across: down.toSorted(), down }));
  const { video } = clipFacts({ video: { width: 1080, height: 1920, durationSeconds: 2, faces, figures } });
  const curve = peopleCurve({ video }, STEPS);
  assert.equal(new Set(curve.map((value) => value.toFixed(9))).size, 1, `${curve}`);
  return curve[0]!;
}

/** From worst to best. */
const SCENES = [
  ['figures without heads', seen([], AT_TOP)],
  ['nobody', seen([], NOBODY)],
  ['a small face afar', seen([face(0.4, 0.1)], null)],
  ['a whole figure from behind', seen([], INSIDE)],
  ['a face, its figure at the upper edge', seen([face(0.3)], AT_TOP)],
  ['two faces', seen([face(0.02), face(0.5)], INSIDE)],
] as const;

test('scenes from figures without heads to two faces', () => {
  for (let at = 1; at < SCENES.length; at++)
    assert.ok(SCENES[at]![1] > SCENES[at - 1]![1] + 0.05, JSON.stringify(SCENES));
  assert.deepEqual(
    [SCENES[0][1], SCENES[1][1], SCENES[3][1]].map((value) => Number(value.toFixed(3))),
    [-0.4, 0, 0.5],
  );
  assert.ok(SCENES.at(-1)![1] > 0.95, JSON.stringify(SCENES));
});

test('where nothing was found, nobody is seen', () => assert.equal(seen([], null), 0));

test('a face that leaves the picture at its side never counts more', () => {
  const whole = face(0);
  const values = Array.from({ length: 11 }, (_, step) =>
    seen([{ ...whole, width: whole.width * (1 - step / 15) }], null),
  );
  for (let step = 1; step < values.length; step++) assert.ok(values[step]! <= values[step - 1]! + 1e-9);
  assert.ok(values[0]! > 0.65 && values.at(-1)! < 0.05, `${values}`);
});
