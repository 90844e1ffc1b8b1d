/** Files with several tracks, of which one is used; its gaps are reported in seconds. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { probeFile } from '../../src/media/read/probe.ts';
import { temporaryFolder } from '../support/clips.ts';
import { beepsOf, flashesOf, flashingClip } from '../support/flash-and-beep.ts';
import { remuxTracks } from '../support/remux-tracks.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const clip = await flashingClip(folder, 'clip', 4, [0.6, 3.4]);
const FRAME_SECONDS = 1 / 25;

async function warningsOf(path: string) {
  return (await probeFile(path, { maxDurationSeconds: 60 })).warnings;
}

test('the first sound track that can be decoded is used, behind two that cannot', async () => {
  const path = join(folder, 'three.mkv');
  const sound = { kind: 'sound' } as const;
  await remuxTracks(clip, 'matroska', path, [{ kind: 'picture' }, sound, sound, sound]);
  let text = readFileSync(path, 'latin1');
  for (let track = 0; track < 2; track++) text = text.replace('A_AAC', 'A_QQQ');
  writeFileSync(path, text, 'latin1');
  const [warning, ...others] = await warningsOf(path);
  assert.deepEqual(others, []);
  assert.equal(warning!.code, 'SOUND_TRACK_SKIPPED');
  assert.match(warning!.message, /^2 sound tracks cannot be decoded .*sound track 3 is used/);
  const output = join(folder, 'three-output.mp4');
  const { warnings } = await studio.apply({ source: path, output, look: null, config: { quality: 'low' } });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['SOUND_TRACK_SKIPPED'],
  );
  const beeps = await beepsOf(output);
  const flashes = await flashesOf(output);
  assert.equal(beeps.length, 2, `${beeps}`);
  for (const [n, beep] of beeps.entries())
    assert.ok(Math.abs(beep - flashes.seconds[n]) <= FRAME_SECONDS, `${beeps}, ${flashes.seconds}`);
});

for (const [kind, other, code] of [
  ['sound', 'picture', 'SOUND_TRACK_LEFT_OUT'],
  ['picture', 'sound', 'PICTURE_TRACK_LEFT_OUT'],
] as const)
  test(`a second ${kind} track that continues after the end of the first is reported: ${code}`, async () => {
    const path = join(folder, `${kind}.mkv`);
    await remuxTracks(clip, 'matroska', path, [
      { kind: other },
      { kind, toSeconds: 3 },
      { kind, fromSeconds: 3 },
    ]);
    const found = (await warningsOf(path)).filter((one) => one.code === code);
    assert.equal(found.length, 1);
    const seconds = Number(/: (\d+\.\d) s of it/.exec(found[0].message)?.[1]);
    assert.ok(Math.abs(seconds - 1) <= 0.15, found[0].message);
  });
