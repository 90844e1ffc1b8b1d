import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AssembledSound } from '../../src/render/sound/assembled-sound.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { temporaryFolder } from '../support/clips.ts';
import { timelineClip } from '../support/timeline-clip.ts';
import { writeWave } from '../support/wave-file.ts';

const RATE = 48_000;
const SECONDS = 5;
const BYTES = 2 * 4 * RATE * (SECONDS - 1);
const folder = temporaryFolder();
/** The second from 2 to 3 is left out. */
const clips = [timelineClip(0, 2), timelineClip(3, SECONDS)];

function noise(name: string): string {
  const random = seededRandom(3);
  const channel = () => Float32Array.from({ length: SECONDS * RATE }, () => random() - 0.5);
  return writeWave(join(folder, `${name}.wav`), RATE, [channel(), channel()]);
}

async function heard(sound: AssembledSound): Promise<Buffer> {
  const blocks = await Array.fromAsync(sound.blocks());
  assert.equal(
    blocks.reduce((sum, [left]) => sum + left.length, 0),
    sound.totalSamples,
  );
  return Buffer.concat(
    blocks.flat().map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
}

test('cached sound can be read again after the file is deleted', async () => {
  const path = noise('cached');
  const sound = new AssembledSound(path, { clips }, BYTES);
  const first = await heard(sound);
  assert.equal(first.length, BYTES);
  rmSync(path);
  assert.deepEqual(await heard(sound), first);
});

test('sound too long for the cache is decoded again, with the same result', async () => {
  const path = noise('read');
  const sound = new AssembledSound(path, { clips }, BYTES - 1);
  const first = await heard(sound);
  assert.deepEqual(await heard(sound), first);
  rmSync(path);
  await assert.rejects(heard(sound), { code: 'ENOENT' });
});

test('sound that was not read to its end is not cached', async () => {
  const sound = new AssembledSound(noise('part'), { clips });
  for await (const [left] of sound.blocks()) {
    assert.ok(left.length < sound.totalSamples);
    break;
  }
  assert.equal((await heard(sound)).length, BYTES);
});
