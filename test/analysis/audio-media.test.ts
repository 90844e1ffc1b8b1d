import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { beatScore, beatTimes } from '../support/audio.ts';
import { mediaPath } from '../support/media.ts';

async function analyse(path: string) {
  let analysis: AudioAnalysis | undefined;
  for await (const block of openSamples(path, { sampleRate: 44100, channels: 'source' })) {
    analysis ??= new AudioAnalysis({ sampleRate: 44100, channels: block.channels.length });
    analysis.push(block);
  }
  return analysis!.finish();
}

describe('beats of real music', () => {
  const songs = [
    { file: 'music/808kick_120bpm.mp3', bpm: 120, offset: 0 },
    { file: 'music/loop_amen_full_x4_140bpm.flac', bpm: 140, offset: 0 },
    { file: 'music/feelings_95bpm_60s.ogg', bpm: 95, offset: 0.03 },
    { file: 'edits/edit_vertical_a.mp4', bpm: 120, offset: 0 },
  ];
  for (const { file, bpm, offset } of songs) {
    it(`of ${file}`, async (t) => {
      const path = mediaPath(file);
      if (path === null) return t.skip(`needs ../shared/media/${file}`);
      const facts = await analyse(path);
      assert.ok(Math.abs(facts.tempo!.bpm / bpm - 1) < 0.002, `${facts.tempo!.bpm} BPM`);
      const times = facts.beats.map((beat) => beat.timeSeconds);
      const score = beatScore(times, beatTimes(bpm, offset, facts.durationSeconds));
      assert.ok(score >= 0.9, `F ${score}`);
      assert.ok(facts.speech.share < 0.15, `speech ${facts.speech.share}`);
    });
  }
});

describe('sound without a beat', () => {
  const clips = [
    { file: 'video/mdn_friday_speech.mp4', speech: [0.8, 1], genre: 'speech' },
    { file: 'video/bbb_0_23s_timecode.mp4', speech: [0, 0.05], genre: 'unknown' },
    // Described as speech, but its sound track is silent after the first half second.
    { file: 'video/greenscreen_speech.mp4', speech: [0, 0], genre: 'silence' },
  ];
  for (const { file, speech, genre } of clips) {
    it(`of ${file}`, async (t) => {
      const path = mediaPath(file);
      if (path === null) return t.skip(`needs ../shared/media/${file}`);
      const facts = await analyse(path);
      assert.equal(facts.tempo, null);
      assert.ok(facts.speech.share >= speech[0] && facts.speech.share <= speech[1], `${facts.speech.share}`);
      assert.equal(facts.genre.name, genre);
    });
  }
});
