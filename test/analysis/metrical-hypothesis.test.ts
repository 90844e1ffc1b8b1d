/** The steps between an onset curve and its beats, on curves with known answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeBeats } from '../../src/analysis/beats/decode.ts';
import { extendBeatGrid } from '../../src/analysis/beats/extend-grid.ts';
import { hypothesesOf } from '../../src/analysis/beats/metrical-hypothesis.ts';
import { hitsOf } from '../../src/analysis/beats/onset-hits.ts';
import { pulsePrior, pulseWindows } from '../../src/analysis/beats/tempo.ts';

const FRAMES = 2400;
/** Spikes of a strength at frames from, from + step, … */
const spikes = (step: number, from = 0, strength = 1, length = FRAMES) =>
  Float32Array.from({ length }, (_, t) => (t >= from && (t - from) % step === 0 ? strength : 0));
const sum = (...curves: Float32Array[]) =>
  Float32Array.from({ length: FRAMES }, (_, t) => curves.reduce((total, curve) => total + curve[t], 0));
const curveOf = (full: Float32Array) => ({
  full,
  low: full,
  mid: full,
  high: full,
  kick: full,
  snare: full,
});
const gridOf = (interval: number) => ({
  interval,
  beats: Array.from({ length: Math.ceil(FRAMES / interval) }, (_, k) => k * interval),
});

describe('hits', () => {
  /** Level 2 from frame 50 on, falling to `left` within 60 ms. */
  const struck = (left: number) =>
    Float32Array.from({ length: 200 }, (_, t) =>
      t < 50 ? 0.5 : left + (2 - left) * Math.exp(-(t - 50) / 2),
    );
  const cases: [string, number, number, number][] = [
    ['a drum dies away', 0.5, 1.4, 1.5],
    ['a note stands', 1.9, 0, 0.15],
  ];
  for (const [name, left, least, most] of cases) {
    it(name, () => {
      const hits = hitsOf(struck(left), 9);
      assert.ok(hits[50] >= least && hits[50] <= most, `${hits[50]}`);
      assert.equal(hits[30], 0);
      assert.ok(hits[120] < 0.01, `${hits[120]}`);
    });
  }

  it('is no end of a note', () => {
    const ended = Float32Array.from({ length: 200 }, (_, t) => (t < 100 ? 2 : 0.5));
    assert.ok(
      hitsOf(ended, 9)
        .subarray(10)
        .every((hit) => hit === 0),
    );
  });
});

describe('hypotheses of a grid', () => {
  const even = sum(spikes(50, 0, 10), spikes(50, 25, 4));

  it('are halves, doubles and shifts within 50..215 BPM', () => {
    const sounding = even.map((level) => Math.max(level, 2));
    const hypotheses = hypothesesOf(gridOf(50), curveOf(sounding));
    const described = hypotheses.map(({ interval, beats }) => `${interval}+${beats[0].toFixed(0)}`);
    assert.deepEqual(
      described.sort(),
      ['100+0', '100+25', '100+50', '100+75', '50+0', '50+13', '50+17', '50+25', '50+33', '50+38'].sort(),
    );
  });

  it('begin with the sound when the grid does', () => {
    const late = { interval: 50, beats: [25, 75, 125, 175, 225] };
    const shifted = hypothesesOf(late, curveOf(even)).find(
      ({ interval, beats }) => interval === 50 && beats[0] === 0,
    );
    assert.deepEqual(shifted?.beats.slice(0, 3), [0, 50, 100]);
  });

  it('of clicks have none that falls beside every second one', () => {
    for (const interval of [25, 50]) {
      const hypotheses = hypothesesOf(gridOf(interval), curveOf(spikes(50, 0, 10)));
      assert.ok(hypotheses.length > 0);
      for (const { interval: own, beats } of hypotheses)
        assert.deepEqual([own >= 50, beats[0] % 50], [true, 0]);
    }
  });
});

describe('hypotheses in silence', () => {
  const tempiOf = (interval: number, full: Float32Array) =>
    hypothesesOf(gridOf(interval), curveOf(full)).map((hypothesis) => 6000 / hypothesis.interval);

  it('have no beats on it', () => {
    const halves = sum(spikes(50, 0, 10), spikes(50, 25, 4));
    const starts = hypothesesOf(gridOf(50), curveOf(halves)).map(({ beats }) => beats[0]);
    assert.deepEqual([...new Set(starts.map((start) => start % 25))], [0]);
  });

  it('are the eighths of music, too', () => {
    const full = sum(spikes(50, 0, 10), spikes(50, 25, 10)).map((level, t) =>
      level === 0 ? 0 : level * (1 + 0.5 * Math.sin(t * t)),
    );
    assert.ok(tempiOf(25, full).includes(120));
  });
});

describe('carrying a grid on', () => {
  const steady = (t: number) => (t % 50 === 0 ? 1 : 0);
  /** On the grid up to 900 and from 1500 on; between them onsets at every place alike. */
  const broken = Float32Array.from({ length: FRAMES }, (_, t) => (t >= 900 && t < 1500 ? 0.4 : steady(t)));
  const grid = { beatFrame: 400, interval: 50 };
  const cases: [string, Float32Array, [number, number]][] = [
    [
      'goes to the ends of a piece that keeps time',
      Float32Array.from({ length: FRAMES }, (_, t) => steady(t)),
      [0, 2400],
    ],
    ['bridges a break and goes on', broken, [0, 2400]],
    ['stops where nothing keeps time any more', broken.map((value, t) => (t >= 900 ? 0.4 : value)), [0, 800]],
  ];
  for (const [name, wide, [from, to]] of cases) {
    it(name, () => {
      const reached = extendBeatGrid(wide, grid, { from: 200, to: 800 }, { from: 0, to: FRAMES });
      assert.ok(
        Math.abs(reached.from - from) <= 50 && Math.abs(reached.to - to) <= 150,
        JSON.stringify(reached),
      );
    });
  }
});

describe('decoding with what repeats', () => {
  const range = { shortest: 28, longest: 109 };
  const at = (prior: Float64Array, interval: number) => prior[interval - range.shortest];

  it('prefers the interval after which the sound repeats to dotted ones', () => {
    const prior = pulsePrior(pulseWindows(sum(spikes(56), spikes(14, 0, 0.5))), range)(800);
    for (const other of [42, 75, 84]) assert.ok(at(prior, 56) > at(prior, other) + 1, `${other}`);
  });

  it('excludes nothing if nothing repeats', () => {
    const prior = pulsePrior(pulseWindows(new Float32Array(FRAMES)), range)(800);
    assert.ok(prior.every((value) => Number.isFinite(value) && value <= 0));
  });

  it('follows the preferred interval of the prior if the onsets allow several', () => {
    for (const expected of [40, 80]) {
      const prior = Float64Array.from({ length: 82 }, (_, i) => (i + range.shortest === expected ? 0 : -20));
      const { frames } = decodeBeats(spikes(40), range, () => prior);
      const steps = frames.slice(2, -2).map((frame, i) => frame - frames[i + 1]);
      assert.ok(steps.length > 10 && steps.every((step) => step === expected), `${steps}`);
    }
  });
});
