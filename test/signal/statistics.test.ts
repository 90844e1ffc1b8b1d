import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrameSlicer } from '../../src/signal/slicer.ts';
import { fitLine, median, quantile, slidingMaximum, slidingMean } from '../../src/signal/statistics.ts';
import { noiseSource } from '../support/audio.ts';

describe('statistics', () => {
  it('compute quantiles between ranks', () => {
    assert.equal(quantile([4, 1, 3, 2], 0), 1);
    assert.equal(quantile([4, 1, 3, 2], 1), 4);
    assert.equal(median([4, 1, 3, 2]), 2.5);
    assert.equal(quantile([0, 10], 0.3), 3);
    assert.ok(Number.isNaN(median([])));
  });

  it('fit a line, and ignore points without weight', () => {
    const { slope, intercept, residual } = fitLine([0, 1, 2, 3], [1, 3, 5, 99], [1, 1, 1, 0]);
    assert.ok(Math.abs(slope - 2) < 1e-12 && Math.abs(intercept - 1) < 1e-12 && residual < 1e-6);
  });

  it('slide a maximum and a mean as a plain loop would', () => {
    const values = Float32Array.from({ length: 200 }, noiseSource(3));
    for (const radius of [0, 1, 7, 300]) {
      const around = (i: number) => Array.from(values.slice(Math.max(0, i - radius), i + radius + 1));
      const maxima = slidingMaximum(values, radius);
      const means = slidingMean(values, radius);
      for (let i = 0; i < values.length; i++) {
        assert.equal(maxima[i], Math.max(...around(i)));
        const expected = around(i).reduce((sum, value) => sum + value, 0) / around(i).length;
        assert.ok(Math.abs(means[i] - expected) < 1e-6);
      }
    }
  });
});

describe('frame slicer', () => {
  it('centres frame i on i/rate seconds, for any block lengths', () => {
    const samples = Float32Array.from({ length: 1000 }, (_, n) => n + 1);
    for (const blockLength of [1, 7, 64, 1000]) {
      const frames: number[][] = [];
      const format = { size: 8, sampleRate: 441, framesPerSecond: 10 };
      const slicer = new FrameSlicer(format, (buffer, offset) => {
        frames.push(Array.from(buffer.subarray(offset, offset + 8)));
      });
      for (let at = 0; at < 1000; at += blockLength) slicer.push(samples.subarray(at, at + blockLength));
      slicer.finish();
      assert.equal(frames.length, 23);
      frames.forEach((frame, i) => {
        const centre = Math.round(i * 44.1);
        const expected = Array.from({ length: 8 }, (_, k) => samples[centre - 4 + k] ?? 0);
        assert.deepEqual(frame, expected, `frame ${i} in blocks of ${blockLength}`);
      });
    }
  });
});
