/** Parts of an upload to S3, cut from a stream; a real bucket behind a line that breaks. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { newS3Client } from '../../src/storage/s3-client.ts';
import { PART_BYTES, PartFiller } from '../../src/storage/s3-parts.ts';
import { putStream } from '../../src/storage/s3-put.ts';
import { openS3Store } from '../../src/storage/s3-store.ts';
import { temporaryFolder } from '../support/clips.ts';
import { newBucket, s3Missing } from '../support/s3.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const MIB = 2 ** 20;

describe('parts cut from a stream', () => {
  for (const [what, begunBytes, pieceBytes, parts, restBytes] of [
    ['nothing', 0, [], 0, 0],
    ['one byte', 0, [1], 0, 1],
    ['all but a byte of a part', 0, [PART_BYTES - 1], 0, PART_BYTES - 1],
    ['a part to the byte', 0, [PART_BYTES], 1, 0],
    ['a part and a byte, in pieces', 0, [65_536, PART_BYTES - 65_535], 1, 1],
    ['one piece over three parts', 0, [3 * PART_BYTES + 5], 3, 5],
    ['what had begun, and odd pieces', 100_000, [7 * MIB, 2 * MIB, 1, 15 * MIB], 3, 100_001],
  ] as const) {
    test(what, () => {
      const started = randomBytes(begunBytes);
      const pieces = pieceBytes.map((size) => randomBytes(size));
      const filling = new PartFiller(started);
      const found: Buffer[] = [];
      const memories = new Set<ArrayBufferLike>();
      for (const piece of pieces)
        for (const part of filling.add(piece)) {
          found.push(Buffer.from(part));
          memories.add(part.buffer);
          filling.release(part);
        }
      assert.deepEqual(
        found.map(({ length }) => length),
        new Array(parts).fill(PART_BYTES),
      );
      assert.equal(filling.rest().length, restBytes);
      assert.ok(Buffer.concat([...found, filling.rest()]).equals(Buffer.concat([started, ...pieces])));
      assert.ok(memories.size <= 1, `${memories.size} memories for parts that are given back at once`);
    });
  }

  test('a part that is not released is not overwritten', () => {
    const filling = new PartFiller();
    const [first] = [...filling.add(Buffer.alloc(PART_BYTES, 1))];
    const [second] = [...filling.add(Buffer.alloc(PART_BYTES, 2))];
    assert.ok(first!.every((byte) => byte === 1));
    assert.ok(second!.every((byte) => byte === 2));
  });
});

describe('an upload to a bucket that ends before it is whole', { skip: s3Missing() ?? false }, () => {
  /** More than a part, as much again on request, then nothing until it breaks. */
  async function* silentUntil(broken: Promise<never>, more: Promise<void>) {
    for (let sent = 0; sent < PART_BYTES + MIB; sent += MIB) yield randomBytes(MIB);
    await Promise.race([broken, more]);
    for (let sent = 0; sent < PART_BYTES; sent += MIB) yield randomBytes(MIB);
    await broken;
  }

  for (const [what, stop, expected] of [
    ['its source fails', 'source', /broke/],
    ['it is stopped while its source says nothing', 'signal', { name: 'AbortError' }],
    ['the server goes away while its source says nothing', 'server', { code: 'SERVICE_UNAVAILABLE' }],
  ] as const) {
    test(`${what}: reported in time, and no part remains`, { timeout: 30_000 }, async () => {
      const bucket = await newBucket();
      await using proxy = await startTcpProxy(bucket.endpoint!);
      const store = await openS3Store({ ...bucket, endpoint: proxy.url }, temporaryFolder());
      const client = newS3Client(bucket);
      const open = async () =>
        (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket.bucket }))).Uploads ?? [];
      const broken = Promise.withResolvers<never>();
      const more = Promise.withResolvers<void>();
      const source = Readable.from(silentUntil(broken.promise, more.promise), { objectMode: false });
      const abort = new AbortController();
      const putting = store.put('videos/a', source, abort.signal);
      putting.catch(() => {});
      while ((await open()).length === 0) await sleep(20);
      if (stop === 'source') broken.reject(new Error('the source broke'));
      else if (stop === 'signal') abort.abort();
      else {
        proxy.cut('closed');
        // The first part may have arrived already.
        more.resolve();
      }
      await assert.rejects(putting, expected);
      assert.equal(await store.head('videos/a').catch(() => null), null);
      // Parts that cannot be removed while the server is down are left to the sweep.
      if (stop !== 'server') assert.deepEqual(await open(), []);
      client.destroy();
    });
  }

  test('stopped before the reply to its beginning: no part remains', { timeout: 15_000 }, async () => {
    const bucket = await newBucket();
    const client = newS3Client(bucket);
    const abort = new AbortController();
    const send = (async (command: object, options?: object) => {
      const reply = client.send(command as never, options as never);
      if (!(command instanceof CreateMultipartUploadCommand)) return reply;
      const { promise, reject } = Promise.withResolvers<never>();
      const { abortSignal } = options as { abortSignal: AbortSignal };
      abortSignal.addEventListener('abort', () => reject(new Error('aborted')));
      await reply;
      abort.abort();
      return Promise.race([promise, sleep(50).then(() => reply)]);
    }) as unknown as S3Client['send'];
    const source = Readable.from([randomBytes(PART_BYTES), randomBytes(MIB)], { objectMode: false });
    const name = { Bucket: bucket.bucket, Key: 'videos/a' };
    await assert.rejects(putStream(send, name, source, abort.signal), { name: 'AbortError' });
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket.bucket }));
    assert.deepEqual(Uploads, []);
    client.destroy();
  });

  test('its active parts are aborted, not awaited', { timeout: 15_000 }, async () => {
    const bucket = await newBucket();
    const client = newS3Client(bucket);
    let aborted = 0;
    // Like a slow line: only its signal ends a part.
    const send = (async (command: object, options?: { abortSignal?: AbortSignal }) => {
      if (!(command instanceof UploadPartCommand)) return client.send(command as never, options as never);
      const { promise, reject } = Promise.withResolvers<never>();
      options!.abortSignal!.addEventListener('abort', () => {
        aborted++;
        reject(new Error('aborted'));
      });
      return promise;
    }) as unknown as S3Client['send'];
    async function* source() {
      for (let sent = 0; sent < PART_BYTES + MIB; sent += MIB) yield randomBytes(MIB);
      throw new Error('the source broke');
    }
    const name = { Bucket: bucket.bucket, Key: 'videos/a' };
    await assert.rejects(putStream(send, name, Readable.from(source(), { objectMode: false })), /broke/);
    assert.equal(aborted, 1);
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket.bucket }));
    assert.deepEqual(Uploads, []);
    client.destroy();
  });
});
