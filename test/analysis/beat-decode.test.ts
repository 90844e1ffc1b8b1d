/** Beats decoded and grids fitted in random activations, against their formulas. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeBeats, type IntervalPrior, type IntervalRange } from '../../src/analysis/beats/decode.ts';
import { type BeatGrid, fitConstantGrid } from '../../src/analysis/beats/tempo.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { slidingMaximum } from '../../src/signal/statistics.ts';

/** Random, and higher about every `interval` frames. */
function activationOf(frames: number, interval: number, seed: number): Float32Array {
  const random = seededRandom(seed);
  return Float32Array.from({ length: frames }, (_, t) => {
    const beat = Math.round(t / interval) * interval;
    return Math.abs(t - beat) < 1 ? 0.4 + 0.6 * random() : 0.3 * random();
  });
}

/** Viterbi over (frame, interval) pairs of the model, frame by frame, without pruning. */
function slowlyDecoded(activation: Float32Array, range: IntervalRange, prior: IntervalPrior) {
  const { shortest, longest } = range;
  const [total, count] = [activation.length, longest - shortest + 1];
  const logs = Array.from(activation, (value) => {
    const a = Math.min(1 - 1e-3, Math.max(1e-3, value));
    return [Math.log(a), Math.log((1 - a) / 15)] as const;
  });
  const segment = (start: number, interval: number) => {
    const turn = start + Math.max(1, Math.round(interval / 16));
    let sum = 0;
    for (let t = Math.max(0, start); t < Math.min(total, start + interval); t++)
      sum += logs[t][t < turn ? 0 : 1];
    return sum;
  };
  const near = (a: number, b: number) => Math.abs(a - b) <= Math.max(1, Math.floor(a * 0.12));
  const weight = (a: number, b: number) => {
    const change = Math.max(0, Math.abs(a - b) - 0.5) / a;
    return near(a, b) ? 0.9 * Math.exp(-100 * change) + 0.1 * Math.exp(-25 * change) : 0;
  };
  const intervals = Array.from({ length: count }, (_, i) => shortest + i);
  const costs = intervals.map((a) => {
    const weights = intervals.map((b) => weight(a, b));
    const sum = weights.reduce((one, other) => one + other, 0);
    return weights.map((value) => Math.log(value / sum));
  });
  const scores: number[][] = [];
  const from: number[][] = [];
  for (let t = 0; t < total; t++) {
    const arrivals = intervals.map((interval, i) => {
      const start = t - interval;
      return (start < 0 ? 0 : scores[start][i]) + segment(start, interval) + prior(t)[i];
    });
    from.push(
      intervals.map((_, to) =>
        arrivals.reduce(
          (best, value, i) => (value + costs[i][to] > arrivals[best] + costs[best][to] ? i : best),
          0,
        ),
      ),
    );
    scores.push(from[t].map((i, to) => arrivals[i] + costs[i][to]));
  }
  let best = { score: Number.NEGATIVE_INFINITY, frame: -1, i: -1 };
  for (let frame = Math.max(0, total - longest); frame < total; frame++)
    for (const [i, interval] of intervals.entries()) {
      const score = scores[frame][i] + segment(frame, interval) + prior(total)[i];
      if (frame + interval >= total && score > best.score) best = { score, frame, i };
    }
  const frames: number[] = [];
  for (let { frame, i } = best; frame >= 0; ) {
    frames.unshift(frame);
    i = from[frame][i];
    frame -= intervals[i];
  }
  return { frames, likelihood: best.score / total };
}

describe('beats are decoded like the model', () => {
  for (const [frames, interval, range] of [
    [300, 50, { shortest: 28, longest: 120 }],
    [240, 33.4, { shortest: 28, longest: 60 }],
    [60, 21, { shortest: 20, longest: 22 }],
    [40, 12, { shortest: 12, longest: 12 }],
  ] as const)
    for (const hasPrior of [false, true])
      test(`${frames} frames, intervals ${range.shortest} to ${range.longest}${hasPrior ? ', with a prior' : ''}`, () => {
        const activation = activationOf(frames, interval, frames);
        const random = seededRandom(3);
        const rows = Array.from({ length: 4 }, () =>
          Float64Array.from({ length: range.longest - range.shortest + 1 }, () =>
            hasPrior ? -5 * random() : 0,
          ),
        );
        const prior = (endFrame: number) => rows[Math.floor(endFrame / 90) % 4];
        const { frames: beats, likelihood } = decodeBeats(activation, range, prior);
        const expected = slowlyDecoded(activation, range, prior);
        assert.deepEqual(beats, expected.frames);
        assert.ok(Math.abs(likelihood - expected.likelihood) < 1e-9);
      });

  test('nothing is decoded of less than the longest interval', () => {
    assert.deepEqual(decodeBeats(new Float32Array(50), { shortest: 20, longest: 60 }).frames, []);
  });
});

describe('a constant grid is the one with the most beats', () => {
  for (const [frames, interval, reach] of [
    [900, 50, 0.04],
    [2000, 33.4, 0.04],
    [300, 61.7, 0.1],
  ] as const)
    test(`${frames} frames, around ${interval}`, () => {
      const activation = activationOf(frames, interval * 1.01, 5);
      const wide = slidingMaximum(activation, 2);
      let best: Omit<BeatGrid, 'standardErrors'> = { interval, phase: 0, strength: -1 };
      const step = (2 * interval) / frames;
      for (let tried = interval * (1 - reach); tried <= interval * (1 + reach); tried += step) {
        const met = Array.from({ length: Math.floor(tried) }, () => [] as number[]);
        let place = 0;
        for (const value of wide) {
          met[Math.floor(place)]?.push(value);
          place += 1;
          if (place >= tried) place -= tried;
        }
        for (const [phase, values] of met.entries()) {
          const strength = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
          if (strength > best.strength) best = { interval: tried, phase, strength };
        }
      }
      const { standardErrors, ...found } = fitConstantGrid(activation, interval, reach);
      assert.deepEqual(found, best);
      assert.ok(standardErrors > 3);
    });

  test('and none in silence', () => {
    assert.equal(fitConstantGrid(new Float32Array(500), 50, 0.04).standardErrors, 0);
  });
});
