/** Silence in sound whose level is drawn, ten samples to each step of 10 ms. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LevelMeter } from '../../src/analysis/loudness/silence.ts';
import { ChannelSamples } from '../../src/signal/channel-samples.ts';

const RATE = 1000;

/** Levels in dBFS, each for so many seconds; every other sample is negative. */
const sound = (...parts: readonly (readonly [dbfs: number, seconds: number])[]): Float32Array =>
  Float32Array.from(
    parts.flatMap(([dbfs, seconds]) => new Array<number>(Math.round(seconds * RATE)).fill(10 ** (dbfs / 20))),
    (level, n) => (n % 2 === 0 ? level : -level),
  );

function silenceOf(channels: readonly Float32Array[], { size = 77, seconds = 2, rate = RATE } = {}) {
  const meter = new LevelMeter(rate);
  const block = new ChannelSamples();
  for (let at = 0; at < channels[0].length; at += size) {
    block.set(channels.map((channel) => channel.subarray(at, at + size)));
    meter.push(block);
  }
  const { share, spans } = meter.finish(seconds);
  return { share, spans: spans.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]) };
}

describe('silence', () => {
  for (const [what, audio, spans] of [
    ['is what lies below −60 dBFS', sound([-20, 1], [-61, 0.5], [-20, 0.5]), [[1, 1.5]]],
    ['and nothing above', sound([-20, 1], [-59, 0.5], [-20, 0.5]), []],
    ['lasts .3 s at least', sound([-20, 1], [-90, 0.3], [-20, 0.7]), [[1, 1.3]]],
    ['is a pause where it is shorter', sound([-20, 1], [-90, 0.29], [-20, 0.71]), []],
    ['may be at the beginning', sound([-90, 0.4], [-20, 1.6]), [[0, 0.4]]],
    ['goes to the end', sound([-20, 1.6], [-90, 0.4]), [[1.6, 2]]],
    [
      'comes again after a sound',
      sound([-20, 0.5], [-90, 0.5], [-20, 0.01], [-90, 0.49], [-20, 0.5]),
      [
        [0.5, 1],
        [1.01, 1.5],
      ],
    ],
    ['is not parted by a step that is as quiet', sound([-90, 1], [-61, 0.01], [-90, 0.99]), [[0, 2]]],
  ] as [string, Float32Array, number[][]][])
    test(what, () => {
      for (const size of [1, 77, 5000]) assert.deepEqual(silenceOf([audio], { size }).spans, spans);
    });

  test('needs all channels to be silent', () => {
    const [still, quiet] = [sound([-120, 2]), sound([-58, 2])];
    // The mean of the two lies 3 dB below the louder one.
    assert.deepEqual(silenceOf([still, quiet]).spans, [[0, 2]]);
    assert.deepEqual(silenceOf([still, sound([-56.5, 2])]).spans, []);
    assert.deepEqual(silenceOf([sound([-56.5, 2]), still]).spans, []);
    assert.deepEqual(silenceOf([still, still, still, sound([-55, 2])]).spans, [[0, 2]]);
  });

  test('has the right time at a rate that is no multiple of its steps', () => {
    // 11,025 samples a second: steps of 110 and 111 samples.
    const audio = Float32Array.from({ length: 22_050 }, (_, n) => (n < 11_025 ? 0.5 : 0));
    assert.deepEqual(silenceOf([audio], { rate: 11_025 }).spans, [[1, 2]]);
  });

  test('has a share of the running time', () => {
    const audio = sound([-20, 1], [-90, 0.5], [-20, 0.5]);
    for (const [seconds, share] of [
      [2, 0.25],
      [4, 0.125],
      [0.3, 1],
      [0, 1],
    ] as const)
      assert.equal(silenceOf([audio], { seconds }).share, share);
    assert.equal(silenceOf([sound([-20, 2])]).share, 0);
  });
});
