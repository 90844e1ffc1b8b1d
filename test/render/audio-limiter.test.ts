import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AudioLimiter } from '../../src/render/sound/audio-limiter.ts';
import { INTERPOLATION_TAPS, Oversampler, TruePeak } from '../../src/signal/oversample.ts';
import { noiseSource } from '../support/moving-picture.ts';

const RATE = 48_000;
const CEILING = 0.5;

function limited(left: Float32Array, right: Float32Array, size: number): [Float32Array, Float32Array] {
  const limiter = new AudioLimiter(CEILING, RATE);
  const rest = new Float32Array(limiter.delaySamples);
  const out: [number[], number[]] = [[], []];
  for (let at = 0; at < left.length; at += size) {
    const [one, other] = limiter.push([left.subarray(at, at + size), right.subarray(at, at + size)]);
    out[0].push(...one);
    out[1].push(...other);
  }
  const [one, other] = limiter.push([rest, rest]);
  const whole = (early: number[], late: Float32Array) =>
    Float32Array.from([...early, ...late]).slice(rest.length);
  return [whole(out[0], one), whole(out[1], other)];
}

function truePeak(samples: Float32Array): number {
  const meter = new TruePeak();
  meter.push(samples);
  meter.finish();
  return meter.peak;
}

const noise = noiseSource(11);
const SOUNDS: readonly [string, Float32Array][] = [
  ['noise', Float32Array.from({ length: 9600 }, () => noise() - 0.5).map((value) => 2 * value)],
  // Its samples lie at 0.71 of its peaks.
  [
    'a quarter of the rate',
    Float32Array.from({ length: 9600 }, (_, n) => 0.65 * Math.sin((Math.PI / 2) * n + Math.PI / 4)),
  ],
  ['a click', Float32Array.from({ length: 9600 }, (_, n) => (n === 5000 ? 1 : 0))],
  ['bass', Float32Array.from({ length: 9600 }, (_, n) => Math.sin((2 * Math.PI * 60 * n) / RATE))],
];

describe('AudioLimiter', () => {
  for (const [name, audio] of SOUNDS) {
    test(`no true peak above the ceiling: ${name}`, () => {
      const [left] = limited(audio, audio, 1000);
      assert.equal(left.length, audio.length);
      assert.ok(truePeak(left) <= CEILING * 1.012, `${truePeak(left)}`);
      assert.ok(truePeak(left) > CEILING * 0.7, 'and not far below');
    });
  }

  test('sound below the ceiling is unchanged, also in time', () => {
    const audio = Float32Array.from({ length: 3000 }, (_, n) => 0.4 * Math.sin(n / 9));
    assert.deepEqual(limited(audio, audio, 700)[0], audio);
  });

  test('both sides are lowered alike, in blocks of any size', () => {
    const loud = SOUNDS[3][1];
    const soft = loud.map((value) => value / 10);
    const [left, right] = limited(loud, soft, 999);
    for (let n = 100; n < left.length; n += 7) assert.ok(Math.abs(left[n] - 10 * right[n]) < 1e-5);
    assert.deepEqual(limited(loud, soft, 64)[0], left);
  });

  test('the gain returns after a peak, without a corner while falling', () => {
    const audio = Float32Array.from({ length: 24_000 }, (_, n) => (n === 4800 ? 1 : 0.3));
    const [left] = limited(audio, audio, 4096);
    const gains = left.map((value) => value / 0.3);
    assert.ok(gains[23_000] > 0.99);
    for (let n = 4600; n < 4799; n++) assert.ok(Math.abs(gains[n + 1] - gains[n]) < 0.012);
  });

  /** A lone sample of 1 in a steady tone of 0.3; the gain at each sample. */
  const gainsAbout = (at: number) => {
    const audio = Float32Array.from({ length: 24_000 }, (_, n) => (n === at ? 1 : 0.3));
    return limited(audio, audio, 4096)[0].map((value, n) => value / audio[n]);
  };
  const ATTACK = 0.003 * RATE;

  test('the gain is down in full at a peak, from where it starts 3 ms before, and no steeper than it must', () => {
    const gains = gainsAbout(4800);
    assert.ok(gains[4800] <= CEILING * (1 + 1e-6), `${gains[4800]}`);
    const falling = gains.findIndex((gain) => gain < 1 - 1e-5);
    assert.ok(Math.abs(4800 - ATTACK - falling) <= 3, `falls from ${falling}`);
    // Two means over half of the time each: the steepest place falls by all of it in half of the time.
    const steepest = Math.max(...gains.subarray(4600, 4800).map((gain, n) => gain - gains[4601 + n]));
    assert.ok(Math.abs(steepest - CEILING / (ATTACK / 2)) < 0.0004, `${steepest}`);
  });

  test('peaks of both sides count, and the gain recovers by 60 dB a second', () => {
    const gains = gainsAbout(4800);
    const decibels = (n: number) => 20 * Math.log10(gains[n]);
    for (const from of [5200, 7000]) {
      const perSecond = (decibels(from + 1000) - decibels(from)) * (RATE / 1000);
      assert.ok(Math.abs(perSecond - 60) < 1, `${perSecond} dB/s`);
    }
    const quiet = new Float32Array(9600).fill(0.1);
    const loud = SOUNDS[2][1];
    const [ofLeft] = limited(loud, quiet, 1000);
    const [, ofRight] = limited(quiet, loud, 1000);
    assert.ok(
      ofLeft.every((value, n) => value === ofRight[n]),
      'the sides are treated alike',
    );
    assert.ok(ofLeft[5000] <= CEILING * (1 + 1e-6));
  });

  test('what peaks between the samples of one side alone lowers both', () => {
    const quiet = new Float32Array(9600).fill(0.1);
    const between = SOUNDS[1][1];
    const [ofLeft] = limited(between, quiet, 1000);
    const [, ofRight] = limited(quiet, between, 1000);
    assert.ok(
      ofLeft.every((value, n) => value === ofRight[n]),
      'the sides are treated alike',
    );
    assert.ok(truePeak(ofRight.subarray(200)) <= CEILING * 1.012);
  });

  test('it delays by 3 ms and half of the interpolator', () => {
    const limiter = new AudioLimiter(CEILING, RATE);
    const click = Float32Array.from({ length: 1000 }, (_, n) => (n === 10 ? 0.4 : 0));
    const [left] = limiter.push([click, click]);
    assert.equal(left.indexOf(Math.max(...left)), 10 + limiter.delaySamples);
    assert.equal(limiter.delaySamples, ATTACK + INTERPOLATION_TAPS / 2);
  });

  const random = noiseSource(5);
  for (const [what, levelAt] of [
    // Each peak meets lower and higher ones within its 3 ms.
    ['bursts of every height', (n: number) => (n % 1500 < 600 ? random() / 20 : random() ** 3)],
    // Then every sample of the next 3 ms may be the least.
    ['levels that fall for longer than 3 ms, and rise', (n: number) => 0.2 + Math.abs((n % 503) - 199) / 400],
  ] as const)
    test(`the gain is the least of the next 3 ms, released slowly and averaged twice, sample for sample: ${what}`, () => {
      const side = () => Float32Array.from({ length: 12_000 }, (_, n) => levelAt(n));
      const audio = [side(), side()] as const;
      const wanted = expectedGains(audio);
      const [left, right] = limited(...audio, 512);
      for (let n = 0; n < left.length; n++) {
        assert.ok(Math.abs(left[n] - audio[0][n] * wanted[n]) < 1e-6, `left at ${n}`);
        assert.ok(Math.abs(right[n] - audio[1][n] * wanted[n]) < 1e-6, `right at ${n}`);
      }
    });

  for (const near of [0, 1]) {
    test(`a peak between a small sample and a large one, ${near === 0 ? 'after' : 'before'} it, is seen`, () => {
      // Every sample has the sign that adds most at a quarter between the large one and the small one.
      const crest = 500 + (near === 0 ? 0.25 : 0.75);
      const audio = Float32Array.from({ length: 1000 }, (_, n) => {
        if (Math.abs(n - 500) > 8) return 0;
        const small = n === 501 - near;
        return (small ? 0.48 : 0.98) * CEILING * Math.sign(Math.sin(Math.PI * (n - crest)) / (n - crest));
      });
      assert.ok(truePeak(audio) > 1.3 * CEILING);
      assert.ok(truePeak(limited(audio, audio, 1000)[0]) <= CEILING * 1.012);
    });
  }
});

/** By the definition: peaks of both sides at four times the rate, the least gain over a window, release, two means. */
function expectedGains(sides: readonly [Float32Array, Float32Array]): Float64Array {
  const [ahead, half] = [0.003 * RATE, (0.003 * RATE) / 2];
  const [edge, count] = [INTERPOLATION_TAPS, sides[0].length];
  const padded = sides.map((side) => {
    const oversampler = new Oversampler();
    const samples = oversampler.reserve(count + ahead + 2 * edge);
    samples.set(side, edge);
    return { oversampler, samples };
  });
  const between = (n: number) =>
    Math.max(
      ...padded.map(({ oversampler }) => oversampler.peakBetween(n + edge - INTERPOLATION_TAPS / 2 + 1)),
    );
  const at = (n: number) => Math.max(...padded.map(({ samples }) => Math.abs(samples[n + edge])));
  const gains = Array.from({ length: count + ahead }, (_, n) =>
    Math.min(1, CEILING / Math.max(between(n - 1), at(n), between(n))),
  );
  let released = 1;
  const held = gains.map((_, n) => {
    const least = Math.min(...gains.slice(Math.max(0, n - ahead), n + 1));
    released = Math.min(1, least, released * 10 ** (60 / RATE / 20));
    return released;
  });
  const mean = (values: readonly number[]) =>
    values.map((_, n) => {
      let sum = 0;
      for (let k = n - half + 1; k <= n; k++) sum += values[k] ?? 1;
      return sum / half;
    });
  return Float64Array.from(mean(mean(held)).slice(ahead));
}
