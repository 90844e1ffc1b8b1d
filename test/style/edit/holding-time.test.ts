import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaterialCurves } from '../../../src/analysis/material/take-material.ts';
import { holdSeconds, isOverstayed, overstayCost } from '../../../src/style/edit/holding-time.ts';
import { prepareTakes } from '../../../src/style/edit/prepared-takes.ts';
import { contentOf, madeTake } from './made-material.ts';

type Event = 'motion' | 'activity' | 'faceHeight' | 'figure' | 'worth' | 'spoken';

function holdWith(values: Partial<Record<Event, number>>, isPhoto = false): number {
  const take = madeTake({ content: contentOf(1), seconds: 10, seed: 1, isPhoto });
  const { spoken = 0, ...curves } = { motion: 0, activity: 0, faceHeight: 0, figure: 0, ...values };
  const levels = Object.fromEntries(
    Object.entries(curves).map(([name, value]) => [name, take.material.curves.motion.map(() => value)]),
  ) as Partial<MaterialCurves>;
  const material = { ...take.material, curves: { ...take.material.curves, ...levels } };
  return holdSeconds(prepareTakes([{ ...take, material }])[0], 2, 6, spoken);
}

test('a still picture holds for 2 s, a photo for 4, anything for 4.5 at most', () => {
  assert.equal(holdWith({}), 2);
  assert.equal(holdWith({}, true), 4);
  const all = holdWith({ motion: 1, activity: 1, faceHeight: 1, figure: 1, spoken: 1 });
  assert.ok(all > 4.2 && all <= 4.5, `${all} s`);
});

test('more of anything that happens holds longer', () => {
  for (const name of ['motion', 'activity', 'faceHeight', 'figure', 'spoken'] as const) {
    const holds = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].map((value) => holdWith({ [name]: value }));
    for (const [at, hold] of holds.slice(1).entries()) assert.ok(hold > holds[at], `${name}: ${holds}`);
  }
});

test('walls and skies hold for a beat, however the camera moves over them', () => {
  for (const motion of [0, 1]) {
    const holds = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 1].map((worth) => holdWith({ motion, worth }));
    assert.ok(holds[0]! < 1, `${holds}`);
    assert.ok(holds.at(-1)! >= 2, `${holds}`);
    for (const [at, hold] of holds.slice(1).entries()) assert.ok(hold >= holds[at]!, `${holds}`);
  }
});

test('a camera over surfaces, leaves in the wind and a silent face hold little longer', () => {
  // [what happens, at most].
  const rows: readonly (readonly [Partial<Record<Event, number>>, number])[] = [
    [{ motion: 1 }, 2.4],
    [{ motion: 0.05 }, 2.3],
    [{ motion: 0.05, activity: 0.005 }, 2.4],
    [{ motion: 0.05, figure: 1 }, 2.9],
    [{ faceHeight: 1 }, 3],
  ];
  for (const [values, most] of rows) {
    const hold = holdWith(values);
    assert.ok(hold <= most, `${JSON.stringify(values)}: ${hold} s`);
  }
});

test('only time beyond it costs', () => {
  assert.equal(overstayCost(3, 3), 0);
  assert.ok(overstayCost(6, 3) > 0.5);
  assert.deepEqual([isOverstayed(3.7, 3), isOverstayed(3.8, 3)], [false, true]);
});
