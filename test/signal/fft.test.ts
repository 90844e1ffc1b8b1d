import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ComplexFft, RealFft } from '../../src/signal/fft.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

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

function randomValues(count: number, seed: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: count }, () => 2 * random() - 1);
}

/** By the definition; bins 0..size/2. */
function slowPower(samples: Float64Array): number[] {
  const { re, im } = slowTransform(samples, new Float64Array(samples.length));
  return re.slice(0, samples.length / 2 + 1).map((value, k) => value ** 2 + im[k] ** 2);
}

describe('Fourier transform', () => {
  for (const size of [2, 4, 8, 16, 32, 64, 128, 512, 1024]) {
    it(`of ${size} complex values equals the sum of its definition`, () => {
      const [re, im] = [randomValues(size, 1), randomValues(size, 2)];
      const expected = slowTransform(re, im);
      const fft = new ComplexFft(size);
      fft.re.set(re);
      fft.im.set(im);
      fft.transform();
      assertClose(fft.re, expected.re);
      assertClose(fft.im, expected.im);
    });
  }

  // Sound has 2048; sizes with and without a last stage of two points.
  for (const size of [4, 8, 16, 32, 64, 256, 512, 2048]) {
    const samples = randomValues(size, size);
    const window = Float64Array.from({ length: size }, (_, n) => Math.sin((Math.PI * (n + 0.5)) / size));
    const weighed = window.map((weight, n) => weight * samples[n]);

    it(`returns the power of ${size} samples, with a window and without`, () => {
      assertClose(new RealFft(size).powerOf(samples), slowPower(samples), 1e-9 * size);
      assertClose(new RealFft(size, window).powerOf(samples), slowPower(weighed), 1e-9 * size);
    });

    it(`returns the circular autocorrelation of ${size} samples from their power`, () => {
      const fft = new RealFft(size);
      const power = fft.powerOf(samples);
      const before = power.slice();
      const correlation = fft.autocorrelationOf(power);
      const expected = Array.from({ length: size / 2 + 1 }, (_, lag) =>
        samples.reduce((sum, value, n) => sum + value * samples[(n + lag) % size], 0),
      );
      assertClose(
        correlation.map((value) => value / size),
        expected,
      );
      assert.deepEqual(power, before, 'the power is still there');
    });
  }

  it('supports the longest window of sound', () => {
    const samples = randomValues(8192, 5);
    const power = new RealFft(8192).powerOf(samples);
    const bins = [0, 1, 2, 1023, 2047, 2048, 2049, 4094, 4095, 4096];
    for (const k of bins) {
      const turn = (n: number) => (-2 * Math.PI * ((k * n) % 8192)) / 8192;
      const re = samples.reduce((sum, value, n) => sum + value * Math.cos(turn(n)), 0);
      const im = samples.reduce((sum, value, n) => sum + value * Math.sin(turn(n)), 0);
      assert.ok(Math.abs(power[k] / (re ** 2 + im ** 2) - 1) < 1e-9, `bin ${k}`);
    }
  });

  it('refuses sizes that are no power of two', () => {
    for (const size of [0, 1, 3, 6, 100, 2.5]) {
      assert.throws(() => new ComplexFft(size), RangeError);
      assert.throws(() => new RealFft(size), RangeError);
    }
    assert.throws(() => new RealFft(2), RangeError);
  });

  it('returns the linear autocorrelation of a zero-padded signal', () => {
    const fft = new RealFft(8);
    const correlation = fft.autocorrelationOf(fft.powerOf([1, 2, 3, -1, 0, 0, 0, 0]));
    assertClose(
      correlation.map((value) => value / 8),
      [15, 1 * 2 + 2 * 3 - 3, 3 - 2, -1, 0],
    );
  });
});
