import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { openS3Store } from '../../src/storage/s3-store.ts';
import { blobStoreContract } from './blob-store-contract.ts';

const endpoint = process.env['TEST_S3_ENDPOINT'];
const accessKeyId = process.env['TEST_S3_ACCESS_KEY_ID'];
const secretAccessKey = process.env['TEST_S3_SECRET_ACCESS_KEY'];
const region = process.env['TEST_S3_REGION'] ?? 'us-east-1';

const settings = (bucket: string, at = endpoint!) => ({
  endpoint: at,
  bucket,
  region,
  accessKeyId: accessKeyId ?? 'none',
  secretAccessKey: secretAccessKey ?? 'none',
});

const scratch = await mkdtemp(join(tmpdir(), 's3-scratch-'));
after(() => rm(scratch, { recursive: true, force: true }));

async function newStore() {
  const bucket = `test-${randomUUID()}`;
  const client = new S3Client({
    endpoint: endpoint!,
    region,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId: accessKeyId!, secretAccessKey: secretAccessKey! },
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return openS3Store(settings(bucket), scratch);
}

if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
  test('blob store contract: S3', (t) =>
    t.skip('needs TEST_S3_ENDPOINT, TEST_S3_ACCESS_KEY_ID and TEST_S3_SECRET_ACCESS_KEY'));
} else {
  blobStoreContract('S3', newStore);

  test('a public URL serves the bytes with their type and name', async () => {
    const store = await newStore();
    await store.put('job/1/out', Readable.from([Buffer.from('bytes')]));
    const named = { contentType: 'video/mp4', fileName: 'out.mp4' };
    const url = await store.publicUrl('job/1/out', { ...named, download: false });
    const answer = await fetch(url!, { headers: { range: 'bytes=1-2' } });
    assert.equal(answer.status, 206);
    assert.equal(answer.headers.get('content-type'), 'video/mp4');
    assert.equal(answer.headers.get('content-disposition'), 'inline; filename="out.mp4"');
    assert.equal(await answer.text(), 'yt');
    const stored = await fetch((await store.publicUrl('job/1/out', { ...named, download: true }))!);
    assert.equal(stored.headers.get('content-disposition'), 'attachment; filename="out.mp4"');
    await stored.body?.cancel();
  });

  test('a downloaded copy is removed when it is disposed', async () => {
    const store = await newStore();
    await store.put('a', Readable.from(['x']));
    await (await store.localPath('a'))[Symbol.asyncDispose]();
    assert.deepEqual(await readdir(scratch), []);
  });

  test('a missing bucket is a foreseen failure', async () => {
    const store = await openS3Store(settings(`none-${randomUUID()}`), scratch);
    await assert.rejects(store.check(), { code: 'SERVICE_UNAVAILABLE' });
    await assert.rejects(store.put('a', Readable.from(['x'])), { code: 'SERVICE_UNAVAILABLE' });
  });
}

test('a server that does not answer is a foreseen failure without an address in it', async () => {
  const store = await openS3Store(settings('bucket', 'http://127.0.0.1:9'), scratch);
  await assert.rejects(store.check(), (error: { code: string; detail: string }) => {
    assert.equal(error.code, 'SERVICE_UNAVAILABLE');
    assert.doesNotMatch(error.detail, /127/);
    return true;
  });
});
