/** Peaks between samples in double precision. Definition and memory layout: `src/signal/oversample.ts`. */

const VALUE_BYTES: usize = 8;
const VECTOR_BYTES: usize = 16;

/**
 * Greatest magnitude at three points between the two middle ones of `taps` samples from `samples` on. `phases`: for each tap its weights
 * at the three points, and 0.
 */
export function peakBetween(samples: usize, taps: usize, phases: usize): f64 {
  let first = f64x2.splat(0);
  let last = f64x2.splat(0);
  const end = samples + VALUE_BYTES * taps;
  do {
    const sample = v128.load64_splat(samples);
    first = f64x2.add(first, f64x2.mul(v128.load(phases), sample));
    last = f64x2.add(last, f64x2.mul(v128.load(phases, VECTOR_BYTES), sample));
    samples += VALUE_BYTES;
    phases += 2 * VECTOR_BYTES;
  } while (samples < end);
  const magnitudes = f64x2.abs(first);
  let peak: f64 = greater(0, f64x2.extract_lane(magnitudes, 0));
  peak = greater(peak, f64x2.extract_lane(magnitudes, 1));
  return greater(peak, f64x2.extract_lane(f64x2.abs(last), 0));
}

/** Unlike the instruction `f64.max`, ignores NaN. */
function greater(a: f64, b: f64): f64 {
  return b > a ? b : a;
}

/**
 * Greatest of `peak` and the magnitudes at and between `count` samples, the first of which follows the middle of the `taps` from
 * `samples` on. Points between two samples are computed only if one of the two reaches half of the current peak.
 */
export function peakAmong(samples: usize, count: usize, taps: usize, phases: usize, peak: f64): f64 {
  const toMiddle = VALUE_BYTES * (taps >> 1);
  const end = samples + VALUE_BYTES * count;
  let before = Math.abs(f64.load(samples + toMiddle - VALUE_BYTES));
  for (; samples < end; samples += VALUE_BYTES) {
    const after = Math.abs(f64.load(samples + toMiddle));
    if (after > peak) peak = after;
    const reach = Math.max(before, after);
    before = after;
    if (reach * 2 < peak || reach === 0) continue;
    peak = greater(peak, peakBetween(samples, taps, phases));
  }
  return peak;
}
