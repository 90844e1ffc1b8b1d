/** With files in S3, clients are sent there, by an address that is good for a while. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { newS3Client } from '../../src/storage/s3-client.ts';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { newBucket, s3Environment, s3Missing } from '../support/s3.ts';
import { startService } from '../support/service.ts';

test('videos, outputs and artifacts are fetched from the storage itself', {
  skip: s3Missing() ?? false,
}, async () => {
  const bucket = await newBucket();
  await using service = await startService(s3Environment(bucket));
  const { baseUrl } = service;
  const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 });
  const bytes = readFileSync(clip);
  const videoId = (await upload(baseUrl, clip)).body.data.video_id;
  const json = { video_id: videoId, config: { quality: 'low' } };
  const { job_id } = (await call(baseUrl, 'POST', '/api/v1/jobs', { json })).body.data;
  const job = (await call(baseUrl, 'GET', `/api/v1/jobs/${job_id}/result?wait=60`)).body.data;
  assert.equal(job.status, 'completed');

  const video = `/api/v1/videos/${videoId}/file`;
  const output = `/api/v1/jobs/${job_id}/output`;
  const artifact = `/api/v1/jobs/${job_id}/artifacts/poster.jpg`;
  for (const [path, download, disposition] of [
    [video, '', 'inline; filename="clip.mp4"'],
    [video, '?download=1', 'attachment; filename="clip.mp4"'],
    [output, '', 'inline; filename="clip-styled.mp4"'],
    [output, '?download=1', 'attachment; filename="clip-styled.mp4"'],
    [artifact, '?download=1', 'attachment; filename="clip-poster.jpg"'],
  ] as const) {
    const sent = await fetch(baseUrl + path + download, { redirect: 'manual' });
    assert.equal(sent.status, 302, path);
    assert.equal(sent.headers.get('cache-control'), 'no-store');
    const address = sent.headers.get('location')!;
    assert.ok(address.startsWith(bucket.endpoint!), address);
    const answer = await fetch(address, { headers: { range: 'bytes=0-9' } });
    assert.equal(answer.status, 206);
    assert.equal(answer.headers.get('content-disposition'), disposition);
    assert.equal((await answer.arrayBuffer()).byteLength, 10);
  }
  assert.deepEqual(Buffer.from(await (await fetch(baseUrl + video)).arrayBuffer()), bytes);

  // The address is signed for GET: the service answers HEAD itself.
  const requested = await fetch(baseUrl + video, { method: 'HEAD', redirect: 'manual' });
  assert.deepEqual([requested.status, requested.headers.get('content-length')], [200, String(bytes.length)]);
  assert.equal(requested.headers.get('content-type'), 'video/mp4');

  // Not sent to where nothing is.
  const client = newS3Client(bucket);
  await client.send(new DeleteObjectCommand({ Bucket: bucket.bucket, Key: `videos/${videoId}` }));
  client.destroy();
  assertError(await call(baseUrl, 'GET', video), 'VIDEO_EXPIRED');
});
