import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { Results } from '../../src/pipeline/stages/results.ts';
import { withPlanInput } from '../../src/pipeline/stages/style-application.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { clipFacts } from '../support/clip-facts.ts';
import { temporaryFolder } from '../support/clips.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const DISK_BYTES = 1 << 20;

test('captions that cannot be written, as on a full disk, leave no folder behind', async (t) => {
  using disk = mountSmallDisk(DISK_BYTES);
  if (disk === null) return t.skip('only root may mount a disk of its own');
  const blobs = await openFileStore(join(temporaryFolder(), 'blobs'));
  const results = new Results(blobs);
  const { video, audio, motion } = clipFacts();
  const sha256 = 'ab'.repeat(32);
  await results.save('video', sha256, video);
  await results.save('audio', sha256, { facts: audio, fingerprint: null });
  await results.save('motion', sha256, motion);
  const source = {
    ...{ videoId: 'v', sha256, blobKey: 'videos/v', filename: 'v.mp4' },
    ...{ durationSeconds: 40, width: 1280, height: 720 },
  };
  const tools = {
    ...{ blobs, results, engine: new MediaEngine({ workRoot: disk.folder, idleSeconds: 10 }) },
    retryWhileStorageDown: <T>(work: () => Promise<T>) => work(),
  };
  const basis = { style: null, template: null, config: jobConfigSchema.parse({}), content: 'x' };
  const withCaptions = (bytes: Buffer) =>
    withPlanInput(
      tools,
      { source, signal: new AbortController().signal },
      { ...basis, captions: { origin: 'file', bytes, sha256 } },
      async ({ captions }) => captions?.origin,
    );
  assert.equal(await withCaptions(Buffer.from('words')), 'file');
  assert.deepEqual(readdirSync(disk.folder), []);
  await assert.rejects(withCaptions(Buffer.alloc(2 * DISK_BYTES)), { code: 'ENOSPC' });
  assert.deepEqual(readdirSync(disk.folder), []);
});
