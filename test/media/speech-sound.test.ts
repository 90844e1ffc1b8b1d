import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInput } from '../../src/media/av/open-input.ts';
import { writeSpeechSound } from '../../src/media/read/speech-sound.ts';
import { temporaryFolder } from '../support/clips.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const RATE = 48_000;

/** Stereo: a tone of 440 Hz that is silent in these spans. */
function tone(name: string, seconds: number, ...silent: readonly (readonly [number, number])[]): string {
  const samples = Float32Array.from({ length: seconds * RATE }, (_, n) =>
    silent.some(([start, end]) => n >= start * RATE && n < end * RATE)
      ? 0
      : 0.5 * Math.sin((2 * Math.PI * 440 * n) / RATE),
  );
  return writeWave(join(folder, `${name}.wav`), RATE, [samples, samples]);
}

async function pieces(path: string, lengths = {}) {
  using input = await openInput(path);
  return await writeSpeechSound(input, { folder, onProgress: () => {}, ...lengths });
}

/** Of the PCM in a file: Hz of the tone by its crossings of zero, and the peak. */
function heard(path: string) {
  const bytes = readFileSync(path);
  assert.equal(bytes.toString('latin1', 0, 4), 'RIFF');
  assert.deepEqual([bytes.readUInt16LE(22), bytes.readUInt32LE(24), bytes.readUInt16LE(34)], [1, 16_000, 16]);
  assert.equal(bytes.readUInt32LE(40), bytes.length - 44);
  const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset + 44, bytes.byteOffset + bytes.length));
  let crossings = 0;
  for (let n = 1; n < samples.length; n++) if (samples[n - 1] < 0 !== samples[n] < 0) crossings++;
  const seconds = samples.length / 16_000;
  return {
    seconds,
    hertz: crossings / 2 / seconds,
    peak: samples.reduce((peak, one) => Math.max(peak, one), 0),
  };
}

test('the sound is written as WAV of 16 kHz, mono', async () => {
  const [piece, ...others] = await pieces(tone('short', 3));
  assert.equal(others.length, 0);
  assert.deepEqual([piece.startSeconds, piece.durationSeconds], [0, 3]);
  const { seconds, hertz, peak } = heard(piece.path);
  assert.equal(seconds, 3);
  assert.ok(Math.abs(hertz - 440) < 2, `${hertz} Hz`);
  assert.ok(Math.abs(peak / 32767 - 0.5) < 0.02, `peak ${peak}`);
});

test('a long sound is divided where it is quiet', async () => {
  const path = tone('long', 10, [3.2, 3.5], [6.5, 6.7]);
  const found = await pieces(path, { maxPieceSeconds: 4, splitSeconds: 1 });
  const starts = found.map(({ startSeconds }) => startSeconds);
  assert.equal(starts[0], 0);
  assert.ok(starts[1] > 3.2 && starts[1] < 3.5, `${starts}`);
  assert.ok(starts[2] > 6.5 && starts[2] < 6.7, `${starts}`);
  for (const [index, { startSeconds, durationSeconds, path: file }] of found.entries()) {
    assert.equal(startSeconds + durationSeconds, starts[index + 1] ?? 10);
    assert.equal(heard(file).seconds, durationSeconds);
  }
});

test('a sound that is too short for an engine gives no piece', async () => {
  assert.deepEqual(await pieces(tone('tiny', 0.1)), []);
});
