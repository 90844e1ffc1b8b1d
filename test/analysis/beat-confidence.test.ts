/** Tempi, beats and speech that were wrong and confident: right now, or of low confidence. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { beatScore, beatTimes, blocksOf, drums, joined, SAMPLE_RATE, tones } from '../support/audio.ts';
import { mediaPath } from '../support/media.ts';

function analyze(samples: Float32Array): AudioFacts {
  const analysis = new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: 1 });
  for (const block of blocksOf([samples])) analysis.push(block);
  return analysis.finish();
}

const timesOf = ({ beats }: AudioFacts) => beats.map(({ timeSeconds }) => timeSeconds);

describe('a slow metronome has a beat on each click', () => {
  for (const [bpm, bar, accent, accentHz] of [
    [60, 4, 2, 1500],
    [60, 4, 3, 1000],
    [60, 7, 2, 1000],
    [90, 3, 1.5, 2000],
  ] as const)
    test(`${bpm} BPM, the first of ${bar} accented ${accent} times, ${accentHz} Hz`, () => {
      const clicks = beatTimes(bpm, 0.3, 24);
      const facts = analyze(
        tones(
          24,
          clicks.map((at, k) =>
            k % bar === 0 ? [at, accentHz, 0.25 * accent, 0.004] : [at, 1000, 0.25, 0.004],
          ),
        ),
      );
      assert.ok(Math.abs(facts.tempo!.bpm / bpm - 1) < 0.01, `${facts.tempo!.bpm} BPM`);
      assert.ok(beatScore(timesOf(facts), clicks) > 0.95, `${timesOf(facts).slice(0, 4)}`);
    });
});

describe('a heart has one beat to its two sounds', () => {
  for (const [bpm, secondSound] of [
    [60, 0.3],
    [68, 0.294],
    [80, 0.25],
  ] as const)
    test(`${bpm} a minute, the second sound after ${secondSound} s`, () => {
      const events = beatTimes(bpm, 0.2, 29).flatMap((at) => [
        [at, 55, 0.7, 0.03] as const,
        [at + secondSound, 70, 0.45, 0.02] as const,
      ]);
      const { tempo } = analyze(tones(30, events));
      assert.ok(Math.abs(tempo!.bpm / bpm - 1) < 0.01, `${tempo!.bpm} BPM`);
    });
});

describe('a splice', () => {
  const BPM = 110;
  const beat = 60 / BPM;
  const song = drums(BPM, 48, { kick: [0, 6, 8], snare: [4, 12], hat: [0, 2, 4, 6, 8, 10, 12, 14] });
  for (const part of [0, 0.25, 0.33, 0.5, 0.66])
    test(`of 8 beats and ${part} left out is followed, or the beats after it are unsure`, () => {
      const left = 8 + part;
      const facts = analyze(
        joined(
          song.slice(0, 20 * SAMPLE_RATE),
          song.slice(
            Math.round((20 + left * beat) * SAMPLE_RATE),
            Math.round((40 + left * beat) * SAMPLE_RATE),
          ),
        ),
      );
      assert.ok(Math.abs(facts.tempo!.bpm / BPM - 1) < 0.01, `${facts.tempo!.bpm} BPM`);
      const sides = [
        [0, 19, 0],
        [21, 39, left * beat],
      ] as const;
      for (const [from, to, shift] of sides) {
        const expected = beatTimes(BPM, 0, 50)
          .map((at) => at - shift)
          .filter((at) => at >= from && at < to);
        const found = facts.beats.filter(({ timeSeconds: at }) => at >= from && at < to);
        const times = found.map(({ timeSeconds }) => timeSeconds);
        assert.ok(
          beatScore(times, expected) > 0.9 || found.every(({ confidence }) => confidence < 0.5),
          `from ${from} s: ${times.slice(0, 3)}`,
        );
      }
    });
});

describe('sounds from public reports', () => {
  const heard = async (file: string) => {
    const path = mediaPath(`wild/${file}`);
    if (path === null) return null;
    let analysis: AudioAnalysis | undefined;
    for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source' })) {
      analysis ??= new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: block.channels.length });
      analysis.push(block);
    }
    return analysis!.finish();
  };
  const cases: [string, string, (facts: AudioFacts) => void][] = [
    [
      'metro60_4.flac',
      'beats on the clicks',
      (facts) => assert.ok(beatScore(timesOf(facts), beatTimes(60, 0.3, 40)) > 0.95, `${timesOf(facts)[0]}`),
    ],
    [
      'busy_schedule.ogg',
      '134 BPM, or low confidence',
      ({ tempo }) =>
        assert.ok(Math.abs(tempo!.bpm / 134 - 1) < 0.01 || tempo!.confidence < 0.5, JSON.stringify(tempo)),
    ],
    [
      'splice_no_work_song_redfarn_0.5.ogg',
      'unsure of its beats',
      ({ beats }) => assert.ok(beats.every(({ confidence }) => confidence < 0.6)),
    ],
    [
      'swing200.ogg',
      'music',
      ({ genre, speech }) => {
        assert.notEqual(genre.name, 'speech');
        assert.ok(speech.share < 0.5, `${speech.share}`);
      },
    ],
  ];
  for (const [file, right, check] of cases)
    test(`${file}: ${right}`, async (t) => {
      const facts = await heard(file);
      if (facts === null) return t.skip(`needs ../shared/media/wild/${file}`);
      check(facts);
    });
});
