/** Sums of spectra under filters, against the formula. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Filterbank, logarithmicFilters } from '../../src/signal/filterbank.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { bandFilters, thirdOctaveBands } from '../../src/signal/third-octave.ts';

const RANGE = { lowHz: 27.5, highHz: 16_000, bandsPerOctave: 24 };

describe('sums under filters', () => {
  const odd = [
    { firstBin: 0, weights: [1] },
    { firstBin: 2, weights: [] },
    { firstBin: 1, weights: [0.5, -2, 3] },
    { firstBin: 4, weights: [7] },
  ];
  for (const [what, filters, bins] of [
    ['semitones', logarithmicFilters(2048, 44_100, RANGE), 1025],
    ['thirds of an octave', bandFilters(thirdOctaveBands(44_100), 44_100 / 8192, 4097), 4097],
    ['a few bins', odd, 5],
    ['nothing', [], 3],
  ] as const)
    test(`of ${what} equal the formula, for powers and magnitudes`, () => {
      const random = seededRandom(bins);
      const power = Float64Array.from({ length: bins }, () => 1e6 * random());
      const sums = (values: Float64Array) =>
        filters.map(({ firstBin, weights }) =>
          weights.reduce((sum, weight, k) => sum + weight * values[firstBin + k], 0),
        );
      const bank = new Filterbank(filters, bins);
      assert.equal(bank.count, filters.length);
      assert.deepEqual([...bank.powersOf(power)], sums(power));
      assert.deepEqual([...bank.magnitudesOf(power)], sums(power.map(Math.sqrt)));
      assert.deepEqual([...bank.powersOf(power)], sums(power));
    });

  test('of semitones are triangles whose peaks are 1, from bin to bin', () => {
    const filters = logarithmicFilters(2048, 44_100, RANGE);
    assert.equal(filters.length, 138);
    for (const [b, { firstBin, weights, centreHz }] of filters.entries()) {
      const centre = Math.round((centreHz * 2048) / 44_100);
      assert.equal(weights[centre - firstBin], 1);
      assert.ok(weights.every((weight) => weight > 0 && weight <= 1));
      const next = filters[b + 1];
      if (next !== undefined)
        assert.ok(next.centreHz > centreHz && next.firstBin <= firstBin + weights.length);
    }
  });
});
