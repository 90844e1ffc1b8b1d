import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { progressParts } from '../../src/pipeline/stages/stage-tools.ts';
import { clicks, SAMPLE_RATE } from '../support/audio.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { kickedSong } from '../support/edit-material.ts';

const folder = temporaryFolder();
const workRoot = join(folder, 'work');
const studio = new Studio({ workRoot });

/** 16-bit PCM (RIFF WAVE). */
function wav(samples: Float32Array): Buffer {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write('RIFF');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(SAMPLE_RATE, 24);
  bytes.writeUInt32LE(SAMPLE_RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [n, value] of samples.entries()) bytes.writeInt16LE(Math.round(value * 32_000), 44 + n * 2);
  return bytes;
}

test('a sound-only file is measured, and its sound alone is followed', async () => {
  const path = join(folder, 'clicks.wav');
  writeFileSync(path, wav(clicks(120, 8)));
  const fractions: number[] = [];
  const analysis = await studio.analyze(path, { onProgress: (fraction) => fractions.push(fraction) });
  assert.ok(analysis.kind === 'audio');
  assert.ok(Math.abs(analysis.audio.durationSeconds - 8) < 0.01);
  assert.ok(Math.abs(analysis.audio.tempo!.bpm - 120) < 1);
  assert.deepEqual(
    fractions,
    [...fractions].sort((a, b) => a - b),
  );
  const style = await studio.extract(path);
  assert.deepEqual([style.source_kind, Math.round(style.tempo_bpm!)], ['audio', 120]);
  const source = await makeClip(folder, { name: 'voiced', durationSeconds: 1.5 });
  const look = { template: kickedSong(folder) };
  const { timeline, warnings } = await studio.plan({ source, look });
  const own = await studio.plan({ source, look: null });
  const pictureOf = ({ clips, ...plan }: typeof timeline) => ({
    ...{ ...plan, audio: null },
    shown: clips.map(({ from, to }) => ({ from, to }))[0],
    seconds: clips.at(-1)!.sourceEndSeconds,
  });
  assert.deepEqual(pictureOf(timeline), pictureOf(own.timeline));
  assert.notDeepEqual(timeline.audio, own.timeline.audio);
  // The song has −24 LUFS: too quiet for a video.
  assert.deepEqual(
    warnings.map(({ code }) => code),
    [...own.warnings.map(({ code }) => code), 'LOUDNESS_LIMITED'],
  );
  const page = await studio.report(path);
  assert.ok(page.includes('</b> clicks.wav</p>'));
  assert.match(page.match(/aria-label="Waveform[^"]*"/)![0], /with \d\d beats/);
  assert.ok(page.includes('The file has no picture'));
});

test('an abort ends the work and leaves nothing', async () => {
  const clip = await makeClip(folder, { name: 'clip' });
  const abort = new AbortController();
  const output = join(folder, 'out.mp4');
  const reason = new Error('enough');
  const work = studio.apply(
    { source: clip, output, look: null },
    { signal: abort.signal, onProgress: () => abort.abort(reason) },
  );
  await assert.rejects(work, reason);
  assert.deepEqual(readdirSync(workRoot), []);
  assert.ok(!existsSync(output));
});

test('a clip can be its own template, and nothing is left of the work', async () => {
  const clip = await makeClip(folder, { name: 'own', durationSeconds: 1 });
  const output = join(folder, 'own-out.mp4');
  const fractions: number[] = [];
  const { plan } = await studio.apply(
    { source: clip, output, look: { template: clip } },
    { onProgress: (fraction) => fractions.push(fraction) },
  );
  assert.ok(plan.timeline.clips.length > 0);
  assert.ok(existsSync(output));
  assert.deepEqual(
    fractions,
    [...fractions].sort((a, b) => a - b),
  );
  assert.deepEqual(readdirSync(workRoot), []);
});

test('what takes more memory than there is, is refused before any work', async () => {
  const large = await makeClip(folder, { name: 'large', width: 1280, height: 720, durationSeconds: 0.6 });
  const request = { source: large, output: join(folder, 'large-out.mp4'), config: { quality: 'ultra' } };
  const small = new Studio({ workRoot, memoryBytes: 33e7 });
  // The template would be read first: it is not even there.
  for (const look of [null, { template: join(folder, 'none.mp4') }]) {
    await assert.rejects(small.apply({ ...request, look }), {
      code: 'INPUT_LIMIT_EXCEEDED',
      message: /1280×720 at quality "ultra" takes about 0\.[4-6] GB .* (quality "low"|no quality) would fit/,
    });
  }
});

for (const { weights, expected } of [
  { weights: [1, 1], expected: [0, 0.5, 0.5, 1] },
  { weights: [3, 1], expected: [0, 0.75, 0.75, 1] },
  { weights: [1, 0], expected: [0, 1, 1, 1] },
  { weights: [0], expected: [0, 0] },
]) {
  test(`parts of weight ${weights.join(' and ')} follow each other`, () => {
    const seen: number[] = [];
    for (const part of progressParts((fraction) => seen.push(fraction), weights)) {
      part(0);
      part(1);
    }
    assert.deepEqual(seen, expected);
  });
}
