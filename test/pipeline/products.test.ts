/** The last stage of an analysis and of a draft, on a storage that takes its time. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { stageRunner } from '../../src/pipeline/stages/stage-table.ts';
import type { BlobStore } from '../../src/storage/blob-store.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch } from '../../src/storage/storage-watch.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const workRoot = join(folder, 'work');
const files = await openFileStore(join(folder, 'blobs'));
/** The same store, in which storing a file takes a moment. */
const slow = new Proxy(files, {
  get(store, name: keyof BlobStore) {
    if (name !== 'putFile') return store[name].bind(store);
    return async (key: string, path: string) => {
      await sleep(100);
      return store.putFile(key, path);
    };
  },
});
const clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
await files.put('videos/clip', createReadStream(clip));
const engine = new MediaEngine({ workRoot, idleSeconds: 60 });
const storage = new StorageWatch({ logger: pino({ level: 'silent' }), check: async () => {} });
const runStage = stageRunner({ engine, blobs: slow, storage, segmentSeconds: 30 });

for (const { product, name, contentType, begins } of [
  {
    product: { kind: 'analysis' },
    name: 'report.html',
    contentType: /^text\/html/,
    begins: /^<!doctype html>/,
  },
  {
    product: { kind: 'draft', startSeconds: 0.2, durationSeconds: 0.5 },
    name: 'draft.mp4',
    contentType: /^video\/mp4$/,
    begins: /^....ftyp/s,
  },
] as const) {
  test(`${name} is stored whole, and nothing is left`, async () => {
    const { publication } = await runStage({
      jobId: product.kind,
      attempt: 1,
      stage: 'rendering',
      product,
      source: {
        videoId: 'clip',
        sha256: createHash('sha256').update(readFileSync(clip)).digest('hex'),
        blobKey: 'videos/clip',
        filename: 'clip.mp4',
        durationSeconds: 1,
        width: 320,
        height: 180,
      },
      template: null,
      style: null,
      config: jobConfigSchema.parse({ quality: 'low' }),
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    const { output, artifacts } = publication!;
    assert.deepEqual([output.name, artifacts], [name, []]);
    assert.match(output.contentType, contentType);
    const bytes = await buffer(await files.get(output.blobKey));
    assert.equal(bytes.length, output.sizeBytes);
    assert.equal(createHash('sha256').update(bytes).digest('hex'), output.sha256);
    assert.match(bytes.toString('latin1', 0, 100), begins);
    assert.deepEqual(readdirSync(workRoot), []);
  });
}
