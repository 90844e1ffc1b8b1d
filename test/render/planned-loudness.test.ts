/** The gain of a plan as data against the loudness of the sound that the renderer assembles. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { LoudnessMeter } from '../../src/analysis/loudness/loudness.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { plannedGainDb } from '../../src/render/sound/planned-loudness.ts';
import { timelineSound } from '../../src/render/sound/timeline-sound.ts';
import type { AudioPlan, SoundSpan, Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const SECONDS = 24;
const TARGET_LUFS = -16;
const AUDIO: AudioPlan = { equalizer: [], compressor: null, targetLufs: TARGET_LUFS, truePeakDbtp: null };
const stereo = { sampleRate: 48_000, channels: 2 } as const;

/** Speech-like: loud phrases, quiet ones from 12 s on. */
const voice = (seconds: number) =>
  (seconds < 12 ? 0.4 : 0.06) * Math.sin(2 * Math.PI * 440 * seconds) * (seconds % 3 < 2.4 ? 1 : 0.02);
const tone = (seconds: number) => 0.2 * Math.sin(2 * Math.PI * 880 * seconds);

async function loudnessOf(blocks: AsyncIterable<readonly Float32Array[]>) {
  const meter = new LoudnessMeter(stereo);
  for await (const block of blocks) meter.push(block);
  return meter.finish();
}

async function factsOf(path: string) {
  const channels = async function* () {
    for await (const block of openSamples(path, { ...stereo, channels: 'stereo' })) yield block.channels;
  };
  return { loudness: await loudnessOf(channels()) };
}

describe('the gain of a plan', async () => {
  const take = await makeClip(folder, { name: 'take', durationSeconds: SECONDS, audio: voice });
  const song = join(folder, 'song.wav');
  const samples = Float32Array.from({ length: 48_000 * SECONDS }, (_, at) => tone(at / 48_000));
  writeWave(song, stereo.sampleRate, [samples, samples]);
  const sound = { takes: [await factsOf(take)], music: await factsOf(song) };

  const assertNear = async (timeline: Timeline) => {
    const assembled = timelineSound(timeline, { takePaths: [take], musicPath: song });
    const { integratedLufs } = await loudnessOf(assembled.blocks());
    const gainDb = plannedGainDb(timeline, sound);
    const error = gainDb - (TARGET_LUFS - integratedLufs!);
    assert.ok(Math.abs(error) <= 1, `${gainDb.toFixed(2)} dB is off by ${error.toFixed(2)} LU`);
  };

  test('brings a cut source to its loudness, for any remaining part', async () => {
    for (const clips of [
      [timelineClip(0, SECONDS)],
      [timelineClip(0, 6)],
      [timelineClip(13, 23)],
      [timelineClip(2, 8), timelineClip(14, 20, { reason: 'trim' })],
    ])
      await assertNear({ ...timelineOf(clips), audio: AUDIO });
  });

  test('brings a mix of takes and a ducked song to its loudness', async () => {
    const span = (source: SoundSpan['source'], from: number, startSeconds: number, endSeconds: number) => ({
      ...{ source, sourceStartSeconds: from, startSeconds, endSeconds },
      ...{ gainDb: 0, fadeInSeconds: 0.02, fadeOutSeconds: 0.02 },
    });
    const musicGain = [
      { timeSeconds: 0, gainDb: 0 },
      { timeSeconds: 4, gainDb: 0 },
      { timeSeconds: 4.2, gainDb: -12 },
      { timeSeconds: 9, gainDb: -12 },
      { timeSeconds: 9.6, gainDb: 0 },
    ];
    const timeline = { ...timelineOf([timelineClip(0, 16)]), audio: AUDIO };
    await assertNear({ ...timeline, sound: { spans: [span('music', 2, 0, 16)], musicGain: [] } });
    const spans = [span('music', 2, 0, 16), { ...span(0, 13, 4, 9), gainDb: 6 }];
    await assertNear({ ...timeline, sound: { spans, musicGain } });
  });

  test('is 0 where no loudness is planned', () => {
    const audio = { ...AUDIO, targetLufs: null };
    assert.equal(plannedGainDb({ ...timelineOf([timelineClip(0, 6)]), audio }, sound), 0);
  });
});
