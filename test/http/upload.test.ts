import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, beforeEach, describe, test } from 'node:test';
import { videoSchema } from '../../src/http/contract/contract.ts';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openHttp } from '../support/http.ts';
import { onlyDirectly } from '../support/sign-in-proxy.ts';

const LIMIT = 400_000;
const service = await openHttp({
  MAX_UPLOAD_BYTES: String(LIMIT),
  UPLOAD_IDLE_SECONDS: '1',
  UPLOAD_LEAST_BYTES_PER_SECOND: '1000',
  RETENTION_DAYS: '2',
});
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;
const URL_PATH = '/api/v1/videos/upload';

const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 });
const bytes = readFileSync(clip);
assert.ok(bytes.length < LIMIT / 2, 'the clip leaves room below the limit of these tests');
const sha = (algorithm: string, encoding: 'hex' | 'base64', data: Uint8Array = bytes) =>
  createHash(algorithm).update(data).digest(encoding);

/** Stored files, finished or not. */
async function stored(): Promise<string[]> {
  return Array.fromAsync(service.blobs.list('videos/'));
}

let before: string[] = [];
beforeEach(async () => {
  before = await stored();
});

/** Nothing of the upload stays, once the service has noticed that it failed. */
async function assertNothingLeft(): Promise<void> {
  for (let tries = 0; tries < 40 && (await stored()).length > before.length; tries++) await pause(50);
  assert.deepEqual(await stored(), before);
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a video is stored, measured and described', async () => {
  const reply = await upload(baseUrl, clip, { name: 'Ferien – Tag 1.mp4' });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  const video = reply.body.data;
  videoSchema.strict().parse(video);
  assert.equal(reply.headers.get('location'), `/api/v1/videos/${video.video_id}`);
  assert.equal(video.filename, 'Ferien – Tag 1.mp4');
  assert.equal(video.size_bytes, bytes.length);
  assert.equal(video.sha256, sha('sha256', 'hex'));
  assert.deepEqual([video.width, video.height, video.frame_rate, video.has_audio], [320, 180, 25, true]);
  assert.ok(Math.abs(video.duration_seconds - 1) < 0.1);
  assert.deepEqual(
    video.warnings.map((warning: { code: string }) => warning.code),
    ['TEMPLATE_SHORT'],
  );
  const days = (Date.parse(video.expires_at) - Date.parse(video.created_at)) / 86_400_000;
  assert.equal(days, 2);
  assert.deepEqual((await call(baseUrl, 'GET', `/api/v1/videos/${video.video_id}`)).body.data, video);
  assert.equal((await stored()).length, before.length + 1);
  await call(baseUrl, 'DELETE', `/api/v1/videos/${video.video_id}`);
  await assertNothingLeft();
});

test('a file name is shown, never used', async () => {
  const reply = await upload(baseUrl, clip, { name: `../../../etc/${'n'.repeat(10_000)}` });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  assert.equal(reply.body.data.filename, 'n'.repeat(255));
  assert.ok((await stored()).includes(`videos/${reply.body.data.video_id}`));
});

describe('checksums', () => {
  test('right ones are accepted', async () => {
    const body = form([part('name="file"; filename="a.mp4"', bytes)]);
    const reply = await post(body, {
      'x-checksum-sha256': sha('sha256', 'hex'),
      // The digest of the whole body, as RFC 9530 has it.
      'content-digest': `sha-256=:${sha('sha256', 'base64', body)}:`,
    });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
  });

  for (const [headers, code] of [
    [{ 'x-checksum-sha256': '0'.repeat(64) }, 'CHECKSUM_MISMATCH'],
    [{ 'x-checksum-sha256': 'nonsense' }, 'VALIDATION_ERROR'],
    [{ 'content-digest': `sha-512=:${Buffer.alloc(64).toString('base64')}:` }, 'CHECKSUM_MISMATCH'],
    [{ 'content-digest': 'sha-256=:AAAA:' }, 'VALIDATION_ERROR'],
  ] as const) {
    test(`${JSON.stringify(headers).slice(0, 60)} is refused`, async () => {
      assertError(await upload(baseUrl, clip, { headers: { ...headers } }), code);
      await assertNothingLeft();
    });
  }
});

const BOUNDARY = 'xYzZY';
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

function part(disposition: string, content: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
}

function form(parts: readonly Buffer[], end = `--${BOUNDARY}--\r\n`): Buffer<ArrayBuffer> {
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function post(body: Buffer<ArrayBuffer>, headers: Record<string, string> = {}) {
  return call(baseUrl, 'POST', URL_PATH, { body, headers: { 'content-type': TYPE, ...headers } });
}

describe('bodies that are no upload', () => {
  const file = part('name="file"; filename="a.mp4"', bytes);
  const text = Buffer.from('text');
  for (const [what, body, type, code] of [
    ['an empty file', form([part('name="file"; filename="a.mp4"', Buffer.alloc(0))]), TYPE, 'INVALID_VIDEO'],
    [
      'a file that is no video',
      form([part('name="file"; filename="a.mp4"', text)]),
      TYPE,
      'UNSUPPORTED_VIDEO_FORMAT',
    ],
    ['another part name', form([part('name="video"; filename="a.mp4"', bytes)]), TYPE, 'MISSING_FILE'],
    ['a part without a name', form([part('filename="a.mp4"', bytes)]), TYPE, 'MISSING_FILE'],
    ['no part', form([]), TYPE, 'MISSING_FILE'],
    ['two files', form([file, file]), TYPE, 'MALFORMED_MULTIPART'],
    ['a hundred parts', form(Array(100).fill(part('name="x"', text))), TYPE, 'MALFORMED_MULTIPART'],
    ['no end', form([file], ''), TYPE, 'MALFORMED_MULTIPART'],
    ['an end in the middle of the file', form([file.subarray(0, 5000)], ''), TYPE, 'MALFORMED_MULTIPART'],
    ['an end in the middle of the headers', form([file.subarray(0, 30)], ''), TYPE, 'MALFORMED_MULTIPART'],
    ['another boundary', form([file]), 'multipart/form-data; boundary=other', 'MALFORMED_MULTIPART'],
    ['no boundary', form([file]), 'multipart/form-data', 'MALFORMED_MULTIPART'],
    ['no bytes', Buffer.alloc(0), TYPE, 'MALFORMED_MULTIPART'],
    ['JSON', Buffer.from('{}'), 'application/json', 'UNSUPPORTED_MEDIA_TYPE'],
    ['the bare file', Buffer.from(bytes), 'video/mp4', 'UNSUPPORTED_MEDIA_TYPE'],
    ['a file over the limit', form([part('name="file"', Buffer.alloc(LIMIT + 1))]), TYPE, 'FILE_TOO_LARGE'],
    [
      'far more than the limit',
      form([part('name="file"', Buffer.alloc(LIMIT + 2 ** 21))]),
      TYPE,
      'FILE_TOO_LARGE',
    ],
  ] as const) {
    test(what, async () => {
      assertError(await post(Buffer.from(body), { 'content-type': type }), code);
      await assertNothingLeft();
    });
  }

  test('other fields and a file without a name do no harm', async () => {
    const body = form([
      part('name="note"', text),
      part('name="file"', bytes),
      part('name="x"; filename="y"', text),
    ]);
    assert.equal((await post(body)).status, 201);
  });

  test('a file of exactly the limit is accepted', async () => {
    // It is judged as a video then: the padding after the clip's boxes is not its end.
    const padded = Buffer.concat([bytes, Buffer.alloc(LIMIT - bytes.length)]);
    const reply = await upload(baseUrl, padded);
    assert.notEqual(reply.body.error?.code, 'FILE_TOO_LARGE');
  });
});

describe('senders that stop', { skip: onlyDirectly() }, () => {
  const head = (length: number) =>
    `POST ${URL_PATH} HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${TYPE}\r\ncontent-length: ${length}\r\n\r\n`;
  const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"\r\n\r\n`;

  function open(): { socket: Socket; answer: Promise<string> } {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    let text = '';
    const answer = new Promise<string>((resolve) => {
      socket.on('data', (chunk) => {
        text += chunk.toString();
        resolve(text);
      });
      socket.on('close', () => resolve(text));
    });
    return { socket, answer };
  }

  test('one that goes away leaves nothing', async () => {
    const { socket } = open();
    socket.write(head(100_000) + start + 'x'.repeat(50_000));
    await pause(100);
    socket.destroy();
    await pause(100);
    await assertNothingLeft();
    assert.equal((await call(baseUrl, 'GET', '/api/v1/jobs')).status, 200);
  });

  test('one that falls silent is answered 408 after the idle time', async () => {
    const { socket, answer } = open();
    const started = performance.now();
    socket.write(head(100_000) + start + 'x'.repeat(1000));
    assert.match(await answer, /^HTTP\/1\.1 408 [\s\S]*"REQUEST_TIMEOUT"/);
    assert.ok(performance.now() - started < 8_000);
    socket.destroy();
    await assertNothingLeft();
  });

  test('one that sends a byte now and then is answered 408', async () => {
    const { socket, answer } = open();
    socket.write(head(100_000) + start);
    const drip = setInterval(() => socket.write('x'), 100);
    assert.match(await answer, /^HTTP\/1\.1 408 [\s\S]*"REQUEST_TIMEOUT"/);
    clearInterval(drip);
    socket.destroy();
    await assertNothingLeft();
  });
});

describe('idempotency keys', () => {
  const headers = { 'idempotency-key': 'upload-1' };

  test('the same file again is the same video; another file is refused', async () => {
    const first = await upload(baseUrl, clip, { headers });
    assert.equal(first.status, 201);
    const second = await upload(baseUrl, clip, { headers });
    assert.equal(second.status, 201);
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    const other = await upload(baseUrl, new Uint8Array([...bytes, 0]), { headers });
    assertError(other, 'IDEMPOTENCY_KEY_REUSED');
    assert.equal((await stored()).length, before.length + 1);
  });

  test('ten at once make one video', async () => {
    const storm = { 'idempotency-key': 'upload-storm' };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => upload(baseUrl, clip, { headers: storm })),
    );
    const ids = new Set(replies.filter(({ status }) => status === 201).map(({ body }) => body.data.video_id));
    assert.equal(ids.size, 1);
    for (const reply of replies) if (reply.status !== 201) assertError(reply, 'IDEMPOTENCY_IN_PROGRESS');
    assert.equal((await stored()).length, before.length + 1);
  });

  test('a refused upload gives its key up', async () => {
    const again = { 'idempotency-key': 'upload-again' };
    assertError(await upload(baseUrl, new Uint8Array(10), { headers: again }), 'UNSUPPORTED_VIDEO_FORMAT');
    assert.equal((await upload(baseUrl, clip, { headers: again })).status, 201);
  });
});
