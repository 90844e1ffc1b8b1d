/** Pitch, power and brightness of voice frames: of tones whose pitch is known, and of spectra that are drawn. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Spectra } from '../../src/analysis/spectrum/spectra.ts';
import { VoiceMeter } from '../../src/analysis/speech/voice.ts';
import { instantiateKernel, type KernelExports } from '../../src/signal/kernel.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { noiseSource } from '../support/audio.ts';

const RATE = 11_025;
const SIZE = 512;
const BIN_HZ = RATE / SIZE;

/** Of the middle one of the frames. */
function voiceOf(samples: Float32Array) {
  const spectra: Spectra = new Spectra(SIZE, RATE, 25, (power) => meter.push(power));
  const meter = new VoiceMeter(spectra.fft, RATE);
  spectra.push(samples);
  spectra.finish();
  const { harmonicity, pitchHz } = meter.finish();
  const middle = Math.floor(pitchHz.length / 2);
  return { harmonicity: harmonicity[middle], pitchHz: pitchHz[middle] };
}

/** Partials in hertz, all of one level. */
const tone = (...partials: readonly number[]) =>
  Float32Array.from({ length: RATE / 5 }, (_, n) =>
    partials.reduce((sum, hz, at) => sum + 0.1 * Math.sin((2 * Math.PI * hz * n) / RATE + at), 0),
  );
const harmonics = (hz: number, count = 5) => tone(...Array.from({ length: count }, (_, k) => hz * (k + 1)));

describe('the pitch of a voice', () => {
  for (const hz of [100, 140, 200, 280, 360])
    test(`of ${hz} Hz is found, not its octave`, () => {
      const { pitchHz, harmonicity } = voiceOf(harmonics(hz));
      assert.ok(Math.abs(pitchHz / hz - 1) < 0.03, `${pitchHz} Hz`);
      assert.ok(harmonicity > 0.9 && harmonicity <= 1, `${harmonicity}`);
    });

  test('is found from its overtones if the lowest is missing', () => {
    const { pitchHz } = voiceOf(tone(400, 600, 800, 1000));
    assert.ok(Math.abs(pitchHz - 200) < 6, `${pitchHz} Hz`);
  });

  test('is not found above 1.8 kHz', () => {
    // Overtones of 300 Hz above, of 200 Hz below.
    const { pitchHz } = voiceOf(tone(200, 400, 600, 2100, 2400, 2700, 3000, 3300));
    assert.ok(Math.abs(pitchHz - 200) < 6, `${pitchHz} Hz`);
    assert.ok(voiceOf(tone(2000, 2300, 2600)).harmonicity < voiceOf(tone(1100, 1400, 1700)).harmonicity);
  });

  test('is clear in a tone, not in noise, and none in silence', () => {
    const next = noiseSource(3);
    const noise = Float32Array.from({ length: RATE / 5 }, () => 0.3 * next());
    const { harmonicity } = voiceOf(noise);
    assert.ok(harmonicity > 0 && harmonicity < 0.7, `${harmonicity}`);
    assert.deepEqual(voiceOf(new Float32Array(RATE / 5)), { harmonicity: 0, pitchHz: 0 });
  });
});

describe('the spectrum of a voice frame', () => {
  /** Powers at frequencies, each in the bin that holds it. */
  const framed = (...tones: readonly (readonly [hz: number, power: number])[]) => {
    const spectra = new Spectra(SIZE, RATE, 25, () => {});
    const meter = new VoiceMeter(spectra.fft, RATE);
    const power = new Float64Array(SIZE / 2 + 1);
    for (const [hz, value] of tones) power[Math.ceil(hz / BIN_HZ)] = value;
    meter.push(power);
    const { speechPower, brightnessDb } = meter.finish();
    return { speechPower: speechPower[0], brightnessDb: brightnessDb[0] };
  };

  test('has its power between 300 Hz and 4 kHz', () => {
    const power = framed([280 - BIN_HZ, 1], [300, 2], [1000, 4], [4000 - BIN_HZ, 8], [4000, 16]).speechPower;
    assert.equal(power, 14);
  });

  test('brightness is the level above 4 kHz against the level below', () => {
    for (const [tones, expected] of [
      [
        [
          [1000, 1],
          [4000, 1],
        ],
        0,
      ],
      [
        [
          [1000, 1],
          [5000, 100],
        ],
        20,
      ],
      [
        [
          [100, 6],
          [1000, 4],
          [4000 - BIN_HZ, 0],
          [4500, 1],
        ],
        -10,
      ],
      // A bin of its own on both sides of the edge.
      [
        [
          [4000 - BIN_HZ, 10],
          [4000, 1],
        ],
        -10,
      ],
      // The lowest bin is an offset, no sound.
      [
        [
          [0, 1000],
          [1000, 1],
          [5000, 1],
        ],
        0,
      ],
      // Nothing at all is neither, nothing above is as dark as can be.
      [[], 0],
      [[[1000, 1]], -90],
      [[[5000, 1]], 90],
    ] as const) {
      const { brightnessDb } = framed(...tones);
      assert.ok(Math.abs(brightnessDb - expected) < 1e-3, `${brightnessDb} dB, not ${expected}`);
    }
  });
});

test('peaks of an autocorrelation are lags that are no less than their neighbours', () => {
  const run = instantiateKernel<PeakExports>(
    new URL('../../src/analysis/speech/voice.wasm', import.meta.url),
  );
  const random = seededRandom(6);
  const [place, lags] = [64, 700];
  const values = new Float64Array(run.memory.buffer, place, lags);
  // Coarse values, so that neighbours are sometimes equal.
  values.forEach((_, lag) => {
    values[lag] = Math.floor(5 * random());
  });
  const expected: number[] = [];
  for (let lag = 1; lag < lags - 1; lag++)
    if (values[lag] >= values[lag - 1] && values[lag] >= values[lag + 1]) expected.push(lag);
  const found: number[] = [];
  for (let lag = 0; ; ) {
    lag = run.nextPeak(place, lag + 1, lags - 2);
    if (lag > lags - 2) break;
    found.push(lag);
  }
  assert.deepEqual(found, expected);
});

interface PeakExports extends KernelExports {
  nextPeak(correlation: number, lag: number, longest: number): number;
}
