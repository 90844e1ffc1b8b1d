import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { integratedLoudness, loudnessRange } from '../../src/analysis/loudness/loudness.ts';
import { rideTowards } from '../../src/render/sound/audio-ride.ts';

/** Levels in LUFS, each for so many seconds, as mean squares of 100 ms. */
const program = (...parts: readonly (readonly [lufs: number, seconds: number])[]): number[] =>
  parts.flatMap(([lufs, seconds]) => new Array<number>(10 * seconds).fill(10 ** ((lufs + 0.691) / 10)));
const ridden = (steps: readonly number[], gains: Float32Array) =>
  steps.map((step, at) => step * 10 ** (gains[at] / 10));
const isNear = (seen: number, wanted: number, tolerance: number, what = '') =>
  assert.ok(Math.abs(seen - wanted) <= tolerance, `${what} ${seen}, not ${wanted}`);

describe('the fader is ridden to a loudness range', () => {
  const [loud, quiet] = [100, 500];
  const halves = program([-20, 30], [-30, 30]);
  const whole = integratedLoudness(halves)!;
  for (const [rangeLu, slope] of [
    [5, 0.5],
    [8, 0.8],
    [10, 1],
    [15, 1.5],
    // As far as it goes in either direction.
    [0, 0.1],
    [40, 2],
  ] as const) {
    test(`from 10 LU to ${rangeLu}: every passage by its distance from the whole`, () => {
      const gains = rideTowards(halves, rangeLu);
      isNear(gains[loud], (slope - 1) * (-20 - whole), 0.05, 'loud');
      isNear(gains[quiet], (slope - 1) * (-30 - whole), 0.05, 'quiet');
      isNear(loudnessRange(ridden(halves, gains))!, 10 * slope, 0.05, 'range');
    });
  }

  test('it hears what lies within 1.2 s before and after, under a Hann window', () => {
    const gains = rideTowards(halves, 5);
    const heard = (share: number) => 10 * Math.log10(share * 10 ** -2 + (1 - share) * 10 ** -3);
    // Of the window's weights, which add up to 13, seven lie on the side of the edge where the step is.
    isNear(gains[299], -0.5 * (heard(7 / 13) - whole), 0.05, 'before the edge');
    isNear(gains[300], -0.5 * (heard(6 / 13) - whole), 0.05, 'behind the edge');
    for (const behind of [-9, -5, 4, 8]) {
      const weights = Array.from({ length: 25 }, (_, k) => Math.sin((Math.PI * (k + 1)) / 26) ** 2);
      // Of the 25 steps that are heard those before the edge are loud.
      const loudShare = weights.slice(0, 12 - behind).reduce((sum, weight) => sum + weight) / 13;
      isNear(gains[300 + behind], -0.5 * (heard(loudShare) - whole), 0.02, `${behind} steps behind it`);
    }
    isNear(gains[287], gains[loud], 1e-6);
    isNear(gains[312], gains[quiet], 1e-6);
    assert.ok(Math.abs(gains[288] - gains[loud]) > 1e-4 && Math.abs(gains[311] - gains[quiet]) > 1e-4);
    isNear(gains[0], gains[loud], 1e-6, 'what lies before the beginning is not heard');
    isNear(gains.at(-1)!, gains[quiet], 1e-6, 'nor what follows the end');
  });

  test('quiet passages by 12 dB at most', () => {
    const wide = program([-20, 100], [-38, 60]);
    isNear(rideTowards(wide, 0)[1300], 12, 1e-6);
    isNear(rideTowards(wide, 60)[1300], -12, 1e-6);
  });

  test('pauses are raised less, and not at all 32 LU below the whole', () => {
    const steps = program([-20, 100], [-30, 100], [-46, 10], [-60, 10]);
    const [level, gains] = [integratedLoudness(steps)!, rideTowards(steps, 4)];
    const slope = 1 + (gains[1500] - gains[500]) / -10;
    isNear(gains[2050], Math.min(12, 20 * (1 - slope)) * (1 - (level - 20 + 46) / 12), 0.05);
    isNear(gains[2150], 0, 1e-6);
    const widened = rideTowards(steps, 14);
    assert.ok(widened[2050] < -8 && widened[2050] === widened[2150], 'lowered as what is 20 LU below');
  });

  test('sound without a range does not change', () => {
    for (const steps of [program([-20, 2]), new Array<number>(100).fill(0)])
      assert.ok(rideTowards(steps, 5).every((gain) => gain === 0));
  });
});
