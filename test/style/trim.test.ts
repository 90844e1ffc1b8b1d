import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRESETS } from '../../src/presets/presets.ts';
import { trim } from '../../src/style/plan/trim.ts';
import { clipFacts } from '../support/clip-facts.ts';

const RATE = 25;
const SECONDS = 60;

test('of a shot that is too long the liveliest parts stay', () => {
  const style = { ...PRESETS[0]!.style, cut_frequency: 0.5 };
  const grid = { rate: { numerator: RATE, denominator: 1 }, frameCount: SECONDS * RATE };
  for (const lively of [4, 21, 38, 55]) {
    const activity = Array.from({ length: SECONDS }, (_, second) => (second === lively ? 1 : 0));
    const source = clipFacts({ video: { durationSeconds: SECONDS }, motion: { activity }, audio: null });
    const whole = { startFrame: 0, endFrame: SECONDS * RATE };
    const pieces = trim(source, [whole], grid, style, { reach: 1, seed: 3 });
    const kept = pieces.reduce((sum, { startFrame, endFrame }) => sum + endFrame - startFrame, 0);
    assert.ok(pieces.length > 1 && kept < 0.8 * SECONDS * RATE, `${kept} frames kept`);
    const [from, to] = [lively * RATE, (lively + 1) * RATE];
    const seen = pieces.reduce(
      (sum, { startFrame, endFrame }) =>
        sum + Math.max(0, Math.min(endFrame, to) - Math.max(startFrame, from)),
      0,
    );
    assert.ok(seen > 0.5 * RATE, `${seen} frames of second ${lively} in ${JSON.stringify(pieces)}`);
  }
});
