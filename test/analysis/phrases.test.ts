/** Where words begin in the level of a voice. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { ENVELOPE_FRAMES_PER_SECOND as FPS, findSpeechOnsets } from '../../src/analysis/speech/phrases.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

/** Syllables of 200 ms at these times, each with its level (dB over −20), in a background of −60 dB. */
function levels(syllables: readonly (readonly [startSeconds: number, db?: number])[], seconds: number) {
  const curve = new Float32Array(seconds * FPS).fill(-60);
  for (const [start, db = 0] of syllables)
    for (let t = 0; t < 20; t++) {
      const at = Math.round(start * FPS) + t;
      const shape = Math.sin((Math.PI * (t + 1)) / 21);
      curve[at] = Math.max(curve[at], -45 + (25 + db) * shape);
    }
  return curve;
}

const SPAN = [{ startSeconds: 0.5, endSeconds: 3.5 }];

describe('beginnings in speech', () => {
  test('are found just before each syllable', () => {
    const starts = [0.5, 0.8, 1.1, 1.9, 2.4];
    const onsets = findSpeechOnsets(
      levels(
        starts.map((start) => [start]),
        4,
      ),
      SPAN,
    );
    assert.equal(onsets.length, starts.length);
    for (const [index, { timeSeconds }] of onsets.entries()) {
      const lead = starts[index] - timeSeconds;
      assert.ok(lead > 0 && lead <= 0.06, `${timeSeconds} for ${starts[index]}`);
    }
  });

  test('have the pause before them, the depth of the dip and the stress', () => {
    const onsets = findSpeechOnsets(levels([[0.5], [0.72], [1.3, 8], [1.52]], 4), SPAN);
    assert.deepEqual(
      onsets.map(({ pauseSeconds }) => pauseSeconds > 0.2),
      [true, false, true, false],
    );
    assert.ok(onsets[2].stressDb > 6 && Math.abs(onsets[3].stressDb) < 3);
    assert.ok(onsets.every(({ dipDb }) => dipDb > 10));
  });

  test('there are none if the level hardly falls, and none outside the phrases', () => {
    const flat = new Float32Array(4 * FPS).map((_, t) => -30 + Math.sin(t / 7));
    assert.deepEqual(findSpeechOnsets(flat, SPAN), []);
    assert.deepEqual(findSpeechOnsets(levels([[0.5], [1]], 4), []), []);
    assert.deepEqual(findSpeechOnsets(new Float32Array(0), SPAN), []);
  });
});

test('sound without speech has none', () => {
  const random = seededRandom(3);
  const analysis = new AudioAnalysis({ sampleRate: 44_100, channels: 1 });
  const noise = Float32Array.from({ length: 44_100 * 3 }, () => 0.2 * (random() - 0.5));
  analysis.push({ startSeconds: 0, sampleRate: 44_100, channels: [noise] });
  assert.deepEqual(analysis.finish().speech.onsets, []);
});
