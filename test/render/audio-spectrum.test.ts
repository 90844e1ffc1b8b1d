import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AudioSpectrum, correctedEqualizer, spectrumMiss } from '../../src/render/sound/audio-spectrum.ts';

const CENTRES = [100, 200, 400, 800];
const spectrum = (...levelsDb: number[]) => ({ centresHz: CENTRES, levelsDb, quietDb: levelsDb });
const plan = (...gainsDb: number[]) => gainsDb.map((gainDb, at) => ({ hz: CENTRES[at], gainDb }));

describe('remaining error of an equaliser', () => {
  // The last band lies more than 55 dB below the loudest: it is ignored. The one before it lies 55 dB below.
  const before = spectrum(-30, -35, -85, -86);
  const planned = plan(3, -3, 0, 6);
  for (const [what, after, miss, gains] of [
    ['nothing, at another level', spectrum(-17, -28, -75, -20), 0, [3, -3, 0, 6]],
    ['3 dB of one band', spectrum(-30, -38, -85, -86), Math.sqrt(2), [5, -4, -1, 6]],
    ['more than is made up', spectrum(-39, -38, -85, -86), Math.sqrt(32), [7, -7, -4, 6]],
  ] as const) {
    test(what, () => {
      const seen = spectrumMiss(planned, before, after);
      assert.ok(Math.abs(seen - miss) < 1e-9, `${seen}, not ${miss}`);
      const corrected = correctedEqualizer(planned, planned, before, after).map(({ gainDb }) => gainDb);
      assert.deepEqual(corrected, gains);
    });
  }

  test('a second correction starts from the first, within 4 dB of the plan', () => {
    const tried = plan(5, -4, -1, 6);
    const corrected = correctedEqualizer(planned, tried, before, spectrum(-30, -38, -85, -86));
    assert.deepEqual(
      corrected.map(({ gainDb }) => gainDb),
      [7, -5, -2, 6],
    );
  });

  test('bands that the spectrum does not have keep their gain', () => {
    const other = [{ hz: 12_500, gainDb: 2 }, ...planned];
    const corrected = correctedEqualizer(other, other, before, spectrum(-30, -38, -85, -86));
    assert.deepEqual(
      corrected.map(({ gainDb }) => gainDb),
      [2, 5, -4, -1, 6],
    );
    const silenced = { centresHz: [], levelsDb: [], quietDb: [] };
    assert.deepEqual(correctedEqualizer(planned, planned, before, silenced), planned);
  });
});

test('the spectrum is that of both sides together', () => {
  const tone = Float32Array.from(
    { length: 2 * 48_000 },
    (_, n) => 0.5 * Math.sin((2 * Math.PI * 1000 * n) / 48_000),
  );
  const silence = new Float32Array(tone.length);
  const levelOf = (left: Float32Array, right: Float32Array) => {
    const meter = new AudioSpectrum();
    meter.push([left, right]);
    const { centresHz, levelsDb } = meter.finish();
    return levelsDb[centresHz.indexOf(1000)];
  };
  const both = levelOf(tone, tone);
  assert.ok(Math.abs(both + 6.02) < 0.2, `${both} dB`);
  for (const one of [levelOf(tone, silence), levelOf(silence, tone)])
    assert.ok(Math.abs(both - one - 6.02) < 0.01, `${one} dB`);
});

test('every sample counts, of sound that is shorter than a window too', () => {
  const tone = Float32Array.from({ length: 6000 }, (_, n) => Math.sin((2 * Math.PI * 1000 * n) / 48_000));
  const levelsIn = (size: number) => {
    const meter = new AudioSpectrum();
    for (let at = 0; at < tone.length; at += size) {
      const block = tone.subarray(at, at + size);
      meter.push([block, block]);
    }
    return meter.finish().levelsDb;
  };
  const [whole, singly] = [levelsIn(tone.length), levelsIn(1)];
  assert.ok(Math.max(...whole) > -12, `${Math.max(...whole)} dB`);
  assert.deepEqual(singly, whole);
});
