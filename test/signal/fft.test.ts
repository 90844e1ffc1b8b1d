import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { autocorrelationOf, ComplexFft, RealFft } from '../../src/signal/fft.ts';
import { noiseSource } from '../support/audio.ts';

function slowTransform(re: Float64Array, im: Float64Array): { re: number[]; im: number[] } {
  const size = re.length;
  const out = { re: [] as number[], im: [] as number[] };
  for (let k = 0; k < size; k++) {
    let sumRe = 0;
    let sumIm = 0;
    for (let n = 0; n < size; n++) {
      const angle = (-2 * Math.PI * k * n) / size;
      sumRe += re[n] * Math.cos(angle) - im[n] * Math.sin(angle);
      sumIm += re[n] * Math.sin(angle) + im[n] * Math.cos(angle);
    }
    out.re.push(sumRe);
    out.im.push(sumIm);
  }
  return out;
}

function assertClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-9): void {
  assert.equal(actual.length, expected.length);
  for (let i = 0; i < actual.length; i++) {
    assert.ok(Math.abs(actual[i] - expected[i]) <= tolerance, `at ${i}: ${actual[i]} is not ${expected[i]}`);
  }
}

describe('Fourier transform', () => {
  for (const size of [2, 4, 8, 16, 32, 64, 128]) {
    it(`of ${size} complex values equals the sum of its definition`, () => {
      const next = noiseSource(size);
      const re = Float64Array.from({ length: size }, next);
      const im = Float64Array.from({ length: size }, next);
      const expected = slowTransform(re, im);
      new ComplexFft(size).transform(re, im);
      assertClose(re, expected.re);
      assertClose(im, expected.im);
    });
  }

  for (const size of [4, 8, 16, 64, 256]) {
    it(`of ${size} real values equals the sum of its definition`, () => {
      const samples = Float64Array.from({ length: size }, noiseSource(size));
      const expected = slowTransform(samples, new Float64Array(size));
      const fft = new RealFft(size);
      const re = new Float64Array(fft.bins);
      const im = new Float64Array(fft.bins);
      fft.transform(samples, re, im);
      assertClose(re, expected.re.slice(0, fft.bins));
      assertClose(im, expected.im.slice(0, fft.bins));
    });
  }

  it('gives the power of windowed samples as transforming and squaring does', () => {
    for (const size of [8, 64, 512]) {
      const next = noiseSource(3);
      const samples = Float64Array.from({ length: size + 5 }, next);
      const window = Float64Array.from({ length: size }, (_, n) => Math.sin((Math.PI * n) / size));
      const fft = new RealFft(size);
      const re = new Float64Array(fft.bins);
      const im = new Float64Array(fft.bins);
      fft.transform(
        window.map((weight, n) => weight * samples[n + 5]),
        re,
        im,
      );
      const power = new Float64Array(fft.bins);
      fft.windowedPower(samples, 5, window, power);
      assertClose(
        power,
        re.map((value, k) => value * value + im[k] * im[k]),
      );
    }
  });

  it('refuses sizes that are no power of two', () => {
    for (const size of [0, 1, 3, 6, 100, 2.5]) assert.throws(() => new ComplexFft(size), RangeError);
  });

  it('gives the linear autocorrelation of a zero-padded signal', () => {
    const signal = [1, 2, 3, -1];
    const fft = new RealFft(8);
    const re = new Float64Array(fft.bins);
    const im = new Float64Array(fft.bins);
    fft.transform([...signal, 0, 0, 0, 0], re, im);
    const power = re.map((value, k) => value * value + im[k] * im[k]);
    const correlation = Array.from(autocorrelationOf(power, fft), (value) => value / 8);
    assertClose(correlation, [15, 1 * 2 + 2 * 3 - 3, 3 - 2, -1, 0]);
  });
});
