import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { integratedLoudness, LoudnessMeter, loudnessRange } from '../../src/analysis/loudness/loudness.ts';
import { joined, sine } from '../support/audio.ts';

const RATE = 48000;

function tones(...parts: readonly (readonly [levelDbfs: number, seconds: number])[]): Float32Array {
  return joined(...parts.map(([level, seconds]) => sine(1000, level, seconds, RATE)));
}

function measure(channels: readonly Float32Array[], sampleRate = RATE) {
  const meter = new LoudnessMeter({ sampleRate, channels: channels.length });
  const blockLength = 10007;
  for (let at = 0; at < channels[0].length; at += blockLength) {
    meter.push(channels.map((channel) => channel.subarray(at, at + blockLength)));
  }
  return meter.finish();
}

function stereo(channel: Float32Array): Float32Array[] {
  return [channel, channel];
}

describe('integrated loudness (EBU Tech 3341, cases 1 to 6)', () => {
  const surround = [-28, -28, -24, -30, -30].map((level) => sine(1000, level, 20, RATE));
  const cases: [string, readonly Float32Array[], number][] = [
    ['1: a tone at −23 dBFS', stereo(tones([-23, 20])), -23],
    ['2: a tone at −33 dBFS', stereo(tones([-33, 20])), -33],
    ['3: the relative gate', stereo(tones([-36, 10], [-23, 60], [-36, 10])), -23],
    ['4: both gates', stereo(tones([-72, 10], [-36, 10], [-23, 60], [-36, 10], [-72, 10])), -23],
    ['5: an unrounded pair of levels', stereo(tones([-26, 20], [-20, 20.1], [-26, 20])), -23],
    ['6: channel weights of 5.0', surround, -23],
  ];
  for (const [name, channels, expected] of cases) {
    it(name, () => {
      const { integratedLufs } = measure(channels);
      assert.ok(Math.abs(integratedLufs! - expected) <= 0.1, `${integratedLufs}`);
    });
  }

  it('leaves out the low-frequency channel of 5.1', () => {
    const quiet = new Float32Array(RATE * 3);
    const loud = sine(1000, -10, 3, RATE);
    assert.equal(measure([quiet, quiet, quiet, loud, quiet, quiet]).integratedLufs, null);
    assert.ok(Math.abs(measure([quiet, quiet, loud, quiet, quiet, quiet]).integratedLufs! + 13) < 0.1);
  });

  it('is the same at every sample rate', () => {
    for (const rate of [8000, 11025, 22050, 44100, 96000]) {
      const tone = sine(1000, -23, 5, rate);
      const { integratedLufs } = measure([tone, tone], rate);
      assert.ok(Math.abs(integratedLufs! + 23) <= 0.1, `${integratedLufs} at ${rate} Hz`);
    }
  });
});

describe('loudness range (EBU Tech 3342, cases 1 to 4)', () => {
  const cases: [readonly (readonly [number, number])[], number][] = [
    [
      [
        [-20, 20],
        [-30, 20],
      ],
      10,
    ],
    [
      [
        [-20, 20],
        [-15, 20],
      ],
      5,
    ],
    [
      [
        [-40, 20],
        [-20, 20],
      ],
      20,
    ],
    [
      [
        [-50, 20],
        [-35, 20],
        [-20, 20],
        [-35, 20],
        [-50, 20],
      ],
      15,
    ],
  ];
  for (const [parts, expected] of cases) {
    it(`of tones at ${parts.map(([level]) => level).join(', ')} dBFS is ${expected} LU`, () => {
      const { rangeLu } = measure(stereo(tones(...parts)));
      assert.ok(Math.abs(rangeLu! - expected) <= 1, `${rangeLu}`);
    });
  }
});

describe('loudness of short or silent sound', () => {
  it('has no values for digital silence', () => {
    const result = measure(stereo(new Float32Array(RATE * 4)));
    assert.deepEqual(result, {
      integratedLufs: null,
      rangeLu: null,
      truePeakDbtp: null,
      shortTermLufs: [null, null, null, null],
    });
  });

  it('measures less than one gating block as one', () => {
    const { integratedLufs, rangeLu } = measure(stereo(tones([-23, 0.25])));
    assert.ok(Math.abs(integratedLufs! + 23) < 0.5, `${integratedLufs}`);
    assert.equal(rangeLu, null);
  });

  it('follows the level once a second', () => {
    const { shortTermLufs } = measure(stereo(tones([-40, 6], [-20, 6])));
    assert.equal(shortTermLufs.length, 12);
    assert.ok(Math.abs(shortTermLufs[2]! + 40) < 0.2);
    assert.ok(Math.abs(shortTermLufs[9]! + 20) < 0.2);
  });
});

describe('gates and quantiles, of mean squares of 100 ms', () => {
  /** Levels in LUFS, each for so many steps. */
  const steps = (...parts: readonly (readonly [lufs: number, count: number])[]) =>
    parts.flatMap(([lufs, count]) => new Array<number>(count).fill(10 ** ((lufs + 0.691) / 10)));
  const meanOf = (...parts: readonly (readonly [lufs: number, count: number])[]) => {
    const all = parts.reduce((sum, [, count]) => sum + count, 0);
    return 10 * Math.log10(parts.reduce((sum, [lufs, count]) => sum + count * 10 ** (lufs / 10), 0) / all);
  };
  const isNear = (observed: number | null, wanted: number) =>
    assert.ok(observed !== null && Math.abs(observed - wanted) < 0.01, `${observed}, not ${wanted}`);

  for (const [what, observed, wanted] of [
    ['a level', integratedLoudness(steps([-23, 40])), -23],
    ['less than a block is measured as one', integratedLoudness(steps([-23, 3])), -23],
    ['one step too', integratedLoudness(steps([-23, 1])), -23],
    // Blocks of four, which start with each step: of five steps two.
    ['blocks overlap', integratedLoudness(steps([-20, 4], [-30, 1])), meanOf([-20, 7], [-30, 1])],
  ] as [string, number | null, number][])
    it(`integrated loudness: ${what}`, () => isNear(observed, wanted));

  it('integrated loudness: a block is left out from 10 LU below the mean of all on, and below −70 LUFS', () => {
    // Half of the time 20 dB below: the mean lies 3 dB below the louder half.
    const loud = integratedLoudness(steps([-20, 1000], [-40, 1000]))!;
    assert.ok(Math.abs(loud + 20) < 0.02, `${loud}`);
    const quieter = (lufs: number) => integratedLoudness(steps([-20, 1000], [lufs, 1000]))!;
    // The mean of −20 and −32.6 lies at −22.77: just above the gate of −32.77.
    assert.ok(quieter(-32.6) < -22.5, `${quieter(-32.6)}`);
    assert.ok(quieter(-32.9) > -20.05, `${quieter(-32.9)}`);
    assert.equal(integratedLoudness(steps([-70.1, 100])), null);
    isNear(integratedLoudness(steps([-69.9, 100])), -69.9);
    isNear(integratedLoudness(steps([-69, 1000], [-71, 100_000])), -69);
    assert.equal(integratedLoudness([]), null);
  });

  it('loudness range: from the 10th to the 95th percentile, of three seconds at least', () => {
    assert.equal(loudnessRange(steps([-20, 29])), null);
    isNear(loudnessRange(steps([-20, 30])), 0);
    // From −40 to −20.2 LUFS: a tenth is cut off below, a twentieth above.
    const ramp = Array.from({ length: 100 }, (_, k) => [-40 + 0.2 * k, 300] as const);
    const range = loudnessRange(steps(...ramp))!;
    assert.ok(Math.abs(range - 0.85 * 19.8) < 0.05, `${range}`);
  });

  it('loudness range: leaves out sound more than 20 LU below the mean, and below −70 LUFS', () => {
    const range = (lufs: number) => loudnessRange(steps([-20, 1000], [lufs, 1000]))!;
    // Half of the time: the mean lies at −22.99, the gate at −42.99.
    assert.ok(Math.abs(range(-42.8) - 22.8) < 0.1, `${range(-42.8)}`);
    assert.ok(range(-43.2) < 20, `${range(-43.2)}`);
    assert.equal(loudnessRange(steps([-70.1, 100])), null);
    isNear(loudnessRange(steps([-69.9, 100])), 0);
  });
});

describe('weights of channels, in FFmpeg’s order', () => {
  const [side, silent] = [10 * Math.log10(1.41), Number.NEGATIVE_INFINITY];
  for (const [count, gains] of [
    [1, [0]],
    [2, [0, 0]],
    [3, [0, 0, silent]],
    [4, [0, 0, 0, 0]],
    [5, [0, 0, 0, side, side]],
    [6, [0, 0, 0, silent, side, side]],
    [7, [0, 0, 0, silent, 0, side, side]],
    [8, [0, 0, 0, silent, 0, 0, side, side]],
    [9, [0, 0, 0, 0, 0, 0, 0, 0, 0]],
  ] as const)
    it(`of ${count}`, () => {
      const rate = 8000;
      const tone = sine(1000, -20, 0.5, rate);
      for (const [channel, gain] of gains.entries()) {
        const channels = Array.from({ length: count }, (_, k) => (k === channel ? tone : tone.map(() => 0)));
        const { integratedLufs } = measure(channels, rate);
        // A sine in one channel reads 3 dB less than its peak level.
        if (gain === silent) assert.equal(integratedLufs, null);
        else assert.ok(Math.abs(integratedLufs! - (-23 + gain)) < 0.1, `${channel}: ${integratedLufs}`);
      }
    });
});

describe('short-term loudness', () => {
  it('is that of the three seconds about the middle of each, of what there is at the ends', () => {
    const rate = 8000;
    const levels = [-20, -26, -32, -20, -40, -40, -40, -40];
    const audio = joined(...levels.map((level) => sine(1000, level, 1, rate)));
    const power = (level: number) => 10 ** (level / 10);
    const { shortTermLufs } = measure(stereo(audio), rate);
    for (const [second, observed] of shortTermLufs.entries()) {
      const heard = levels.slice(Math.max(0, second - 1), second + 2).map(power);
      const wanted = 10 * Math.log10(heard.reduce((sum, one) => sum + one, 0) / heard.length);
      assert.ok(Math.abs(observed! - wanted) < 0.1, `second ${second}: ${observed}, not ${wanted}`);
    }
  });

  it('is measured for a clip that ends within a tenth of a second, from its whole steps if it has four', () => {
    const rate = 8000;
    const of = (seconds: number) => measure(stereo(sine(1000, -20, seconds, rate)), rate).shortTermLufs;
    assert.deepEqual(
      [of(0.05), of(0.45), of(1), of(1.05), of(1.1)].map((one) => one.length),
      [1, 1, 1, 1, 2],
    );
    assert.ok(Math.abs(of(0.35)[0]! + 20) < 0.5);
  });
});
