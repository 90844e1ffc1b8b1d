/** Trace, forecast, dynamics and gains on tones whose level each 5 ms is known. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Dynamics, fitDynamics } from '../../src/render/sound/audio-dynamics.ts';
import { AudioForecast } from '../../src/render/sound/audio-forecast.ts';
import { AudioTrace } from '../../src/render/sound/audio-trace.ts';
import { withDynamics } from '../../src/render/sound/audio-track.ts';
import type { AudioPlan } from '../../src/style/model/timeline.ts';
import { noiseSource } from '../support/moving-picture.ts';

const RATE = 8000;
const STEP = RATE / 200;
const isNear = (seen: number, wanted: number, tolerance: number, what = '') =>
  assert.ok(Math.abs(seen - wanted) <= tolerance, `${what} ${seen}, not ${wanted}`);

/** A tone of 1 kHz, 0 LUFS at 0 dB (BS.1770-4), each level for so many steps of 5 ms; samples lie on its crests. */
function tone(...parts: readonly (readonly [db: number, steps: number])[]): Float32Array {
  const levels = parts.flatMap(([db, steps]) => new Array<number>(steps * STEP).fill(10 ** (db / 20)));
  return Float32Array.from(levels, (level, n) => level * Math.cos((2 * Math.PI * 1000 * n) / RATE));
}

function traceOf(left: Float32Array, right = left, size = 1000): AudioTrace {
  const trace = new AudioTrace(RATE);
  for (let at = 0; at < left.length; at += size)
    trace.push([left.subarray(at, at + size), right.subarray(at, at + size)]);
  trace.finish();
  return trace;
}

const flat = (trace: AudioTrace) => new Float32Array(trace.powers.length);

describe('AudioTrace', () => {
  const random = noiseSource(2);
  const noise = () => Float32Array.from({ length: 30 * STEP + 13 }, () => random());
  const [left, right] = [noise(), noise()];

  test('the greatest sample of both sides in each step, and a shorter last step', () => {
    const wanted = Array.from({ length: 31 }, (_, step) => {
      const part = [left, right].flatMap((side) => [...side.subarray(step * STEP, (step + 1) * STEP)]);
      return Math.max(...part.map(Math.abs));
    });
    for (const size of [13, 40, 1000]) {
      const trace = traceOf(left, right, size);
      assert.deepEqual([...trace.peaks], wanted);
      assert.deepEqual(trace.powers, traceOf(left, right).powers);
    }
  });

  test('power is that of both sides, K-weighted: a tone of 1 kHz at its loudness', () => {
    const steps = 100;
    const [both, one] = [
      traceOf(tone([-20, steps])),
      traceOf(tone([-20, steps]), new Float32Array(steps * STEP)),
    ];
    for (const [trace, lufs] of [
      [both, -20],
      [one, -20 - 10 * Math.log10(2)],
    ] as const)
      for (const power of trace.powers.subarray(10)) isNear(10 * Math.log10(power) - 0.691, lufs, 0.05);
  });

  test('sound that ends with a step leaves nothing', () => {
    assert.equal(traceOf(tone([-20, 50])).powers.length, 50);
  });
});

describe('predicted effect of a limiter', () => {
  test('limiting falls by 0.3 dB a step, and counts where it sounds, its rarest half per cent aside', () => {
    // 6 dB above the limit for one step: limited by 6, 5.7, … 0.3 dB; of 1000 steps, 5 are limited by more than 4.5.
    for (const pause of [0, 500]) {
      const trace = traceOf(tone([-200, pause], [-23, 500], [-14, 1], [-23, 499]));
      const { limitingDb } = new AudioForecast(trace, flat(trace)).afterLimiter(0, -20);
      isNear(limitingDb, 4.8, 0.021);
    }
  });

  test('gain and limiter together give the loudness of the output', () => {
    const trace = traceOf(tone([-23, 1200]));
    const forecast = new AudioForecast(trace, flat(trace));
    isNear(forecast.afterLimiter(0, 0).loudnessLufs!, -23, 0.05);
    isNear(forecast.afterLimiter(10, 0).loudnessLufs!, -13, 0.05);
    isNear(forecast.afterLimiter(10, -16).loudnessLufs!, -16, 0.05);
    isNear(forecast.afterLimiter(10, -16).limitingDb, 3, 0.03);
    isNear(forecast.afterLimiter(0, 0).rangeLu!, 0, 0.05);
  });

  test('gains of the curve are applied first', () => {
    const trace = traceOf(tone([-20, 1200]));
    const lower = flat(trace).map((_, at) => (at < 600 ? 0 : -10));
    const forecast = new AudioForecast(trace, lower);
    isNear(forecast.peaksDb[100], -20, 0.01);
    isNear(forecast.peaksDb[900], -30, 0.01);
    const steps = forecast.loudnessSteps();
    assert.equal(steps.length, 60);
    isNear(10 * Math.log10(steps[20] / steps[50]), 10, 0.01);
    isNear(10 * Math.log10(steps[20]) - 0.691, -20, 0.05);
  });
});

const PLAN: AudioPlan = { equalizer: [], compressor: null, targetLufs: -20, truePeakDbtp: -1 };
const fitted = (
  audio: Float32Array,
  plan: Partial<AudioPlan> = {},
  makeupDb = 0,
): Dynamics & { trace: AudioTrace } => {
  const trace = traceOf(audio);
  return { trace, ...fitDynamics(trace, { ...PLAN, ...plan }, -1, makeupDb) };
};
const forecastOf = ({ trace, gainsDb, limiterDbtp }: ReturnType<typeof fitted>) =>
  new AudioForecast(trace, gainsDb).afterLimiter(0, limiterDbtp ?? Number.POSITIVE_INFINITY);

describe('gain', () => {
  test('to the target, and by the measured difference', () => {
    for (const makeupDb of [0, 1.5]) {
      const { gainsDb, loudnessLufs, limiterDbtp } = fitted(tone([-30, 800]), {}, makeupDb);
      for (const gain of gainsDb) isNear(gain, 10 + makeupDb, 0.06);
      isNear(loudnessLufs!, -20 + makeupDb, 0.02);
      assert.equal(limiterDbtp, -1);
    }
  });

  test('down as well as up, up by 36 dB at most', () => {
    isNear(fitted(tone([-10, 800])).gainsDb[0], -10, 0.06);
    const { gainsDb, loudnessLufs } = fitted(tone([-62, 800]));
    isNear(gainsDb[0], 36, 1e-4);
    isNear(loudnessLufs!, -26, 0.06);
  });

  test('none without a target, and none for silence', () => {
    for (const { gainsDb } of [fitted(tone([-30, 400]), { targetLufs: null }), fitted(tone([-200, 400]))])
      assert.ok(gainsDb.every((gain) => gain === 0));
  });

  test('the gain compensates the limiter', () => {
    // Of each second a tenth lies 14 dB above the rest.
    const beats = tone(...Array.from({ length: 8 }, () => [[-30, 180] as const, [-16, 20] as const]).flat());
    const result = fitted(beats, { targetLufs: -8 });
    const { loudnessLufs, limitingDb } = forecastOf(result);
    isNear(loudnessLufs!, -8, 0.02);
    assert.ok(limitingDb > 1 && limitingDb < 6, `${limitingDb}`);
  });

  test('limiting is at most 6 dB, and the missing loudness is reported', () => {
    const clicks = tone(...Array.from({ length: 8 }, () => [[-50, 190] as const, [-6, 10] as const]).flat());
    const result = fitted(clicks, { targetLufs: -5 });
    const { loudnessLufs, limitingDb } = forecastOf(result);
    isNear(limitingDb, 6, 0.05);
    isNear(result.loudnessLufs!, loudnessLufs!, 0.01);
    assert.ok(loudnessLufs! < -8);
  });
});

describe('compression', () => {
  /** A fifth of a second of each level within a tone of −20 dB. */
  const LEVELS = [-18, -14, -12, -10, -8, -6, -3];
  const bursts = tone(...LEVELS.flatMap((db) => [[-20, 400] as const, [db, 40] as const]), [-20, 1000]);
  const middleOf = (burst: number) => 440 * burst + 420;
  const result = fitted(bursts, { compressor: { rangeLu: null, crestDb: 7 }, targetLufs: -14 });
  const gain = result.gainsDb.at(-1)!;
  const reductions = LEVELS.map((_, burst) => gain - result.gainsDb[middleOf(burst)]);

  test('peaks exceed the loudness by the crest at most, and limiting is moderate', () => {
    assert.equal(result.limiterDbtp, -14 + 7);
    const { limitingDb, loudnessLufs } = forecastOf(result);
    isNear(limitingDb, 3, 0.15);
    isNear(loudnessLufs!, -14, 0.02);
  });

  test('three to one above a soft knee of 6 dB', () => {
    const threshold = -3 - reductions.at(-1)! * 1.5;
    for (const [burst, level] of LEVELS.entries()) {
      const over = level - threshold;
      const wanted = over <= -3 ? 0 : over >= 3 ? (2 / 3) * over : ((2 / 3) * (over + 3) ** 2) / 12;
      isNear(reductions[burst], wanted, 0.02, `at ${level} dB, ${over.toFixed(2)} above the threshold:`);
    }
    const knee = LEVELS.filter((level) => Math.abs(level - threshold) < 3);
    assert.ok(knee.length > 0 && reductions[0] === 0 && threshold < -9, `threshold ${threshold}`);
  });

  test('down a step ahead of a peak, held for three steps behind it, and back by 200 dB a second', () => {
    const last = 440 * 6 + 400;
    const { gainsDb } = result;
    // Means over three neighbours: a change reaches one step further than it is.
    isNear(gainsDb[last - 3], gain, 1e-4, 'before');
    isNear(gainsDb[last - 1], gain - 0.75 * reductions[6], 0.02, 'a step ahead');
    isNear(gainsDb[last], gain - reductions[6], 0.02, 'at the peak');
    const end = last + 40;
    isNear(gainsDb[end + 1], gain - reductions[6], 0.02, 'held');
    assert.ok(gainsDb[end + 2] > gain - reductions[6] + 0.1, 'released');
    for (const at of [4, 5, 6])
      isNear(gainsDb[end + at] - gainsDb[end + at - 1], 2 / 3, 0.02, `back at ${at}:`);
  });

  test('it takes 8 dB at most from the highest peaks', () => {
    const clicks = tone(...Array.from({ length: 8 }, () => [[-40, 180] as const, [0, 20] as const]).flat());
    const { gainsDb } = fitted(clicks, { compressor: { rangeLu: null, crestDb: 0 }, targetLufs: -14 });
    isNear(gainsDb[100] - gainsDb[190], 8, 0.1);
  });

  test('none where the limiter has little to do', () => {
    const { gainsDb } = fitted(bursts, { compressor: { rangeLu: null, crestDb: 18 }, targetLufs: -20 });
    assert.ok(gainsDb.every((value) => value === gainsDb[0]));
  });
});

describe('loudness range', () => {
  const halves = tone([-20, 2000], [-32, 2000]);

  test('is brought to the plan together with the loudness', () => {
    for (const rangeLu of [6, 18]) {
      const result = fitted(halves, { compressor: { rangeLu, crestDb: null } });
      isNear(result.rangeLu!, rangeLu, 0.35);
      isNear(result.loudnessLufs!, -20, 0.02);
      isNear(result.gainsDb[3000] - result.gainsDb[1000], 12 - rangeLu, 0.35);
    }
  });

  test('the gain goes from each tenth of a second to the next without a step', () => {
    const { gainsDb } = fitted(halves, { compressor: { rangeLu: 3, crestDb: null } });
    const slopes = gainsDb.map((value, at) => value - gainsDb[Math.max(0, at - 1)]);
    const whole = gainsDb[3000] - gainsDb[1000];
    assert.ok(Math.max(...slopes) < whole / 100, `${Math.max(...slopes)} dB in 5 ms`);
    assert.ok(Math.abs(gainsDb[0] - gainsDb[500]) < 0.05 && Math.abs(gainsDb.at(-1)! - gainsDb[3500]) < 0.05);
    // Straight from the middle of each tenth of a second to that of the next: corners lie nowhere else.
    for (let at = 1900; at < 2100; at++) {
      const corner = Math.abs(gainsDb[at - 1] - 2 * gainsDb[at] + gainsDb[at + 1]);
      if (at % 20 === 9 || at % 20 === 10) continue;
      assert.ok(corner < 1e-4, `${corner} dB at ${at}`);
    }
    const corners = [1949, 1950].map((at) => gainsDb[at - 1] - 2 * gainsDb[at] + gainsDb[at + 1]);
    assert.ok(corners[0] + corners[1] > 1e-3, `${corners}`);
    // Half of the change is reached where the halves meet in the fader's window: 5 of its 11 weights are later.
    isNear(gainsDb[2000] - gainsDb[1990], gainsDb[1990] - gainsDb[1980], 0.5);
  });

  test('a range that compression narrows is corrected by the gain curve', () => {
    const peaks = tone(
      ...Array.from({ length: 10 }, () => [[-24, 180] as const, [-8, 20] as const]).flat(),
      ...Array.from({ length: 10 }, () => [[-36, 180] as const, [-20, 20] as const]).flat(),
    );
    const result = fitted(peaks, { compressor: { rangeLu: 9, crestDb: 9 }, targetLufs: -16 });
    isNear(result.rangeLu!, 9, 0.5);
    isNear(result.loudnessLufs!, -16, 0.1);
  });
});

describe('withDynamics', () => {
  const OUTPUT_STEP = 240;
  async function run(audio: Float32Array, dynamics: Pick<Dynamics, 'gainsDb' | 'limiterDbtp'>, size: number) {
    async function* blocks() {
      for (let at = 0; at < audio.length; at += size) {
        const part = audio.subarray(at, at + size);
        yield [part, part.map((value) => -value)] as const;
      }
    }
    const out = await Array.fromAsync(
      withDynamics(blocks(), { ...dynamics, loudnessLufs: null, rangeLu: null }),
    );
    return [0, 1].map((channel) => Float32Array.from(out.flatMap((block) => [...block[channel]])));
  }

  test('gains are valid at the centres of their steps and interpolated linearly between', async () => {
    const gainsDb = Float32Array.of(0, 20, 6, -20);
    const factors = [...gainsDb].map((gain) => 10 ** (gain / 20));
    const audio = new Float32Array(5 * OUTPUT_STEP).fill(0.01);
    for (const size of [77, 2000]) {
      const [left, right] = await run(audio, { gainsDb, limiterDbtp: null }, size);
      for (let n = 0; n < audio.length; n++) {
        const place = Math.min(3, Math.max(0, (n + 0.5) / OUTPUT_STEP - 0.5));
        const [from, to] = [factors[Math.floor(place)], factors[Math.ceil(place)]];
        isNear(left![n], 0.01 * (from + (to - from) * (place - Math.floor(place))), 1e-6, `sample ${n}:`);
        assert.equal(right![n], -left![n]);
      }
    }
  });

  test('behind the limiter it is as long as before, and at the same times', async () => {
    const audio = Float32Array.from({ length: 5000 }, (_, n) => 0.3 * Math.sin(n / 7));
    for (const size of [50, 5000]) {
      const [out] = await run(audio, { gainsDb: Float32Array.of(0), limiterDbtp: -6 }, size);
      assert.deepEqual(out, audio);
    }
    const [lowered] = await run(audio, { gainsDb: Float32Array.of(0), limiterDbtp: -20 }, 500);
    isNear(Math.max(...lowered!), 0.1, 0.002);
  });
});
