/** Results for a file whose clock starts late and jumps: output, comparison and draft. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { temporaryFolder } from '../support/clips.ts';
import { beepsOf, flashesOf, flashingClip } from '../support/flash-and-beep.ts';
import { remux } from '../support/remux.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const FRAME_SECONDS = 1 / 25;

test('flashes and beeps of a joined transport stream are one moment in output, comparison and draft', async () => {
  const clip = await flashingClip(folder, 'clip', 2, [0.6, 1.4]);
  const piece = join(folder, 'piece.ts');
  await remux(clip, 'mpegts', piece, () => 0, 9.88);
  const source = join(folder, 'joined.ts');
  writeFileSync(source, Buffer.concat([readFileSync(piece), readFileSync(piece)]));
  const [output, comparison, draft] = ['output', 'comparison', 'draft'].map((name) =>
    join(folder, `${name}.mp4`),
  );
  const edit = { source, look: null, config: { quality: 'low' } } as const;
  const { warnings } = await studio.apply({ ...edit, output: output!, comparison: comparison! });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['CLOCK_JUMPS'],
  );
  await studio.draft({ ...edit, output: draft!, startSeconds: 1, durationSeconds: 3 });
  for (const [path, moments, frames] of [
    [output!, [0.6, 1.4, 2.6, 3.4], 100],
    [comparison!, [0.6, 1.4, 2.6, 3.4], 100],
    [draft!, [0.4, 1.6, 2.4], 75],
  ] as const) {
    const [flashes, beeps] = [await flashesOf(path), await beepsOf(path)];
    assert.ok(Math.abs(flashes.frames - frames) <= 1, `${flashes.frames} frames`);
    assert.equal(flashes.seconds.length, moments.length, `${flashes.seconds}`);
    for (const [n, moment] of moments.entries()) {
      assert.ok(Math.abs(flashes.seconds[n] - moment) <= FRAME_SECONDS, `${flashes.seconds}`);
      assert.ok(Math.abs(beeps[n] - moment) <= FRAME_SECONDS, `${beeps}`);
    }
  }
  const style = await studio.extract(source);
  assert.ok(Object.values(style).every((value) => value !== null && !Number.isNaN(value)));
  assert.ok(Math.abs(style.source_duration_seconds - 4) <= FRAME_SECONDS, `${style.source_duration_seconds}`);
});
