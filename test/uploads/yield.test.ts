/** Two requests for one upload: which one must yield. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFileStore } from '../../src/storage/file-store.ts';
import { PartialFiles } from '../../src/storage/partial-files.ts';
import type { ResumableUploads } from '../../src/uploads/resumable-uploads.ts';
import { temporaryFolder } from '../support/clips.ts';
import { type JobsService, openService } from '../support/jobs.ts';
import { openUploads, pieceOf } from '../support/uploads.ts';

/** A sender that is silent for this long yields: more than twice `IDLE_MS` of the uploads. */
const LONG_MS = 500;
const SIZE = 1000;

/** A disk that is slow for each chunk and at the end. */
class SlowFiles extends PartialFiles {
  override async append(...[id, from, bytes, onDurable]: Parameters<PartialFiles['append']>) {
    const slowly = (async function* () {
      for await (const chunk of bytes) {
        yield chunk;
        await sleep(LONG_MS);
      }
    })();
    const arrived = await super.append(id, from, slowly, onDurable);
    await sleep(LONG_MS);
    return arrived;
  }
}

describe('two requests for one upload', () => {
  let service: JobsService;
  let uploads: ResumableUploads;
  before(async () => {
    service = await openService();
    const folder = temporaryFolder();
    const blobs = await openFileStore(join(folder, 'blobs'));
    uploads = await openUploads(service, { blobs, partials: new SlowFiles(join(folder, 'uploads'), blobs) });
  });
  after(async () => {
    await uploads.stop();
    await service[Symbol.asyncDispose]();
  });
  const started = async () =>
    (await uploads.create({ lengthBytes: 4 * SIZE, fileName: 'clip.mp4', metadata: null, client: 'a' }))
      .uploadId;

  test('a piece that waits for a slow storage is not cut off by the same piece once more', async () => {
    const uploadId = await started();
    let interrupted = 0;
    const piece = () => pieceOf([randomBytes(SIZE), randomBytes(SIZE)], () => interrupted++);
    const first = uploads.append(uploadId, piece());
    const second = uploads.append(uploadId, piece());
    const outcomes = await Promise.allSettled([first, second]);
    assert.equal(interrupted, 0);
    const codes = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? outcome.reason.code : outcome.value.arrived.offsetBytes,
    );
    assert.deepEqual(codes, [2 * SIZE, 'UPLOAD_OFFSET_MISMATCH']);
  });

  test('a silent sender yields to another request', async () => {
    const uploadId = await started();
    const removed = Promise.withResolvers<never>();
    const silent = {
      ...pieceOf([], () => removed.reject(new Error('cut off'))),
      announcedBytes: 2 * SIZE,
      bytes: (async function* () {
        yield randomBytes(SIZE);
        await removed.promise;
      })(),
    };
    const first = uploads.append(uploadId, silent);
    await sleep(LONG_MS);
    const [upload] = await Promise.all([uploads.settled(uploadId), assert.rejects(first, /cut off/)]);
    assert.equal(upload.arrived.offsetBytes, SIZE);
  });

  test('an active sender yields to a request that has waited for three seconds', {
    timeout: 20_000,
  }, async () => {
    const uploadId = await started();
    let isCutOff = false;
    const steady = {
      ...pieceOf([], () => {
        isCutOff = true;
      }),
      announcedBytes: 4 * SIZE,
      bytes: (async function* () {
        for (;;) {
          if (isCutOff) throw new Error('cut off');
          yield Buffer.alloc(1);
          await sleep(50);
        }
      })(),
    };
    const folder = temporaryFolder();
    const plain = await openFileStore(join(folder, 'blobs'));
    const quick = await openUploads(service, {
      blobs: plain,
      partials: new PartialFiles(join(folder, 'uploads'), plain),
    });
    const first = quick.append(uploadId, steady);
    await sleep(300);
    const startedMs = performance.now();
    await Promise.all([quick.settled(uploadId), assert.rejects(first, /cut off/)]);
    const waitedMs = performance.now() - startedMs;
    assert.ok(waitedMs > 2_900 && waitedMs < 12_000, `${waitedMs} ms`);
    await quick.stop();
  });
});
