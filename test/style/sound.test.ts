import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractStyle } from '../../src/style/extract.ts';
import { planSound } from '../../src/style/sound.ts';
import type { SoundPlan } from '../../src/style/timeline.ts';
import { clipFacts, soundFacts } from '../support/clip-facts.ts';

const SOURCE = soundFacts();
const { spectrum, loudness } = SOURCE;

function planned(template: Parameters<typeof soundFacts>[0], strength = 0.8, source = SOURCE): SoundPlan {
  const facts = clipFacts({ sound: soundFacts(template) });
  return planSound(source, extractStyle(facts, { createdAt: new Date(0), fingerprint: null }), strength);
}

test('a source under its own style: nothing to equalise or compress, its own loudness', () => {
  const plan = planned({});
  for (const { gainDb } of plan.equalizer) assert.ok(Math.abs(gainDb) < 0.05, String(gainDb));
  assert.equal(plan.compressor, null);
  assert.equal(plan.targetLufs, -20);
});

test('the equaliser leans towards the style, smoothly, within ±6 dB, at the strength asked for', () => {
  const tilted = (perBand: number) => ({
    spectrum: { ...spectrum, levelsDb: spectrum.levelsDb.map((level, at) => level + perBand * at) },
  });
  const gains = (perBand: number, strength: number) =>
    planned(tilted(perBand), strength).equalizer.map(({ gainDb }) => gainDb);
  const mild = gains(0.6, 0.8);
  for (let at = 1; at < mild.length; at++) assert.ok(mild[at]! >= mild[at - 1]!);
  assert.ok(Math.abs(mild.reduce((sum, gain) => sum + gain, 0)) < 1, 'no change of loudness');
  assert.ok(Math.max(...gains(4, 1).map(Math.abs)) <= 6);
  assert.ok(Math.abs(gains(0.6, 0.4)[0]!) < Math.abs(mild[0]!));
});

test('noise is not brought up', () => {
  const levelsDb = spectrum.levelsDb.map((level, at) => (at > 7 ? -120 : level));
  const dull = soundFacts({ spectrum: { ...spectrum, levelsDb } });
  const { equalizer } = planned({}, 0.8, dull);
  assert.ok(equalizer.slice(8).every(({ gainDb }) => gainDb === 0));
});

test('a more compressed style compresses, a less compressed one does not', () => {
  const of = (rangeLu: number) => planned({ loudness: { ...loudness, rangeLu } }).compressor;
  assert.ok(of(4)!.ratio > 1.5);
  assert.ok(of(2)!.ratio > of(4)!.ratio);
  assert.equal(of(12), null);
});

const LOUDNESS: readonly [number, number, number][] = [
  [-10, 0.8, -10],
  [-10, 0.4, -12],
  [-2, 0.8, -7],
  [-60, 0.8, -36],
];
for (const [level, strength, target] of LOUDNESS) {
  test(`a style at ${level} LUFS, strength ${strength}: ${target} LUFS`, () => {
    assert.equal(planned({ loudness: { ...loudness, integratedLufs: level } }, strength).targetLufs, target);
  });
}

test('silence stays silence', () => {
  const silent = { integratedLufs: null, rangeLu: null, truePeakDbtp: null, shortTermLufs: [] };
  assert.equal(planned({}, 1, soundFacts({ loudness: silent })).targetLufs, null);
});
