/** The character of a template's spectrum, without the content of its recording. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { planAudio } from '../../src/style/audio/audio.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { audioFacts, clipFacts } from '../support/clip-facts.ts';

const CENTRES_HZ = [
  ...[50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000],
  ...[1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500],
];
/** A close voice: loudest from 250 to 800 Hz, 9 dB less an octave below, 6.5 dB above. */
const VOICE = (hz: number) =>
  hz < 250 ? 10 - 9 * Math.log2(250 / hz) : hz < 800 ? 10 : 10 - 6.5 * Math.log2(hz / 800);
/** A song: even bass, 3.2 dB less an octave above 250 Hz. */
const SONG = (hz: number) => 5 - 3.2 * Math.max(0, Math.log2(hz / 250));

const recording = (levelAt: (hz: number) => number, share: number) => {
  const levelsDb = CENTRES_HZ.map((hz) => levelAt(hz) - 30);
  const quietDb = levelsDb.map((level) => level - 30);
  return audioFacts({
    spectrum: { centresHz: CENTRES_HZ, levelsDb, quietDb },
    speech: { share, spans: [], confidence: 0.9 },
  });
};
const TALKER = recording(VOICE, 0.9);

function gainsUnder(template: ReturnType<typeof recording>, strength = 0.8, source = TALKER) {
  const style = extractStyle(clipFacts({ audio: template }), {
    createdAt: new Date(0),
    fingerprint: null,
  });
  const gains = planAudio(source, style, strength).equalizer;
  return new Map(gains.map(({ hz, gainDb }) => [hz, gainDb]));
}

const TELEPHONE = (hz: number) => (hz < 300 || hz > 3400 ? -25 : 0);

describe('a voice', () => {
  test('under a usual song keeps its spectrum; at strength 1 it gets that of the song', () => {
    const gains = [...gainsUnder(recording(SONG, 0)).values()];
    assert.ok(Math.max(...gains.map(Math.abs)) < 1.5, gains.join(' '));
    const full = [...gainsUnder(recording(SONG, 0), 1).values()];
    assert.ok(Math.max(...full.map(Math.abs)) > 6, full.join(' '));
  });

  test('under a voice on the telephone loses bass and treble', () => {
    const gains = gainsUnder(recording((hz) => VOICE(hz) + TELEPHONE(hz), 0.9));
    const middle = gains.get(1000)!;
    for (const hz of [80, 8000]) assert.ok(gains.get(hz)! - middle < -6, `${hz} Hz: ${gains.get(hz)}`);
  });

  test('that is on the telephone loses nothing more', () => {
    const caller = recording((hz) => VOICE(hz) + TELEPHONE(hz), 0.9);
    for (const [hz, gain] of gainsUnder(caller, 0.8, caller)) {
      // The style asks for clear speech: `enhance_speech`.
      const wanted = hz < 90 ? -3 : hz >= 2000 && hz <= 5000 ? 1.5 : 0;
      assert.ok(Math.abs(gain - wanted) < 0.1, `${hz} Hz: ${gain}`);
    }
  });

  test('that is hardly recognized is unchanged under its own style', () => {
    const telephone = recording((hz) => VOICE(hz) + TELEPHONE(hz), 0.9);
    const caller = { ...telephone, speech: { ...telephone.speech, confidence: 0.4 } };
    for (const [hz, gain] of gainsUnder(caller, 0.8, caller))
      assert.ok(Math.abs(gain) < 0.1, `${hz} Hz: ${gain}`);
  });
});

test('music under music with much bass gets more bass, and single notes of it do not count', () => {
  const song = recording(SONG, 0);
  const bass = gainsUnder(
    recording((hz) => SONG(hz) + (hz < 200 ? 12 : 0), 0),
    0.8,
    song,
  );
  assert.ok(bass.get(80)! - bass.get(2000)! > 2.5, `${bass.get(80)}`);
  const note = gainsUnder(
    recording((hz) => SONG(hz) + (hz === 1000 ? 12 : 0), 0),
    0.8,
    song,
  );
  assert.ok(note.get(1000)! < 1, `${note.get(1000)}`);
});

test('a written style’s spectrum is followed as it is', () => {
  const { confidence: _, ...written } = extractStyle(clipFacts({ audio: recording(SONG, 0) }), {
    createdAt: new Date(0),
    fingerprint: null,
  });
  const gains = planAudio(TALKER, written, 0.8).equalizer.map(({ gainDb }) => gainDb);
  assert.ok(Math.max(...gains.map(Math.abs)) > 6, gains.join(' '));
});
