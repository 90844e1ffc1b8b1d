import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MotionField } from '../../src/analysis/optical-flow/field.ts';
import { IntervalSums } from '../../src/analysis/optical-flow/interval.ts';
import { noiseSource } from '../support/moving-picture.ts';

const random = noiseSource(3);
/** No multiple of the vector width. */
const BLOCKS = 221;

function randomField(): MotionField {
  const floats = (value: () => number) => Float32Array.from({ length: BLOCKS }, value);
  const field = {
    residualX: floats(() => 30 * random()),
    residualY: floats(() => random()),
    weight: floats(() => Math.abs(random())),
    unmatched: Uint8Array.from({ length: BLOCKS }, () => (random() > 0 ? 1 : 0)),
  };
  return field as unknown as MotionField;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => Math.fround(sum + value), 0);

test('sums of an interval are written in steps and shares, and reset', () => {
  const sums = new IntervalSums(BLOCKS);
  for (const frames of [1, 3, 7]) {
    const fields = Array.from({ length: frames }, randomField);
    assert.ok(sums.empty);
    for (const field of fields) sums.add(field);
    assert.ok(!sums.empty);
    const steps = (pixels: number) => Math.max(-127, Math.min(127, Math.round(pixels / 0.25))) & 255;
    const plane = (value: (block: number) => number) => Array.from({ length: BLOCKS }, (_, i) => value(i));
    const expected = [
      ...plane((i) => steps(sumOf(fields.map(({ residualX }) => residualX[i])))),
      ...plane((i) => steps(sumOf(fields.map(({ residualY }) => residualY[i])))),
      ...plane((i) => Math.round(Math.min(1, sumOf(fields.map(({ weight }) => weight[i])) / frames) * 255)),
      ...plane((i) => Math.round((sumOf(fields.map(({ unmatched }) => unmatched[i])) / frames) * 255)),
    ];
    assert.deepEqual([...sums.write()], expected);
    sums.clear();
  }
});
