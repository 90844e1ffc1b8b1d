/** Samples that are no numbers are silent, in measurements and outputs, and are reported. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { drawBlocks, makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { addSound } from '../support/sound-track.ts';
import { writeWave } from '../support/wave-file.ts';

const folder = temporaryFolder();
const SIZE = { width: 480, height: 270 };
const RATE = 48_000;
const SECONDS = 6;
const FAULT_SECONDS = 2;
const FAULT_SAMPLES = 100;
const studio = new Studio({ workRoot: join(folder, 'work') });

/** A tone with a beat each half second; `fault` replaces 100 samples at 2 s. */
function toneWith(fault: number): Float32Array {
  const samples = Float32Array.from({ length: RATE * SECONDS }, (_, n) => {
    const decay = Math.exp(-(n % (RATE / 2)) / 6000);
    return 0.5 * Math.sin((2 * Math.PI * 330 * n) / RATE) * (0.3 + 0.7 * decay);
  });
  samples.fill(fault, FAULT_SECONDS * RATE, FAULT_SECONDS * RATE + FAULT_SAMPLES);
  return samples;
}

function wave(name: string, fault: number): string {
  const samples = toneWith(fault);
  return writeWave(join(folder, `${name}.wav`), RATE, [samples, samples]);
}

async function samplesOf(path: string, channels: 'stereo' | 'mono' | 'source'): Promise<Float32Array> {
  const all: number[] = [];
  for await (const block of openSamples(path, { sampleRate: RATE, channels }))
    all.push(...block.channels[0]!);
  return Float32Array.from(all);
}

/** Each half second of the sound is audible. */
async function assertSound(path: string, fromSeconds: number, toSeconds: number): Promise<void> {
  const samples = await samplesOf(path, 'stereo');
  assert.ok(samples.every(Number.isFinite), 'a sample is no number');
  for (let at = fromSeconds; at + 0.5 <= toSeconds; at += 0.5) {
    const part = samples.subarray(Math.round(at * RATE), Math.round((at + 0.5) * RATE));
    const level = Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);
    assert.ok(level > 0.001, `${level} at ${at} s`);
  }
}

const FAULTS = [
  ['NaN', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['minus infinity', Number.NEGATIVE_INFINITY],
  ['beyond any level', 1e30],
] as const;
const REPORT = /0\.002 s of the sound, at (1\.9|2\.0) s, have samples that are not numbers, or infinite/;

describe('samples', () => {
  const silent: { [channels in 'stereo' | 'mono' | 'source']?: Float32Array } = {};
  for (const [name, fault] of FAULTS) {
    for (const channels of ['stereo', 'mono', 'source'] as const)
      test(`${name}, ${channels}: silent where they were, all others unchanged`, async () => {
        const found = await samplesOf(wave('faulty', fault), channels);
        silent[channels] ??= await samplesOf(wave('silent', 0), channels);
        assert.deepEqual(found, silent[channels]);
      });
  }
});

const found = (warnings: readonly { code: string; message: string }[]) =>
  warnings.filter(({ code }) => code === 'SOUND_SAMPLES_INVALID').map(({ message }) => message);

describe('a file with such samples', () => {
  const clip = makeClip(folder, {
    ...SIZE,
    name: 'clip',
    durationSeconds: SECONDS,
    silent: true,
    draw: drawBlocks(SIZE.width, SIZE.height),
  });
  const faulty = async () => addSound(await clip, wave('track', Number.NaN), join(folder, 'faulty.mov'));

  test('is a source: sound around them, and a warning', async () => {
    const output = join(folder, 'source.mp4');
    const { warnings } = await studio.apply({
      ...{ source: await faulty(), look: { preset: 'noir' }, output, config: { quality: 'low' } },
    });
    assert.match(found(warnings)[0] ?? '', REPORT);
    await assertSound(output, 0, SECONDS);
  });

  test('is a take and a song: sound around them, and a warning for each', async () => {
    const output = join(folder, 'edit.mp4');
    const take = { file: await faulty() };
    const { warnings } = await studio.edit({
      ...{ takes: [take], music: wave('song', Number.NaN), look: { preset: 'noir' }, output },
      ...{ config: { quality: 'low' }, options: { sound: 'mix', duration: 4, musicStartSeconds: 0 } },
    });
    const [ofTake, ofSong] = found(warnings);
    assert.match(ofTake ?? '', /^Take 1: /);
    assert.match(ofSong ?? '', /^The song: /);
    assert.match(ofSong ?? '', REPORT);
    await assertSound(output, 0, 3);
  });

  test('is a template: a warning', async () => {
    const plain = await makeClip(folder, { name: 'plain', durationSeconds: 3 });
    const { warnings } = await studio.plan({ source: plain, look: { template: await faulty() } });
    assert.match(found(warnings)[0] ?? '', /^The template: /);
    const ofSound = await studio.plan({ source: plain, look: { template: wave('look', Number.NaN) } });
    assert.match(found(ofSound.warnings)[0] ?? '', /^The template: /);
    assert.match(found(ofSound.warnings)[0] ?? '', REPORT);
  });
});

const wild = mediaPath('wild/float-with-nan.wav');
test('a song of a public report', { skip: wild === null && 'needs ../shared/media/wild' }, async () => {
  const samples = await samplesOf(wild!, 'stereo');
  assert.ok(samples.every(Number.isFinite));
  assert.ok(samples.some((value) => Math.abs(value) > 0.01));
});
