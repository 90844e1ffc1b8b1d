/** A hit reaches its peak within these frames of its rise, and was weaker shortly before. */
const PEAK_FRAMES = 4;
const BEFORE_FRAMES = [PEAK_FRAMES / 2, PEAK_FRAMES] as const;
const LATER_FRAMES = 2;

/**
 * Rise of a band that falls again within `fallFrames`: drums decay at once, notes sustain. Separates a kick
 * from a bass and a snare from a chord with an equal rise (the percussive part of D. FitzGerald,
 * "Harmonic/percussive separation using median filtering", DAFx 2010, at a low cost per band and frame). In
 * the level's unit.
 */
export function hitsOf(level: Float32Array, fallFrames: number): Float32Array {
  const last = level.length - 1;
  return level.map((_, t) => {
    let peak = 0;
    for (let k = t; k < t + PEAK_FRAMES && k <= last; k++) if (level[k] > peak) peak = level[k];
    const [near, far] = BEFORE_FRAMES.map((back) => level[Math.max(0, t - back)]);
    const later =
      (level[Math.min(last, t + fallFrames)] + level[Math.min(last, t + fallFrames + LATER_FRAMES)]) / 2;
    return Math.max(0, Math.min(peak - later, 2 * (peak - Math.min(near, far))));
  });
}
