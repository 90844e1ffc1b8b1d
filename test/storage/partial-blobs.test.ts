/** Files that arrive in pieces, on disk and in a real bucket: one contract. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { v7 as newId } from 'uuid';
import type { BlobStore } from '../../src/storage/blob-store.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import type { PartialBlobs, UploadProgress } from '../../src/storage/partial-blobs.ts';
import { PartialFiles } from '../../src/storage/partial-files.ts';
import { newS3Client } from '../../src/storage/s3-client.ts';
import { S3PartialBlobs } from '../../src/storage/s3-partial-blobs.ts';
import { openS3Store } from '../../src/storage/s3-store.ts';
import { temporaryFolder } from '../support/clips.ts';
import { newBucket, s3Missing } from '../support/s3.ts';

const NO_PROGRESS: UploadProgress = { offsetBytes: 0, storeState: null };

interface Place {
  readonly blobs: BlobStore;
  readonly partials: PartialBlobs;
  /** Names of all stored files of incomplete uploads. */
  readonly left: () => Promise<readonly string[]>;
}

const MIB = 2 ** 20;
/** Of the bucket: what S3PartialBlobs takes for one. */
const PART = 8 * MIB;

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 300_000) yield bytes.subarray(at, at + 300_000);
}

function contract(name: string, open: () => Promise<Place>): void {
  describe(`partial blobs: ${name}`, { concurrency: 1 }, () => {
    /** Sends the pieces; each knows only the recorded progress of the one before. */
    async function sent(place: Place, id: string, pieces: readonly Buffer[], from = NO_PROGRESS) {
      let arrived = from;
      for (const piece of pieces) {
        const before = arrived;
        arrived = JSON.parse(
          JSON.stringify(await place.partials.append(id, before, chunks(piece), () => {})),
        ) as UploadProgress;
        assert.equal(arrived.offsetBytes, before.offsetBytes + piece.length);
        await place.partials.removeSuperseded(id, before, arrived);
      }
      return arrived;
    }
    const read = async (blobs: BlobStore, key: string) => buffer(await blobs.get(key));

    for (const [what, sizes] of [
      ['one byte', [1]],
      ['a part to the byte', [PART]],
      ['one byte less, then two', [PART - 1, 2]],
      ['odd pieces over three parts', [5, 3 * MIB, 7 * MIB, 1, 8 * MIB - 7]],
    ] as const) {
      test(`${what}: completed, once and again`, async () => {
        const place = await open();
        const pieces = sizes.map((size) => randomBytes(size));
        const id = newId();
        const arrived = await sent(place, id, pieces);
        for (let times = 0; times < 2; times++) {
          await place.partials.complete(id, arrived, `videos/${id}`);
          assert.ok(Buffer.concat(pieces).equals(await read(place.blobs, `videos/${id}`)));
        }
        assert.deepEqual(await place.left(), []);
      });
    }

    test('late writes of an abandoned writer have no effect', async () => {
      const place = await open();
      const id = newId();
      const [first, second, third] = [randomBytes(PART + 1000), randomBytes(PART), randomBytes(5000)];
      const arrived = await sent(place, id, [first]);
      // Not acknowledged: longer than the bytes that replace it, and different.
      await place.partials.append(id, arrived, chunks(randomBytes(2 * PART)), () => {});
      const whole = await sent(place, id, [second, third], arrived);
      await place.partials.complete(id, whole, `videos/${id}`);
      assert.ok(Buffer.concat([first, second, third]).equals(await read(place.blobs, `videos/${id}`)));
    });

    test('bytes reported as durable exist when the writer ends right afterwards', async () => {
      const place = await open();
      const id = newId();
      const bytes = randomBytes(80 * MIB);
      let durable: UploadProgress = NO_PROGRESS;
      await place.partials.append(id, NO_PROGRESS, chunks(bytes), (now) => {
        durable = now;
      });
      assert.ok(durable.offsetBytes > 0 && durable.offsetBytes <= bytes.length);
      const whole = await sent(place, id, [bytes.subarray(durable.offsetBytes)], durable);
      await place.partials.complete(id, whole, `videos/${id}`);
      assert.ok(bytes.equals(await read(place.blobs, `videos/${id}`)));
    });

    test('after a removal no bytes remain, and missing bytes are reported', async () => {
      const place = await open();
      const id = newId();
      const arrived = await sent(place, id, [randomBytes(PART + 5)]);
      await place.partials.remove(id, arrived);
      assert.deepEqual(await place.left(), []);
      await place.partials.remove(id, arrived);
      const lost = { code: 'UPLOAD_NOT_FOUND' };
      await assert.rejects(
        place.partials.append(id, arrived, chunks(randomBytes(5)), () => {}),
        lost,
      );
      await assert.rejects(place.partials.complete(id, arrived, `videos/${id}`), lost);
    });
  });
}

async function onDisk() {
  const folder = temporaryFolder();
  const blobs = await openFileStore(join(folder, 'blobs'));
  const partials = new PartialFiles(join(folder, 'uploads'), blobs);
  return { blobs, partials, left: async () => readdirSync(join(folder, 'uploads')), folder };
}

contract('disk', onDisk);

test('partial files that no row names are swept when they are old', async () => {
  const { partials, left, folder } = await onDisk();
  for (const id of ['known', 'old', 'young']) {
    await partials.append(id, NO_PROGRESS, chunks(Buffer.from('x')), () => {});
    if (id !== 'young') utimesSync(join(folder, 'uploads', id), 1, 1);
  }
  await partials.sweep(new Date(Date.now() - 60_000), async () => new Set(['known']));
  assert.deepEqual((await left()).toSorted(), ['known', 'young']);
});

async function inBucket(multipartKeptMs?: number): Promise<Place> {
  const settings = await newBucket();
  const blobs = await openS3Store(settings, temporaryFolder());
  const client = newS3Client(settings);
  const left = async () => {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: settings.bucket }));
    const tails: string[] = [];
    for await (const key of blobs.list('uploads/')) tails.push(key);
    return [...Uploads.map(({ Key }) => Key!), ...tails];
  };
  return { blobs, partials: new S3PartialBlobs(settings, blobs, multipartKeptMs), left };
}

if (s3Missing() !== null) test('partial blobs: S3', (t) => t.skip(s3Missing()!));
else {
  contract('S3', inBucket);

  test('old multipart uploads that nobody recorded are swept', async () => {
    const started = async ({ partials }: Place) => {
      await partials.append(newId(), NO_PROGRESS, chunks(randomBytes(PART)), () => {});
      await sleep(1_100);
      await partials.sweep(new Date(), async () => new Set());
    };
    const [young, old] = [await inBucket(), await inBucket(0)];
    await started(young);
    assert.equal((await young.left()).length, 1);
    await started(old);
    assert.deepEqual(await old.left(), []);
  });
}
