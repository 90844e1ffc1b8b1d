import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../src/signal/seeded-random.ts';
import { followsBeat, longestLengths, paceFor } from '../../../src/style/edit/template-rhythm.ts';
import { madeSlot } from './made-material.ts';

function templateWith(phases: readonly (number | null)[]) {
  // The first slot has no cut.
  const slots = [0.37, ...phases].map((phase) => madeSlot(1, { phase }));
  return { slots, onBeatShare: null, tempoBpm: 120, cutsPerBarByEnergy: null };
}

function times(count: number, phaseOf: (at: number) => number | null) {
  return Array.from({ length: count }, (_, at) => phaseOf(at));
}

test('whether cuts follow a beat, by their phases', () => {
  const random = seededRandom(7);
  const rows: readonly (readonly [string, readonly (number | null)[], boolean | null])[] = [
    ['all on the beat', times(12, () => 0), true],
    ['a little late or early', times(12, (at) => (at % 2 === 0 ? 0.08 : 0.93)), true],
    ['always .3 beats late', times(12, () => 0.3), true],
    ['on beats and half beats', times(12, (at) => (at % 2) / 2), true],
    ['evenly spread', times(12, (at) => at / 12), false],
    ['two of three on the beat', times(18, (at) => (at % 3 === 0 ? random() : 0)), true],
    ['random', times(30, () => random()), false],
    ['eleven cuts', times(11, () => 0), null],
    ['no beat', times(20, () => null), null],
  ];
  for (const [name, phases, wanted] of rows) assert.equal(followsBeat(templateWith(phases)), wanted, name);
});

test('random phases seldom pass as a beat', () => {
  let followed = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const random = seededRandom(seed);
    if (followsBeat(templateWith(times(20, () => random())))) followed++;
  }
  // Two tests at .01 each: 8 are expected.
  assert.ok(followed <= 18, `${followed} of 400`);
});

test('the longest slots', () => {
  const of = (lengths: readonly number[], bar: number, more: { speaks?: boolean; second?: number } = {}) => {
    const { speaks = false, second = 10 } = more;
    const slots = lengths.map(() => madeSlot(1, { speaks }));
    return longestLengths(slots, lengths, { bar, second, hasSpeech: speaks })[0];
  };
  const short = [1, 1, 1, 1, 1, 1, 1, 1, 12, 12];
  assert.equal(of(short, 4), 8, 'two bars');
  assert.equal(of([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 1), 10, 'the ninth decile, before three medians of 6');
  assert.equal(of(short, 1), 3, 'three medians');
  assert.equal(of(short, 1, { speaks: true }), 12, 'speech');
  assert.equal(of([9, 10, 9, 10], 4, { second: 1 }), 4.5, 'what holds a viewer without speech');
  assert.equal(of([9, 10, 9, 10], 4, { second: 1, speaks: true }), 10, 'speech holds longer');
});

test('a calm template is cut faster for many takes, others are not', () => {
  assert.equal(paceFor([8, 8, 8, 8], 32, 4), 1);
  assert.equal(paceFor([8, 8, 8, 8], 32, 8), 0.5);
  assert.equal(paceFor([8, 8, 8, 8], 32, 40), 2.5 / 8);
  assert.equal(paceFor([2, 2, 2, 2], 8, 40), 1);
});
