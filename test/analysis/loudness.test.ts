import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LoudnessMeter } from '../../src/analysis/loudness/loudness.ts';
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

describe('loudness of what is short or silent', () => {
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
