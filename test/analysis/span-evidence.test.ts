/** Evidence for and against a gradual transition in a span of samples. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sketchFrame } from '../../src/analysis/frames/sketch.ts';
import { analyseBlend } from '../../src/analysis/transitions/blend.ts';
import { spanEvidence } from '../../src/analysis/transitions/span-evidence.ts';
import { asFrame, mixed, Place } from './shot-scenes.ts';

/** Evidence for a dissolve over ten steps in which the second picture has these shares. */
function evidenceOf(shareAt: (step: number) => number) {
  const [a, b] = [new Place(11).view(), new Place(23).view()];
  const samples = Array.from({ length: 31 }, (_, i) =>
    sketchFrame(
      asFrame(mixed(a, b, shareAt(Math.min(10, Math.max(0, i - 10)))), i, i / 25, () => 0),
      null,
      null,
    ),
  );
  const blend = analyseBlend(samples, { start: 10, end: 20 }, { from: 10, to: 20 });
  const fit = { start: 10, end: 20, easing: 'linear', error: 0 } as const;
  const span = {
    start: 10,
    end: 20,
    type: 'dissolve',
    fit,
    blend,
    residual: blend.dissolveResidual,
  } as const;
  return spanEvidence(samples, span, { start: 0, end: 30 });
}

test('the largest step of a dissolve is the change divided by the steps; that of a cut is all of it', () => {
  assert.ok(Math.abs(evidenceOf((step) => step / 10).leap - 0.1) < 0.01);
  assert.ok(evidenceOf((step) => (step < 5 ? 0 : 1)).leap > 0.99);
});
