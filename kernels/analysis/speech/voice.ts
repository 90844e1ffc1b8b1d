/** Peaks of an autocorrelation in double precision. Memory layout: `src/analysis/speech/voice.ts`. */

const VALUE_BYTES: usize = 8;

/** The first lag from `lag` on whose value is not less than its neighbours' values; `longest` + 1 if there is none. */
export function nextPeak(correlation: usize, lag: usize, longest: usize): usize {
  for (; lag <= longest; lag++) {
    const at = correlation + VALUE_BYTES * lag;
    const here = f64.load(at);
    if (here >= f64.load(at - VALUE_BYTES) && here >= f64.load(at, VALUE_BYTES)) break;
  }
  return lag;
}
