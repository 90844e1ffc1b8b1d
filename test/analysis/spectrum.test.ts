/** Levels of bands, over the seconds that sound and in their pauses, in spectra that are drawn. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SpectrumMeter } from '../../src/analysis/spectrum/spectrum.ts';

/** A bin for each hertz, two frames a second; 1 is the power of a full-scale sine. */
const RATE = 8000;
const FORMAT = { fftSize: RATE, sampleRate: RATE, framesPerSecond: 2, fullScale: 4 };

/** Powers of a tone of 1 kHz, frame by frame, and of one of 250 Hz beside it. */
function measured(powers: readonly number[], low: readonly number[] = []) {
  const meter = new SpectrumMeter(FORMAT);
  for (const [at, power] of powers.entries()) {
    const spectrum = new Float64Array(RATE / 2 + 1);
    spectrum[1000] = 4 * power;
    spectrum[250] = 4 * (low[at] ?? 0);
    meter.push(spectrum);
  }
  const facts = meter.finish();
  const at = (hz: number) => facts.centresHz.indexOf(hz);
  return {
    facts,
    level: facts.levelsDb[at(1000)],
    quiet: facts.quietDb[at(1000)],
    lowLevel: facts.levelsDb[at(250)],
    lowQuiet: facts.quietDb[at(250)],
  };
}

/** Both frames of each second alike. */
const seconds = (...powers: readonly number[]) => powers.flatMap((power) => [power, power]);
const db = (power: number) => 10 * Math.log10(power);
const isNear = (observed: number, expected: number) =>
  assert.ok(Math.abs(observed - expected) < 1e-3, `${observed} dB, not ${expected}`);

describe('the level of a band', () => {
  for (const [what, powers, expected] of [
    ['is that of a full-scale sine at its power', seconds(1), 0],
    ['is the mean over a second', [0.5, 0.1], db(0.3)],
    ['is the mean over seconds', seconds(0.5, 0.1), db(0.3)],
    ['counts a second that has only begun', [0.5, 0.5, 0.1], db(0.3)],
    ['leaves out what is 20 dB below the mean of what sounds', seconds(1, 0.005), db(1)],
    ['and no more', seconds(1, 0.0052), db(0.5026)],
    ['knows no second at −70 dBFS', [...seconds(1.2e-6), ...new Array(400).fill(0.9e-7)], db(1.2e-6)],
    ['knows those above', [...seconds(1.2e-6), ...new Array(400).fill(1.1e-7)], db(232e-7 / 201)],
  ] as [string, number[], number][])
    test(what, () => isNear(measured(powers).level, expected));

  test('is at least that of the strongest less 100 dB', () => {
    const { lowLevel, lowQuiet } = measured(seconds(0.5));
    isNear(lowLevel, db(0.5) - 100);
    isNear(lowQuiet, db(0.5) - 100);
    isNear(measured(seconds(0.5), seconds(2e-10)).lowLevel, db(2e-10));
  });

  test('is null without sound', () => {
    const nothing = { centresHz: [], levelsDb: [], quietDb: [] };
    assert.deepEqual(measured(seconds(0.9e-7, 0)).facts, nothing);
    assert.deepEqual(measured([]).facts, nothing);
    assert.ok(measured(seconds(1.1e-7)).level < -69);
  });
});

describe('the level of a band between the sounds', () => {
  test('is the least of a second', () => {
    isNear(measured([0.5, 0.02]).quiet, db(0.02));
    isNear(measured([0.02, 0.5]).quiet, db(0.02));
  });

  test('is measured for each band separately', () => {
    const { quiet, lowQuiet } = measured([0.5, 0.02], [0.03, 0.4]);
    isNear(quiet, db(0.02));
    isNear(lowQuiet, db(0.03));
  });

  test('is the tenth of the seconds', () => {
    // Of eleven the second, however they follow each other.
    const pauses = [7, 3, 9, 1, 11, 5, 2, 8, 10, 4, 6];
    isNear(measured(pauses.flatMap((pause) => [0.5, pause / 1000])).quiet, db(0.002));
  });

  test('is not that of silence', () => {
    isNear(measured([0.5, 0.02, ...new Array(20).fill(0.9e-7)]).quiet, db(0.02));
    isNear(measured([0.5, 0.02, ...new Array(20).fill(1.1e-7)]).quiet, db(1.1e-7));
  });
});
