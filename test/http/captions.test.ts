import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { captionsSchema } from '../../src/http/contract/caption-operations.ts';
import { MAX_CAPTION_BYTES } from '../../src/style/captions/file.ts';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openHttp } from '../support/http.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;
const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 });
const SRT = '1\n00:00:00,200 --> 00:00:00,800\nGrüße\n\n2\n00:00:09,000 --> 00:00:10,000\nlate\n';
const VTT = 'WEBVTT\n\n00:00.200 --> 00:00.800\nHi\n';

const newVideo = async (): Promise<string> => (await upload(baseUrl, clip)).body.data.video_id;
const pathOf = (videoId: string) => `/api/v1/videos/${videoId}/captions`;
const put = (videoId: string, body: string | Uint8Array<ArrayBuffer>, type = 'application/x-subrip') =>
  call(baseUrl, 'PUT', pathOf(videoId), { body, headers: { 'content-type': type } });
const stored = () => Array.fromAsync(service.blobs.list('videos/'));
const codes = (reply: { body: { data: { warnings: { code: string }[] } } }) =>
  reply.body.data.warnings.map(({ code }) => code);

test('captions are stored, described, returned, replaced and deleted', async () => {
  const videoId = await newVideo();
  assertError(await call(baseUrl, 'GET', pathOf(videoId)), 'CAPTIONS_NOT_FOUND');
  const reply = await put(videoId, SRT);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  captionsSchema.strict().parse(reply.body.data);
  const { format, encoding, cue_count, size_bytes, sha256 } = reply.body.data;
  assert.deepEqual([format, encoding, cue_count, size_bytes], ['srt', 'utf-8', 2, Buffer.byteLength(SRT)]);
  assert.equal(sha256, createHash('sha256').update(SRT).digest('hex'));
  assert.deepEqual(codes(reply), ['CAPTIONS_PAST_END']);

  const back = await fetch(baseUrl + pathOf(videoId));
  assert.deepEqual(
    [back.status, back.headers.get('content-type'), await back.text()],
    [200, 'application/x-subrip', SRT],
  );

  const replaced = await put(videoId, VTT, 'text/vtt; charset=utf-8');
  assert.deepEqual([replaced.body.data.format, codes(replaced)], ['vtt', []]);
  assert.match((await fetch(baseUrl + pathOf(videoId))).headers.get('content-type')!, /^text\/vtt/);

  const deleted = await call(baseUrl, 'DELETE', pathOf(videoId));
  assert.deepEqual(deleted.body.data, { video_id: videoId, deleted: true });
  assertError(await call(baseUrl, 'GET', pathOf(videoId)), 'CAPTIONS_NOT_FOUND');
  assertError(await call(baseUrl, 'DELETE', pathOf(videoId)), 'CAPTIONS_NOT_FOUND');
});

test('hostile files hold up no other request, nor do questions for them', async () => {
  const videoId = await newVideo();
  const late = monitorEventLoopDelay({ resolution: 5 });
  const cue = '00:00:00,200 --> 00:00:00,800\nHi\n';
  const bodies = [
    '\n'.repeat(MAX_CAPTION_BYTES),
    cue.repeat(100_000),
    `${cue}${'\n'.repeat(900_000)}`,
    `${cue}${'<b '.repeat(1_300_000)}`,
  ];
  late.enable();
  for (const [index, body] of bodies.entries()) {
    const reply = await put(videoId, body);
    if (index === 0) assertError(reply, 'INVALID_CAPTIONS');
    else assert.equal(reply.status, 200, JSON.stringify(reply.body).slice(0, 500));
  }
  const type = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await fetch(baseUrl + pathOf(videoId));
      await answer.arrayBuffer();
      return answer.headers.get('content-type');
    }),
  );
  late.disable();
  assert.ok(type.every((one) => one === 'application/x-subrip'));
  // Parsed in this thread by rules of quadratic time, such files held it for 5 to 40 s. Sending and hashing 4 MiB in
  // this very process takes .1 s, .3 s on a loaded machine.
  assert.ok(late.max / 1e6 < 1_000, `${late.max / 1e6} ms`);
});

test('they go with their video', async () => {
  const before = await stored();
  const videoId = await newVideo();
  await put(videoId, SRT);
  assert.equal((await stored()).length, before.length + 2);
  await call(baseUrl, 'DELETE', `/api/v1/videos/${videoId}`);
  assert.deepEqual(await stored(), before);
});

describe('a refused file changes nothing', async () => {
  const videoId = await newVideo();
  await put(videoId, VTT);
  for (const { what, body, type, code } of [
    { what: 'no captions', body: 'hello', code: 'INVALID_CAPTIONS' },
    { what: 'nothing', body: '', code: 'INVALID_CAPTIONS' },
    { what: 'a video', body: new Uint8Array(3000).fill(7), code: 'INVALID_CAPTIONS' },
    { what: 'too much', body: 'x'.repeat(MAX_CAPTION_BYTES + 1), code: 'BODY_TOO_LARGE' },
    { what: 'JSON', body: '{}', type: 'application/json', code: 'UNSUPPORTED_MEDIA_TYPE' },
  ] as const) {
    test(what, async () => {
      assertError(await put(videoId, body, type), code);
      assert.equal(await (await fetch(baseUrl + pathOf(videoId))).text(), VTT);
    });
  }

  test('too much, sent in pieces without a length', async () => {
    const pieces = new ReadableStream({
      pull(stream) {
        stream.enqueue(new Uint8Array(1 << 20).fill(65));
      },
    });
    const reply = await call(baseUrl, 'PUT', pathOf(videoId), {
      body: pieces,
      headers: { 'content-type': 'text/vtt' },
    });
    assertError(reply, 'BODY_TOO_LARGE');
  });

  test('every line at fault is named', async () => {
    const reply = await put(videoId, `${SRT}\n3\n00:00:61,000 --> 00:01:00,000\nx\n\n4\nnow --> then\ny\n`);
    assertError(reply, 'INVALID_CAPTIONS');
    assert.deepEqual(
      reply.body.error.fields.map(({ path }: { path: string }) => path),
      ['line 10', 'line 14'],
    );
  });
});

test('no video, no captions', async () => {
  for (const id of ['019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11', 'x', '..%2F..%2Fetc']) {
    assertError(await put(id, SRT), 'VIDEO_NOT_FOUND');
    assertError(await call(baseUrl, 'GET', pathOf(id)), 'VIDEO_NOT_FOUND');
    assertError(await call(baseUrl, 'DELETE', pathOf(id)), 'VIDEO_NOT_FOUND');
  }
});

test('a waiting job keeps its captions when those of its video change', async () => {
  const videoId = await newVideo();
  const newJob = async () =>
    (await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: videoId } })).body.data.job_id as string;
  const retained = async (jobId: string) => {
    const key = `jobs/${jobId}/captions`;
    return (await service.blobs.head(key)) === null ? null : await text(await service.blobs.get(key));
  };
  const without = await newJob();
  await put(videoId, SRT);
  const first = await newJob();
  assert.deepEqual([await retained(without), await retained(first)], ['', null]);
  assert.equal((await put(videoId, VTT)).status, 200);
  const second = await newJob();
  assert.equal((await call(baseUrl, 'DELETE', pathOf(videoId))).status, 200);
  assert.deepEqual([await retained(without), await retained(first), await retained(second)], ['', SRT, VTT]);
  assertError(await call(baseUrl, 'DELETE', pathOf(videoId)), 'CAPTIONS_NOT_FOUND');
  for (const jobId of [without, first, second]) {
    await call(baseUrl, 'POST', `/api/v1/jobs/${jobId}/cancel`);
    await call(baseUrl, 'DELETE', `/api/v1/jobs/${jobId}`);
    assert.equal(await retained(jobId), null);
  }
});

test('more than a hundred waiting jobs are too many to keep them for', async () => {
  const videoId = await newVideo();
  await put(videoId, SRT);
  const create = () => call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: videoId } });
  const jobs = await Promise.all(Array.from({ length: 100 }, create));
  assert.equal((await put(videoId, VTT)).status, 200);
  await create();
  assertError(await put(videoId, SRT), 'VIDEO_IN_USE');
  assert.equal(jobs.length, 100);
});

test('other encodings are read, a guess is named', async () => {
  const videoId = await newVideo();
  const western = await put(videoId, Uint8Array.from(Buffer.from(VTT.replace('Hi', 'Grüße'), 'latin1')));
  assert.deepEqual(
    [western.body.data.encoding, codes(western)],
    ['windows-1252', ['CAPTIONS_ENCODING_GUESSED']],
  );
  const wide = await put(videoId, Uint8Array.from(Buffer.from(`\ufeff${VTT}`, 'utf16le')));
  assert.deepEqual([wide.body.data.encoding, codes(wide)], ['utf-16le', []]);
});
