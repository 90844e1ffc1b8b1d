/** Expired uploads, on disk and in a real bucket: their rows and all their bytes are removed. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import type { BlobStore } from '../../src/storage/blob-store.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import type { PartialBlobs } from '../../src/storage/partial-blobs.ts';
import { PartialFiles } from '../../src/storage/partial-files.ts';
import { newS3Client } from '../../src/storage/s3-client.ts';
import { S3PartialBlobs } from '../../src/storage/s3-partial-blobs.ts';
import { openS3Store } from '../../src/storage/s3-store.ts';
import { temporaryFolder } from '../support/clips.ts';
import { type JobsService, openService } from '../support/jobs.ts';
import { newBucket, s3Missing } from '../support/s3.ts';
import { openUploads, pieceOf } from '../support/uploads.ts';

const DAY_MS = 24 * 3_600_000;
/** More than a part of a multipart upload. */
const SENT = 9 * 2 ** 20;

interface Place {
  readonly blobs: BlobStore;
  readonly partials: PartialBlobs;
  readonly left: () => Promise<number>;
}

async function onDisk(): Promise<Place> {
  const folder = temporaryFolder();
  const blobs = await openFileStore(join(folder, 'blobs'));
  const uploads = join(folder, 'uploads');
  return { blobs, partials: new PartialFiles(uploads, blobs), left: async () => readdirSync(uploads).length };
}

async function inBucket(): Promise<Place> {
  const settings = await newBucket();
  const blobs = await openS3Store(settings, temporaryFolder());
  const client = newS3Client(settings);
  const left = async () => {
    const list = new ListMultipartUploadsCommand({ Bucket: settings.bucket });
    const { Uploads = [] } = await client.send(list);
    return Uploads.length + (await Array.fromAsync(blobs.list('uploads/'))).length;
  };
  return { blobs, partials: new S3PartialBlobs(settings, blobs), left };
}

for (const [name, open, skip] of [
  ['disk', onDisk, null],
  ['S3', inBucket, s3Missing()],
] as const) {
  describe(`a sweep of uploads: ${name}`, { skip: skip ?? false }, () => {
    let service: JobsService;
    before(async () => {
      service = await openService();
    });
    after(() => service[Symbol.asyncDispose]());

    test('removes expired uploads with their parts, and no others', async () => {
      const place = await open();
      const uploads = await openUploads(service, place);
      const started = async () => {
        const { uploadId } = await uploads.create({
          lengthBytes: 2 * SENT,
          fileName: 'clip.mp4',
          metadata: null,
          client: 'a',
        });
        await uploads.append(uploadId, pieceOf([randomBytes(SENT)]));
        return uploadId;
      };
      const [old, young] = [await started(), await started()];
      await service.database.query(
        `update uploads set expires_at = now() + interval '2 days' where upload_id = $1`,
        [young],
      );
      const both = await place.left();
      await uploads.sweep(new Date(Date.now() + DAY_MS + 1000));
      await assert.rejects(uploads.get(old), { code: 'UPLOAD_NOT_FOUND' });
      assert.equal((await uploads.get(young)).arrived.offsetBytes, SENT);
      assert.equal(await place.left(), both / 2);
      await uploads.remove(young);
      assert.equal(await place.left(), 0);
      await uploads.stop();
    });

    test('continues after an upload that cannot be removed, and reports it', async () => {
      const place = await open();
      const broken = new Set<string>();
      const partials = new Proxy(place.partials, {
        get(target, name: keyof PartialBlobs) {
          if (name !== 'remove') return target[name].bind(target as never);
          return async (...[id, arrived]: Parameters<PartialBlobs['remove']>) => {
            if (broken.has(id)) throw new Error(`${id} is on a broken disk`);
            await target.remove(id, arrived);
          };
        },
      });
      const uploads = await openUploads(service, { ...place, partials });
      const started = async () => {
        const { uploadId } = await uploads.create({
          ...{ lengthBytes: 2 * SENT, fileName: 'clip.mp4', metadata: null, client: 'a' },
        });
        await uploads.append(uploadId, pieceOf([randomBytes(1000)]));
        return uploadId;
      };
      const [first, second, third] = [await started(), await started(), await started()];
      broken.add(first);
      const late = new Date(Date.now() + DAY_MS + 1000);
      await assert.rejects(uploads.sweep(late), (error) => {
        assert.ok(error instanceof AggregateError);
        assert.match(String(error.errors), new RegExp(first));
        return true;
      });
      assert.equal((await uploads.get(first)).arrived.offsetBytes, 1000);
      for (const id of [second, third]) await assert.rejects(uploads.get(id), { code: 'UPLOAD_NOT_FOUND' });
      broken.clear();
      await uploads.sweep(late);
      await assert.rejects(uploads.get(first), { code: 'UPLOAD_NOT_FOUND' });
      await uploads.stop();
    });
  });
}
