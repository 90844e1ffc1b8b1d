import { clamp } from '../../signal/interpolation.ts';
import { quantile } from '../../signal/statistics.ts';
import type { AudioPlan } from '../../style/model/timeline.ts';
import { AudioForecast, type Forecast, LIMITED_QUANTILE } from './audio-forecast.ts';
import { rideTowards } from './audio-ride.ts';
import { type AudioTrace, STEP_SECONDS, STEPS_PER_LOUDNESS_STEP } from './audio-trace.ts';

/** What is done to the level of the sound. */
export interface Dynamics {
  /** Gain every 5 ms, each at the middle of its step. */
  readonly gainsDb: Float32Array;
  /** What no peak exceeds; null: none would. */
  readonly limiterDbtp: number | null;
  /** Predicted for the result; null: silence. */
  readonly loudnessLufs: number | null;
  /** Likewise; null: too short to have one. */
  readonly rangeLu: number | null;
}

/** More gain than this would only raise noise. */
const MAX_GAIN_DB = 36;
/** A limiter may take this much from the highest peaks: more is left to the compressor, where one is wanted … */
const EASY_LIMITING_DB = 3;
/** … and more than this is heard as distortion and pumping. */
const MAX_LIMITING_DB = 6;

const RATIO = 3;
const KNEE_DB = 6;
/** What the compressor takes from the highest peaks: more brings up what lies between them. */
const MAX_COMPRESSION_DB = 8;
const COMPRESSOR_RELEASE_DB_PER_SECOND = 200;
/** Half a period of the deepest bass, so that the compressor does not follow its wave. */
const COMPRESSOR_HOLD_STEPS = 3;
const BISECTIONS = 14;
const RANGE_TURNS = 4;
const CLOSE_RANGE_LU = 0.3;
/** Where both cannot be had, misses weigh by these: loudness is what is heard first. */
const LOUDNESS_TOLERANCE_LU = 0.2;
const RANGE_TOLERANCE_LU = 1.5;

interface Fitted extends Forecast {
  readonly gainsDb: Float32Array;
}

/**
 * Fits gain, compressor and limiter to the plan on a trace of the sound, all of it known beforehand: the fader is ridden to
 * the loudness range; peaks that stand out further than the plan allows are compressed, the rest is limited, and the whole
 * is brought to the loudness, as near as limiting can be borne. `ceilingDbtp`: for all peaks, null: none; `makeupDb`: what measuring
 * the result showed to be missing.
 */
export function fitDynamics(
  trace: AudioTrace,
  plan: AudioPlan,
  ceilingDbtp: number | null,
  makeupDb: number,
): Dynamics {
  const wanted = plan.compressor?.rangeLu ?? null;
  const fit = (rangeLu: number | null) => fitLevel(trace, plan, ride(trace, rangeLu), ceilingDbtp, makeupDb);
  const target = plan.targetLufs === null ? null : plan.targetLufs + makeupDb;
  const off = ({ loudnessLufs, rangeLu }: Dynamics) =>
    Math.max(0, (target ?? 0) - (loudnessLufs ?? 0)) / LOUDNESS_TOLERANCE_LU +
    Math.abs((rangeLu ?? 0) - (wanted ?? 0)) / RANGE_TOLERANCE_LU;
  let best = fit(wanted);
  if (wanted === null || best.rangeLu === null) return best;
  let [rangeLu, found] = [wanted, best.rangeLu];
  for (let turn = 1; turn < RANGE_TURNS && Math.abs(found - wanted) > CLOSE_RANGE_LU; turn++) {
    // Compressor and limiter narrow it further: so much more is asked of the fader.
    rangeLu = Math.max(0, rangeLu + wanted - found);
    const next = fit(rangeLu);
    found = next.rangeLu!;
    if (off(next) < off(best)) best = next;
  }
  return best;
}

function fitLevel(
  trace: AudioTrace,
  plan: AudioPlan,
  ridden: Float32Array,
  ceilingDbtp: number | null,
  makeupDb: number,
): Dynamics {
  const forecast = new AudioForecast(trace, ridden);
  const plain = forecast.behindLimiter(0, Number.POSITIVE_INFINITY);
  if (plan.targetLufs === null || plain.loudnessLufs === null)
    return { ...plain, gainsDb: ridden, limiterDbtp: ceilingDbtp };
  const target = plan.targetLufs + makeupDb;
  const crestDb = plan.compressor?.crestDb ?? null;
  const ceiling = ceilingDbtp ?? Number.POSITIVE_INFINITY;
  const limit = crestDb === null ? ceiling : Math.min(ceiling, plan.targetLufs + crestDb);
  const levels = heldLevels(forecast.peaksDb);
  const top = crestDb === null ? 0 : quantile(levels, LIMITED_QUANTILE);
  const compressedBy = (depthDb: number) =>
    reach(trace, compress(ridden, levels, top, depthDb), target, limit);
  let fitted = compressedBy(0);
  if (crestDb !== null && fitted.limitingDb > EASY_LIMITING_DB) {
    let [low, high] = [0, MAX_COMPRESSION_DB];
    for (let turn = 0; turn < BISECTIONS / 2; turn++) {
      const depth = (low + high) / 2;
      fitted = compressedBy(depth);
      if (fitted.limitingDb > EASY_LIMITING_DB) low = depth;
      else high = depth;
    }
  }
  return { ...fitted, limiterDbtp: Number.isFinite(limit) ? limit : null };
}

function ride(trace: AudioTrace, rangeLu: number | null): Float32Array {
  const gains = new Float32Array(trace.powers.length);
  if (rangeLu === null) return gains;
  const steps = rideTowards(new AudioForecast(trace, gains).loudnessSteps(), rangeLu);
  if (steps.length === 0) return gains;
  return gains.map((_, at) => {
    const place = (at + 0.5) / STEPS_PER_LOUDNESS_STEP - 0.5;
    const before = Math.max(0, Math.min(steps.length - 1, Math.floor(place)));
    const after = Math.min(steps.length - 1, before + 1);
    const share = clamp(place - before, 0, 1);
    return steps[before] * (1 - share) + steps[after] * share;
  });
}

/** What the compressor listens to: peaks, known a step ahead, falling as its release does. In dB. */
function heldLevels(peaksDb: Float32Array): Float32Array {
  const ahead = peaksDb.map((level, at) => Math.max(level, peaksDb[at + 1] ?? level));
  const release = COMPRESSOR_RELEASE_DB_PER_SECOND * STEP_SECONDS;
  let [held, since] = [Number.NEGATIVE_INFINITY, 0];
  return ahead.map((level) => {
    since = level >= held ? 0 : since + 1;
    if (since > COMPRESSOR_HOLD_STEPS || since === 0) held = Math.max(level, held - release);
    return held;
  });
}

/** Soft knee (D. Giannoulis and others, "Digital dynamic range compressor design", JAES 60, 2012, equation 4). */
function compress(gainsDb: Float32Array, levels: Float32Array, topDb: number, depthDb: number): Float32Array {
  if (depthDb === 0) return gainsDb;
  const slope = 1 - 1 / RATIO;
  const threshold = topDb - depthDb / slope;
  const taken = levels.map((level) => {
    const over = level - threshold;
    if (over <= -KNEE_DB / 2) return 0;
    return slope * (over >= KNEE_DB / 2 ? over : (over + KNEE_DB / 2) ** 2 / (2 * KNEE_DB));
  });
  // Corners in the gain would be heard as crackle in deep tones.
  return gainsDb.map((gain, at) => {
    const [before, after] = [taken[at - 1] ?? taken[at], taken[at + 1] ?? taken[at]];
    return gain - (before + 2 * taken[at] + after) / 4;
  });
}

/** Adds the gain that reaches the target behind the limiter, or as much as the limiter can take. */
function reach(trace: AudioTrace, gainsDb: Float32Array, target: number, limit: number): Fitted {
  const forecast = new AudioForecast(trace, gainsDb);
  const plain = forecast.behindLimiter(0, Number.POSITIVE_INFINITY).loudnessLufs!;
  let low = Math.min(MAX_GAIN_DB, target - plain);
  let high = Math.min(MAX_GAIN_DB, low + MAX_LIMITING_DB);
  const at = (gain: number) => forecast.behindLimiter(gain, limit);
  let found = at(low);
  let gain = low;
  // The limiter takes loudness away; what it takes is made up.
  if (found.loudnessLufs! < target - 0.01) {
    for (let turn = 0; turn < BISECTIONS; turn++) {
      gain = (low + high) / 2;
      found = at(gain);
      if (found.loudnessLufs! < target && found.limitingDb < MAX_LIMITING_DB) low = gain;
      else high = gain;
    }
  }
  if (found.limitingDb > MAX_LIMITING_DB) {
    gain -= found.limitingDb - MAX_LIMITING_DB;
    found = at(gain);
  }
  return { ...found, gainsDb: gainsDb.map((value) => value + gain) };
}
