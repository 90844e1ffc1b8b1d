/** Measurements of the samples of a block's channels, compared with the formulas. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ChannelSamples } from '../../src/signal/channel-samples.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const random = seededRandom(4);
const noise = (length: number) => Float32Array.from({ length }, () => 2 * random() - 1);
const block = new ChannelSamples();

describe('samples of channels', () => {
  for (const [channels, length] of [
    [1, 1],
    [2, 1027],
    [6, 50],
    [2, 3],
    [1, 100_000],
  ] as const) {
    const input = Array.from({ length: channels }, () => noise(length));

    test(`of ${channels} with ${length} samples each are copied, mixed and squared`, () => {
      block.set(input);
      assert.ok(block.channels.every((samples, c) => samples.every((sample, n) => sample === input[c][n])));
      const scale = channels === 1 ? 1 : 0.5;
      const mixed = new Float32Array(length);
      for (const samples of input) {
        for (let n = 0; n < length; n++) mixed[n] = mixed[n] + Math.fround(scale * samples[n]);
      }
      const mono = block.mixDown();
      assert.equal(mono.length, length);
      assert.ok(mono.every((sample, n) => sample === mixed[n]));
      for (const [c, samples] of input.entries()) {
        const [from, to] = [length >> 2, length - (length >> 3)];
        const sum = samples.subarray(from, to).reduce((total, sample) => total + sample * sample, 0.5);
        assert.equal(block.addSquares(c, from, to, 0.5), sum);
        assert.equal(block.addSquares(c, from, from, 0.5), 0.5);
      }
    });
  }

  test('that are not finite become 0', () => {
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const samples = Float32Array.from({ length: 50 }, (_, n) => odd[n % 7] ?? n);
    block.set([samples, noise(50)]);
    assert.deepEqual(
      [...block.channels[0]],
      [...samples].map((value) => (Number.isFinite(value) ? value : 0)),
    );
  });

  test('of no channel, and none of a channel, are silence', () => {
    block.set([]);
    assert.equal(block.mixDown().length, 0);
    block.set([new Float32Array()]);
    assert.equal(block.mixDown().length, 0);
  });
});
