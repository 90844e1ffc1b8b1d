/** Folds an activation by beat intervals. Memory layout: `src/analysis/beats/tempo.ts`. */

const SAMPLE_BYTES: usize = 4;
const VALUE_BYTES: usize = 8;

/**
 * The phase at which an activation (f32), folded by a whole number of frames, has the highest mean, if that is above
 * `least`; else −1. Writes for each phase the sum and the number of frames (f64) to `sums` and `counts`.
 */
export function strongestPhase(
  activation: usize,
  frames: usize,
  interval: f64,
  phases: i32,
  least: f64,
  sums: usize,
  counts: usize,
): i32 {
  memory.fill(sums, 0, VALUE_BYTES * phases);
  memory.fill(counts, 0, VALUE_BYTES * phases);
  const end = activation + SAMPLE_BYTES * frames;
  let place: f64 = 0;
  for (; activation < end; activation += SAMPLE_BYTES) {
    const phase = <i32>place;
    if (phase < phases) {
      const at = VALUE_BYTES * phase;
      f64.store(sums + at, f64.load(sums + at) + f32.load(activation));
      f64.store(counts + at, f64.load(counts + at) + 1);
    }
    place += 1;
    if (place >= interval) place -= interval;
  }
  let found = -1;
  for (let phase = 0; phase < phases; phase++) {
    const at = VALUE_BYTES * phase;
    const count = f64.load(counts + at);
    const strength: f64 = count === 0 ? 0 : f64.load(sums + at) / count;
    if (strength > least) {
      least = strength;
      found = phase;
    }
  }
  return found;
}
