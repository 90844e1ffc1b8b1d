import { clamp } from '../../signal/interpolation.ts';
import { quantile } from '../../signal/statistics.ts';
import type { AudioPlan } from '../../style/model/timeline.ts';
import { AudioForecast, type Forecast, LIMITED_QUANTILE } from './audio-forecast.ts';
import { rideTowards } from './audio-ride.ts';
import { type AudioTrace, STEP_SECONDS, STEPS_PER_LOUDNESS_STEP } from './audio-trace.ts';

/** Gain curve and limiter of the sound, and the predicted result. */
export interface Dynamics {
  /** One gain for each 5 ms, valid at the centre of its step. */
  readonly gainsDb: Float32Array;
  /** Ceiling of the limiter; null: no limiter. */
  readonly limiterDbtp: number | null;
  /** Predicted loudness of the result; null: silence. */
  readonly loudnessLufs: number | null;
  /** Predicted loudness range of the result; null: the sound is too short. */
  readonly rangeLu: number | null;
}

/** More gain than this would only raise noise. */
const MAX_GAIN_DB = 36;
/** Limiting of the highest peaks above which the compressor, if planned, takes over. */
const PREFERRED_LIMITING_DB = 3;
/** More limiting is heard as distortion and pumping. */
const MAX_LIMITING_DB = 6;

const RATIO = 3;
const KNEE_DB = 6;
/** Gain reduction of the highest peaks; more raises the noise between them. */
const MAX_COMPRESSION_DB = 8;
const COMPRESSOR_RELEASE_DB_PER_SECOND = 200;
/** Half a period of the deepest bass, so that the compressor does not follow the waveform. */
const COMPRESSOR_HOLD_STEPS = 3;
const BISECTIONS = 14;
const RANGE_TURNS = 4;
const CLOSE_RANGE_LU = 0.3;
/** Weights of the two errors where both targets cannot be reached. Errors of loudness are heard first. */
const LOUDNESS_TOLERANCE_LU = 0.2;
const RANGE_TOLERANCE_LU = 1.5;

interface Fitted extends Forecast {
  readonly gainsDb: Float32Array;
}

/**
 * Fits gain, compressor and limiter to the plan, on a trace of the whole sound. A slow gain curve brings the
 * loudness range to the target. Peaks above the planned crest are compressed, remaining peaks limited. A
 * constant gain brings the loudness to the target as far as `MAX_LIMITING_DB` allows. `ceilingDbtp`: for all
 * peaks; null: none. `makeupDb`: loudness that an earlier encoding lacked.
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
  const error = ({ loudnessLufs, rangeLu }: Dynamics) =>
    Math.max(0, (target ?? 0) - (loudnessLufs ?? 0)) / LOUDNESS_TOLERANCE_LU +
    Math.abs((rangeLu ?? 0) - (wanted ?? 0)) / RANGE_TOLERANCE_LU;
  let best = fit(wanted);
  if (wanted === null || best.rangeLu === null) return best;
  let [rangeLu, found] = [wanted, best.rangeLu];
  for (let turn = 1; turn < RANGE_TURNS && Math.abs(found - wanted) > CLOSE_RANGE_LU; turn++) {
    // Compressor and limiter narrow the range further, so the target of the gain curve is shifted by the error.
    rangeLu = Math.max(0, rangeLu + wanted - found);
    const next = fit(rangeLu);
    found = next.rangeLu!;
    if (error(next) < error(best)) best = next;
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
  const plain = forecast.afterLimiter(0, Number.POSITIVE_INFINITY);
  if (plan.targetLufs === null || plain.loudnessLufs === null)
    return { ...plain, gainsDb: ridden, limiterDbtp: ceilingDbtp };
  const target = plan.targetLufs + makeupDb;
  const crestDb = plan.compressor?.crestDb ?? null;
  const ceiling = ceilingDbtp ?? Number.POSITIVE_INFINITY;
  const limit = crestDb === null ? ceiling : Math.min(ceiling, plan.targetLufs + crestDb);
  const levels = compressorLevels(forecast.peaksDb);
  const top = crestDb === null ? 0 : quantile(levels, LIMITED_QUANTILE);
  const compressedBy = (depthDb: number) =>
    reachTarget(trace, compress(ridden, levels, top, depthDb), target, limit);
  let fitted = compressedBy(0);
  if (crestDb !== null && fitted.limitingDb > PREFERRED_LIMITING_DB) {
    let [low, high] = [0, MAX_COMPRESSION_DB];
    for (let turn = 0; turn < BISECTIONS / 2; turn++) {
      const depth = (low + high) / 2;
      fitted = compressedBy(depth);
      if (fitted.limitingDb > PREFERRED_LIMITING_DB) low = depth;
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

/** Level that controls the compressor, in dB: peaks with one step of look-ahead, hold and release. */
function compressorLevels(peaksDb: Float32Array): Float32Array {
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
  const reductions = levels.map((level) => {
    const over = level - threshold;
    if (over <= -KNEE_DB / 2) return 0;
    return slope * (over >= KNEE_DB / 2 ? over : (over + KNEE_DB / 2) ** 2 / (2 * KNEE_DB));
  });
  // Smoothed: corners in the gain are heard as crackle in deep tones.
  return gainsDb.map((gain, at) => {
    const [before, after] = [reductions[at - 1] ?? reductions[at], reductions[at + 1] ?? reductions[at]];
    return gain - (before + 2 * reductions[at] + after) / 4;
  });
}

/** Adds the gain that reaches the target after the limiter, or as much as `MAX_LIMITING_DB` allows. */
function reachTarget(trace: AudioTrace, gainsDb: Float32Array, target: number, limit: number): Fitted {
  const forecast = new AudioForecast(trace, gainsDb);
  const plain = forecast.afterLimiter(0, Number.POSITIVE_INFINITY).loudnessLufs!;
  let low = Math.min(MAX_GAIN_DB, target - plain);
  let high = Math.min(MAX_GAIN_DB, low + MAX_LIMITING_DB);
  const at = (gain: number) => forecast.afterLimiter(gain, limit);
  let found = at(low);
  let gain = low;
  // The limiter lowers the loudness, so more gain is needed.
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
