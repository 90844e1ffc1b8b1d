/** Beats of pieces with a bass, which need not play on them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { electronicSounds, emptyTrack, finishTrack, playPart } from '../../bench/generate/band.ts';
import type { Groove } from '../../bench/generate/grooves.ts';
import { layBeats, steady } from '../../bench/generate/metre.ts';
import { Random } from '../../bench/generate/random.ts';
import { beatFMeasure } from '../../bench/score/beats.ts';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { blocksOf } from '../support/audio.ts';

const SECONDS = 14;
const LEVELS = { kick: 1, snare: 0.8, hat: 0.3, open: 0.5, bass: 0.6, chords: 0.35, lead: 0 };
const FOUR = 'x...x...x...x...';
const OFF = '..x...x...x...x.';

describe('beats against a bass', () => {
  const cases: [string, number, Groove][] = [
    [
      'bass, chords and open hats off the beat',
      126,
      { beats: 4, kick: FOUR, snare: '....x.......x...', open: OFF, bass: OFF, chords: OFF },
    ],
    [
      'bass in the three sixteenths after the kick',
      134,
      { beats: 4, kick: FOUR, open: OFF, bass: '.xxx.xxx.xxx.xxx' },
    ],
    ['bass on the beat', 122, { beats: 4, kick: FOUR, hat: 'x.x.x.x.x.x.x.x.', bass: FOUR }],
  ];
  for (const [name, bpm, groove] of cases) {
    it(name, () => {
      const random = new Random(bpm);
      const metre = layBeats(steady(bpm), { from: 0.2, to: SECONDS });
      const track = emptyTrack(SECONDS);
      playPart(
        track,
        metre,
        { groove, sounds: electronicSounds(random), levels: LEVELS, looseSeconds: 0 },
        random,
      );
      const analysis = new AudioAnalysis({ sampleRate: 44_100, channels: 1 });
      for (const block of blocksOf([finishTrack(track, 0.8, random)])) analysis.push(block);
      const { beats, tempo } = analysis.finish();
      const f = beatFMeasure(
        beats.map(({ timeSeconds }) => timeSeconds),
        metre.beatsSeconds,
      );
      assert.ok(f >= 0.95, `F ${f} at ${tempo?.bpm} BPM`);
    });
  }
});
