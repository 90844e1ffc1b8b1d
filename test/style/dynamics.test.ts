/** Range and peaks towards a style: with caution only unusually small ones are followed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compressorTowards } from '../../src/style/audio/dynamics.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { audioFacts } from '../support/clip-facts.ts';

const { loudness } = audioFacts();
/** A recording of −20 LUFS. */
const recording = (rangeLu: number, crestDb: number, share = 0) =>
  audioFacts({ loudness: { ...loudness, rangeLu }, crestDb, speech: { share, spans: [], confidence: 0.9 } });
const style = (loudness_range_lu: number, crestDb: number, enhance_speech = false) =>
  ({
    loudness_range_lu,
    true_peak_dbtp: crestDb - 20,
    audio_style: { normalization_level: -20, compression_ratio: 2, bass_boost: 0, enhance_speech },
  }) as Style;
const towards = (caution: number, source: ReturnType<typeof recording>, wanted: Style) =>
  compressorTowards(source, wanted, { reach: 1, caution });
/** As far as `compressorTowards` rounds. */
const rounded = (value: number) => Number(value.toFixed(2));

describe('dynamics', () => {
  const HALF = 0.5 ** 0.35;
  for (const [what, source, wanted, rangeLu, crestDb] of [
    ['usual dynamics change nothing', recording(8, 16), style(2.8, 13.6), 8, 16],
    ['half of the usual range narrows', recording(8, 16), style(1.4, 13.6), rounded(8 * HALF), 16],
    [
      'that of speech for a style that speaks',
      recording(8, 16),
      style(1.85, 14.7, true),
      rounded(8 * HALF),
      16,
    ],
    ['a wider range widens nothing', recording(4, 16), style(12, 20), 4, 20],
    ['what is as narrow stays', recording(1.4, 16), style(1.4, 13.6), 1.4, 16],
    ['what has next to no range gets none', recording(0.2, 16), style(8, 13.6), 0.2, 16],
    ['peaks 4 dB lower than usual are lowered by .7 of it', recording(8, 16), style(8, 9.6), 8, 13.2],
    ['peaks as low stay', recording(8, 9.6), style(8, 9.6), 8, 9.6],
    ['those of speech, which are usually higher', recording(8, 16), style(8, 12.7, true), 8, 14.6],
    ['speech keeps 4 LU', recording(4.5, 14, 0.9), style(1, 13.6), 4, 14],
  ] as const)
    test(`with caution: ${what}`, () => {
      assert.deepEqual(towards(1, source, wanted), { rangeLu, crestDb });
    });

  test('without caution they are followed as they are', () => {
    assert.deepEqual(towards(0, recording(8, 16), style(2.8, 13.6)), { rangeLu: 2.8, crestDb: 13.6 });
    assert.deepEqual(towards(0, recording(4, 16), style(12, 20)), { rangeLu: 12, crestDb: 20 });
  });

  test('half of the caution is half way between', () => {
    assert.deepEqual(towards(0.5, recording(8, 16), style(2.8, 13.6)), { rangeLu: 5.4, crestDb: 14.8 });
  });
});
