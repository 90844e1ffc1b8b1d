import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BiquadCoefficients, KWeighting, kWeightingFilters } from '../../src/signal/biquad.ts';
import { TruePeak } from '../../src/signal/oversample.ts';
import { addBandPowers, thirdOctaveBands } from '../../src/signal/third-octave.ts';
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
  it('give the coefficients that ITU-R BS.1770-4 prints for 48 kHz', () => {
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

  it('weight sound as their response says, whatever the block length', () => {
    const expected = kWeightingFilters(44100).reduce(
      (sum, section) => sum + responseDb(section, 2000, 44100),
      0,
    );
    const input = sine(2000, 0, 1);
    for (const blockLength of [64, 1000, 44100]) {
      const weighting = new KWeighting(44100);
      let power = 0;
      for (let at = 0; at < input.length; at += blockLength) {
        const block = input.subarray(at, at + blockLength);
        const squares = new Float64Array(block.length);
        weighting.addSquares(block, 2, squares, block.length);
        for (let n = 0; n < squares.length; n++) if (at + n >= 22050) power += squares[n] / 2;
      }
      const gainDb = 10 * Math.log10(power / 22050 / 0.5);
      assert.ok(Math.abs(gainDb - expected) < 0.01, `${gainDb} dB in blocks of ${blockLength}`);
    }
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
  it('adjoin, keep their nominal centres and stay below half the sample rate', () => {
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
    const sums = new Float64Array(bands.length);
    addBandPowers(new Float64Array(4097).fill(1), 44100 / 8192, bands, sums);
    bands.forEach((band, b) => {
      const width = (band.highHz - band.lowHz) / (44100 / 8192);
      assert.ok(Math.abs(sums[b] / width - 1) < 1e-9, `${band.centreHz} Hz`);
    });
  });
});
