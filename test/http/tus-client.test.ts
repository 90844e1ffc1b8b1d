/** The official client of the tus protocol against the service (`docs/decisions/0014-uploads-and-imports.md`). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Upload } from 'tus-js-client';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { startService } from '../support/service.ts';

const service = await startService({ WORKER_CONCURRENCY: '0' });
after(() => service[Symbol.asyncDispose]());
const endpoint = `${service.baseUrl}/api/v1/uploads`;
const clip = readFileSync(await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 }));

/** Each test sends bytes of its own: the service does not store known content again. */
function clipOf(name: string): Buffer {
  // A box of kind `free` at the end means nothing to players.
  const box = Buffer.alloc(8 + name.length);
  box.writeUInt32BE(box.length, 0);
  box.write(`free${name}`, 4);
  return Buffer.concat([clip, box]);
}

type Options = NonNullable<ConstructorParameters<typeof Upload>[1]>;

/** Runs until it is finished, or until `stopAfter` pieces were accepted; returns the client. */
function run(bytes: Buffer, options: Options, stopAfter = Number.POSITIVE_INFINITY): Promise<Upload> {
  return new Promise((resolve, reject) => {
    let pieces = 0;
    const client: Upload = new Upload(bytes, {
      endpoint,
      retryDelays: null,
      onError: reject,
      onSuccess: () => resolve(client),
      onChunkComplete: () => {
        pieces++;
        if (pieces === stopAfter) client.abort().then(() => resolve(client), reject);
      },
      ...options,
    });
    client.start();
  });
}

async function assertStored(client: Upload, bytes: Buffer): Promise<void> {
  const reply = await call(service.baseUrl, 'GET', new URL(client.url!).pathname);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  const { video_id } = reply.body.data;
  const video = await call(service.baseUrl, 'GET', `/api/v1/videos/${video_id}`);
  assert.equal(video.status, 200, JSON.stringify(video.body));
  assert.equal(video.body.data.size_bytes, bytes.length);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  assert.equal(video.body.data.sha256, sha256);
}

test('an upload in one piece', async () => {
  const bytes = clipOf('whole');
  const metadata = { filename: 'Ferien – 1.mp4', filetype: 'video/mp4' };
  await assertStored(await run(bytes, { metadata }), bytes);
});

test('an upload in pieces that is broken off, resumed by another client and finished', async () => {
  const bytes = clipOf('resumed');
  const chunkSize = Math.ceil(bytes.length / 5);
  const broken = await run(bytes, { chunkSize, metadata: { filename: 'a.mp4' } }, 2);
  const offsets: number[] = [];
  const resumed = await run(bytes, {
    chunkSize,
    uploadUrl: broken.url,
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'HEAD') offsets.push(Number(response.getHeader('Upload-Offset')));
    },
  });
  assert.deepEqual(offsets, [2 * chunkSize]);
  assert.equal(resumed.url, broken.url);
  await assertStored(resumed, bytes);
});

test('an upload that continues by itself after an outage of the service', async () => {
  const bytes = clipOf('retried');
  const chunkSize = Math.ceil(bytes.length / 4);
  let away: Promise<void> | null = null;
  const client = await run(bytes, {
    chunkSize,
    metadata: { filename: 'b.mp4' },
    retryDelays: Array.from({ length: 60 }, () => 500),
    onChunkComplete: () => {
      away ??= service.kill().then(() => service.restart());
    },
  });
  await away;
  await assertStored(client, bytes);
});

test('a terminated upload is gone', async () => {
  const bytes = clipOf('terminated');
  const client = await run(bytes, { chunkSize: 1000, metadata: { filename: 'c.mp4' } }, 1);
  await client.abort(true);
  const head = await fetch(client.url!, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
  assert.ok(head.status === 404 || head.status === 410, String(head.status));
});

test('an unknown upload is an error for the client, which does not start again', async () => {
  const uploadUrl = `${endpoint}/00000000-0000-7000-8000-000000000000`;
  const resumed = run(clip, { uploadUrl, endpoint: null });
  await assert.rejects(resumed, /404/);
});
