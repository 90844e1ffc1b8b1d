import { integratedLoudness, loudnessOf, loudnessRange } from '../../analysis/loudness/loudness.ts';
import { powerOfDb } from '../../signal/decibels.ts';
import { clamp } from '../../signal/interpolation.ts';

/**
 * Half of the window for the level that controls the gain: slower than a phrase, faster than a scene. At 10 steps the gain pumped by
 * up to .7 dB more, at 15 a range was missed by 2 LU.
 */
const HALF_WINDOW_STEPS = 12;
/** Limits for quiet passages: more gain makes noise audible, less hides them. */
const MAX_RAISE_DB = 12;
const MAX_LOWER_DB = 12;
/** The range is narrowed to a tenth or doubled at most; beyond that the recording's character is lost. */
const MIN_SLOPE = 0.1;
const MAX_SLOPE = 2;
/** Below the whole's loudness plus this there are pauses, not quiet passages (the gate of EBU Tech 3342). */
const PAUSE_LU = -20;
/** Pauses are raised less and less down to this far below the gate. */
const PAUSE_FADE_LU = 12;
const BISECTIONS = 12;

/**
 * Gains in dB, one for each 100 ms, that bring the loudness range as near to `rangeLu` as possible. Quiet
 * passages are raised and loud ones lowered around the mean loudness, or the reverse, like a sound engineer
 * rides a fader. The window is symmetric, so the gain does not pump. `steps`: K-weighted mean squares of 100
 * ms.
 */
export function rideTowards(steps: readonly number[], rangeLu: number): Float32Array {
  const noGains = new Float32Array(steps.length);
  const whole = integratedLoudness(steps);
  const range = loudnessRange(steps);
  if (whole === null || range === null) return noGains;
  const levels = windowedLoudness(steps);
  const of = (slope: number) => levels.map((level) => rideAt(level, whole, slope));
  const rangeOf = (gains: Float32Array) =>
    loudnessRange(steps.map((step, at) => step * powerOfDb(gains[at]))) ?? range;
  let [low, high] = rangeLu < range ? [MIN_SLOPE, 1] : [1, MAX_SLOPE];
  for (let turn = 0; turn < BISECTIONS; turn++) {
    const slope = (low + high) / 2;
    if (rangeOf(of(slope)) > rangeLu) high = slope;
    else low = slope;
  }
  return of((low + high) / 2);
}

function rideAt(level: number, whole: number, slope: number): number {
  const under = whole + PAUSE_LU - level;
  const gain = (slope - 1) * (Math.max(level, whole + PAUSE_LU) - whole);
  const fade = gain > 0 ? 1 - clamp(under / PAUSE_FADE_LU, 0, 1) : 1;
  return Math.max(-MAX_LOWER_DB, Math.min(MAX_RAISE_DB, gain)) * fade;
}

/** Loudness around each step under a Hann window, LUFS. */
function windowedLoudness(steps: readonly number[]): Float32Array {
  const weights = Array.from(
    { length: 2 * HALF_WINDOW_STEPS + 1 },
    (_, k) => 0.5 + 0.5 * Math.cos((Math.PI * (k - HALF_WINDOW_STEPS)) / (HALF_WINDOW_STEPS + 1)),
  );
  return Float32Array.from(steps, (_, at) => {
    let [sum, weight] = [0, 0];
    for (let k = -HALF_WINDOW_STEPS; k <= HALF_WINDOW_STEPS; k++) {
      const step = steps[at + k];
      if (step === undefined) continue;
      sum += weights[k + HALF_WINDOW_STEPS] * step;
      weight += weights[k + HALF_WINDOW_STEPS];
    }
    return loudnessOf(sum / weight + 1e-12);
  });
}
