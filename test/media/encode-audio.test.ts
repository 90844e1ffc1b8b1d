import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSamples } from '../../src/media/decode/samples.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { noiseSource } from '../support/moving-picture.ts';

const CEILING = 0.84;

test('the encoder raises the peaks of loud drums by less than 1 dB', async () => {
  const noise = noiseSource(3);
  let [hiss, loudest] = [0, 0];
  // Eighths at 120 BPM: a kick under a snare, driven softly into the ceiling.
  const audio = (seconds: number) => {
    const since = seconds % 0.25;
    hiss += 0.05 * (noise() - hiss);
    const kick = Math.sin(2 * Math.PI * 55 * since) * Math.exp(-12 * since);
    const value = CEILING * Math.tanh(2 * kick + 13 * hiss * Math.exp(-25 * since));
    loudest = Math.max(loudest, Math.abs(value));
    return value;
  };
  const path = await makeClip(temporaryFolder(), { name: 'drums', durationSeconds: 6, audio });
  let peak = 0;
  for await (const { channels } of openSamples(path, { sampleRate: 48_000, channels: 'stereo' })) {
    for (const value of channels[0]) peak = Math.max(peak, Math.abs(value));
  }
  const raisedDb = 20 * Math.log10(peak / loudest);
  assert.ok(raisedDb < 1, `${raisedDb.toFixed(2)} dB`);
});
