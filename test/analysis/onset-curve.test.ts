/** The rise of the spectrum in frames whose powers are drawn at random, against the formula. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OnsetCurveMeter } from '../../src/analysis/beats/onset-curve.ts';
import { hitsOf } from '../../src/analysis/beats/onset-hits.ts';
import { logarithmicFilters } from '../../src/signal/filterbank.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const FRAMES = 30;
/** Frames between those that are compared. */
const LAG = 2;

describe('the onset curve', () => {
  for (const [size, rate] of [
    [2048, 44_100],
    [512, 8000],
    [4, 100],
  ] as const)
    test(`of ${size} samples at ${rate} Hz is the rise above the bands' neighbourhood two frames before`, () => {
      const filters = logarithmicFilters(size, rate, { lowHz: 27.5, highHz: 16_000, bandsPerOctave: 24 });
      const random = seededRandom(size);
      const powers = Array.from({ length: FRAMES }, () =>
        Float64Array.from({ length: size / 2 + 1 }, () => 1e4 * random() ** 8),
      );
      const bands = powers.map((power) =>
        filters.map(({ firstBin, weights }) =>
          Math.log10(
            1 + weights.reduce((sum, weight, k) => sum + weight * Math.sqrt(power[firstBin + k]), 0),
          ),
        ),
      );
      const rises = (below: number, from = 0) =>
        bands.map((frame, t) =>
          frame.reduce((sum, band, b) => {
            const { centreHz } = filters[b];
            if (t < LAG || centreHz < from || centreHz >= below) return sum;
            return sum + Math.max(0, band - Math.max(...bands[t - LAG].slice(Math.max(0, b - 1), b + 2)));
          }, 0),
        );
      const hits = (from: number, below: number, fallFrames: number) => {
        const inside = filters.flatMap(({ centreHz }, b) =>
          centreHz >= from && centreHz < below ? [b] : [],
        );
        const levels = bands.map((frame) => inside.reduce((sum, b) => sum + frame[b], 0));
        return hitsOf(
          Float32Array.from(levels, (level) => level / Math.max(1, inside.length)),
          fallFrames,
        );
      };
      const meter = new OnsetCurveMeter(size, rate);
      for (const power of powers) meter.push(power);
      const curve = meter.finish();
      for (const [found, expected] of [
        [curve.kick, hits(100, 200, 9)],
        [curve.snare, hits(1000, 6000, 12)],
      ] as const)
        for (let t = 0; t < FRAMES; t++) assert.ok(Math.abs(found[t] - expected[t]) < 1e-5, `hit ${t}`);
      // Half a window before the end the curve is flat.
      const heard = FRAMES - Math.ceil((size / 2 / rate) * 100);
      for (const [name, expected] of [
        ['full', rises(Number.POSITIVE_INFINITY)],
        ['low', rises(200)],
        ['mid', rises(2500, 200)],
        ['high', rises(Number.POSITIVE_INFINITY, 2500)],
      ] as const)
        for (let t = 0; t < FRAMES; t++) {
          const value = t < heard ? expected[t] : 0;
          assert.ok(
            Math.abs(curve[name][t] - value) <= 1e-5 * (1 + value),
            `${name} ${t}: ${curve[name][t]}`,
          );
        }
    });
});
