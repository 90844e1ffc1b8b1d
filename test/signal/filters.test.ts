import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BiquadCoefficients, KWeighting, kWeightingFilters } from '../../src/signal/biquad.ts';
import { Filterbank } from '../../src/signal/filterbank.ts';
import { INTERPOLATION_TAPS, Oversampler, TruePeak } from '../../src/signal/oversample.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { bandFilters, thirdOctaveBands } from '../../src/signal/third-octave.ts';
import { kaiserWindow } from '../../src/signal/window.ts';
import { sine } from '../support/audio.ts';

/** Gain in dB at `frequencyHz`. */
function responseDb(filter: BiquadCoefficients, frequencyHz: number, sampleRate: number): number {
  const w = (2 * Math.PI * frequencyHz) / sampleRate;
  const power = (c0: number, c1: number, c2: number) => {
    const re = c0 + c1 * Math.cos(w) + c2 * Math.cos(2 * w);
    const im = c1 * Math.sin(w) + c2 * Math.sin(2 * w);
    return re * re + im * im;
  };
  return 10 * Math.log10(power(filter.b0, filter.b1, filter.b2) / power(1, filter.a1, filter.a2));
}

describe('second-order sections', () => {
  it('have the coefficients that ITU-R BS.1770-4 prints for 48 kHz', () => {
    const [shelf, highPass] = kWeightingFilters(48000);
    const printed = [
      [shelf.b0, 1.53512485958697],
      [shelf.b1, -2.69169618940638],
      [shelf.b2, 1.19839281085285],
      [shelf.a1, -1.69065929318241],
      [shelf.a2, 0.73248077421585],
      [highPass.a1, -1.99004745483398],
      [highPass.a2, 0.99007225036621],
    ];
    for (const [actual, expected] of printed) assert.ok(Math.abs(actual - expected) < 1e-8, `${actual}`);
  });

  it('weight a tone alike at every sample rate', () => {
    const at = (rate: number, hz: number) =>
      kWeightingFilters(rate).reduce((sum, filter) => sum + responseDb(filter, hz, rate), 0);
    for (const hz of [50, 100, 1000, 3000]) {
      for (const rate of [22050, 44100, 96000, 192000]) {
        assert.ok(Math.abs(at(rate, hz) - at(48000, hz)) < 0.25, `${hz} Hz at ${rate}`);
      }
    }
  });

  it('weight sound by their response, for any block length', () => {
    const expected = kWeightingFilters(44100).reduce(
      (sum, section) => sum + responseDb(section, 2000, 44100),
      0,
    );
    const input = sine(2000, 0, 1);
    for (const blockLength of [64, 1000, 44100]) {
      const weighting = new KWeighting(44100, [2]);
      let power = 0;
      for (let at = 0; at < input.length; at += blockLength) {
        const block = input.subarray(at, at + blockLength);
        weighting.push([block]);
        power += weighting.addSquares(Math.min(block.length, Math.max(0, 22050 - at)), block.length, 0) / 2;
      }
      const gainDb = 10 * Math.log10(power / 22050 / 0.5);
      assert.ok(Math.abs(gainDb - expected) < 0.01, `${gainDb} dB in blocks of ${blockLength}`);
    }
  });

  for (const weights of [[1], [1, 1], [1, 1, 0], [1, 1, 1, 0, 1.41, 1.41]]) {
    it(`filter and add up the squares of ${weights.length} channels by the formula`, () => {
      const random = seededRandom(weights.length);
      const channels = weights.map(() => Float32Array.from({ length: 500 }, () => 2 * random() - 1));
      const weighting = new KWeighting(48000, weights);
      const expected = new Float64Array(500);
      for (const [c, weight] of weights.entries()) {
        let filtered: Float64Array = Float64Array.from(channels[c]);
        for (const section of kWeightingFilters(48000)) filtered = slowlyFiltered(section, filtered);
        for (const [n, value] of filtered.entries()) expected[n] += weight * value ** 2;
      }
      for (const [from, to] of [
        [0, 1],
        [1, 130],
        [130, 130],
        [130, 500],
      ] as const) {
        weighting.push(channels.map((channel) => channel.subarray(from, to)));
        for (let n = from; n < to; n++) {
          const square = weighting.addSquares(n - from, n - from + 1, 0);
          assert.ok(Math.abs(square - expected[n]) < 1e-9, `${square} at ${n}`);
        }
        const sum = expected.subarray(from, to).reduce((total, square) => total + square, 3);
        assert.ok(Math.abs(weighting.addSquares(0, to - from, 3) - sum) < 1e-9);
      }
    });
  }

  it('decay to zero in silence', () => {
    const weighting = new KWeighting(44100, [1, 1]);
    weighting.push([sine(1000, 0, 0.1), sine(500, 0, 0.1)]);
    weighting.push(Array.from({ length: 2 }, () => new Float32Array(441_000)));
    weighting.push(Array.from({ length: 2 }, () => new Float32Array(10)));
    assert.equal(weighting.addSquares(0, 10, 0), 0);
  });
});

/** Direct form I. */
function slowlyFiltered({ b0, b1, b2, a1, a2 }: BiquadCoefficients, x: Float64Array): Float64Array {
  const y = new Float64Array(x.length);
  for (let n = 0; n < x.length; n++) {
    const past = (values: Float64Array, lag: number) => values[n - lag] ?? 0;
    y[n] = b0 * x[n] + b1 * past(x, 1) + b2 * past(x, 2) - a1 * past(y, 1) - a2 * past(y, 2);
  }
  return y;
}

/** The value between two of the middle samples, at `phase` quarters: a windowed sinc whose taps sum to 1. */
function slowlyInterpolated(samples: Float64Array, phase: number): number {
  const window = kaiserWindow(4 * INTERPOLATION_TAPS + 1, 6);
  const taps = Array.from({ length: INTERPOLATION_TAPS }, (_, k) => {
    const x = k + 1 - INTERPOLATION_TAPS / 2 - phase / 4;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * window[4 * (k + 1) - phase];
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.reduce((total, tap, k) => total + (tap / sum) * samples[k], 0);
}

describe('points between samples', () => {
  const random = seededRandom(9);
  const samples = Float64Array.from({ length: 200 }, () => 2 * random() - 1);
  const between = (from: number) =>
    Math.max(...[1, 2, 3].map((phase) => Math.abs(slowlyInterpolated(samples.subarray(from), phase))));
  const last = samples.length - INTERPOLATION_TAPS;

  it('are interpolated by the formula', () => {
    const oversampler = new Oversampler();
    oversampler.reserve(samples.length).set(samples);
    for (let from = 0; from <= last; from++) {
      assert.ok(Math.abs(oversampler.peakBetween(from) - between(from)) < 1e-12, `from ${from}`);
    }
  });

  it('are interpolated if a sample reaches half of the current peak', () => {
    const half = INTERPOLATION_TAPS / 2;
    for (const before of [0, 0.9, 1.5, 3]) {
      const oversampler = new Oversampler();
      oversampler.reserve(samples.length).set(samples);
      let peak = before;
      for (let n = 0; n <= last; n++) {
        const [one, other] = [Math.abs(samples[n + half - 1]), Math.abs(samples[n + half])];
        peak = Math.max(peak, other);
        if (2 * Math.max(one, other) >= peak) peak = Math.max(peak, between(n));
      }
      assert.ok(Math.abs(oversampler.peakAmong(last + 1, before) - peak) < 1e-12);
    }
  });

  it('preserve their beginning when there are more', () => {
    const oversampler = new Oversampler();
    oversampler.reserve(100).set(samples.subarray(0, 100));
    assert.deepEqual(oversampler.reserve(100_000).slice(0, 100), samples.slice(0, 100));
  });
});

describe('true peak', () => {
  // EBU Tech 3341, cases 15 to 19: tones whose crest lies between samples; tolerance +0.2, −0.4 dB.
  const cases = [
    { name: 'a quarter of the rate', divisor: 4, phase: 0, level: -6.0206 },
    { name: 'a quarter of the rate at 45°', divisor: 4, phase: 45, level: -6.0206 },
    { name: 'a sixth of the rate at 60°', divisor: 6, phase: 60, level: -6.0206 },
    { name: 'an eighth of the rate at 67.5°', divisor: 8, phase: 67.5, level: -6.0206 },
    { name: 'above full scale', divisor: 4, phase: 45, level: 3 },
  ];
  for (const { name, divisor, phase, level } of cases) {
    it(`of a tone at ${name}`, () => {
      const rate = 48000;
      const tone = sine(rate / divisor, level, 0.2, rate, phase);
      // Faded in and out: a tone that starts at full level rings above itself.
      tone.forEach((value, n) => {
        tone[n] = value * Math.min(1, n / 480, (tone.length - 1 - n) / 480);
      });
      const meter = new TruePeak();
      for (let at = 0; at < tone.length; at += 1000) meter.push(tone.subarray(at, at + 1000));
      meter.finish();
      const error = 20 * Math.log10(meter.peak) - level;
      assert.ok(error < 0.2 && error > -0.4, `off by ${error} dB`);
    });
  }

  it('of silence is 0', () => {
    const meter = new TruePeak();
    meter.push(new Float32Array(100));
    meter.finish();
    assert.equal(meter.peak, 0);
  });
});

describe('third-octave bands', () => {
  it('adjoin, have their nominal centres and are below half the sample rate', () => {
    const bands = thirdOctaveBands(44100);
    assert.equal(bands[0].centreHz, 25);
    assert.equal(bands.at(-1)!.centreHz, 16000);
    assert.equal(thirdOctaveBands(48000).at(-1)!.centreHz, 20000);
    for (let b = 1; b < bands.length; b++) {
      assert.ok(Math.abs(bands[b].lowHz / bands[b - 1].highHz - 1) < 1e-9);
    }
  });

  it('share out the whole power of flat noise by their widths', () => {
    const bands = thirdOctaveBands(44100);
    const bank = new Filterbank(bandFilters(bands, 44100 / 8192, 4097), 4097);
    const sums = bank.powersOf(new Float64Array(4097).fill(1));
    bands.forEach((band, b) => {
      const width = (band.highHz - band.lowHz) / (44100 / 8192);
      assert.ok(Math.abs(sums[b] / width - 1) < 1e-9, `${band.centreHz} Hz`);
    });
  });
});
