import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { REQUEST_ERRORS } from '../../src/domain/errors.ts';
import { uploadSchema } from '../../src/http/contract/contract.ts';
import { call } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { startService } from '../support/service.ts';

const service = await startService({ WORKER_CONCURRENCY: '0', MAX_UPLOAD_BYTES: '400000' });
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;
const PATH = '/api/v1/uploads';
const bytes = readFileSync(await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 }));
const TUS = { 'tus-resumable': '1.0.0' };
const PIECE = { ...TUS, 'content-type': 'application/offset+octet-stream' };
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function begin(length = bytes.length, name = 'Ferien – 1.mp4'): Promise<string> {
  const headers = {
    ...TUS,
    'upload-length': String(length),
    'upload-metadata': `filename ${base64(name)},x`,
  };
  const reply = await call(baseUrl, 'POST', PATH, { headers });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  uploadSchema.strict().parse(reply.body.data);
  return reply.headers.get('location')!;
}

function send(path: string, offset: number, body: Uint8Array<ArrayBuffer>, headers = {}): Promise<Response> {
  return fetch(baseUrl + path, {
    method: 'PATCH',
    body,
    headers: { ...PIECE, 'upload-offset': String(offset), ...headers },
  });
}

async function offsetOf(path: string): Promise<number> {
  const head = await fetch(baseUrl + path, { method: 'HEAD', headers: TUS });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('cache-control'), 'no-store');
  assert.equal(head.headers.get('tus-resumable'), '1.0.0');
  assert.equal(head.headers.get('upload-length'), String(bytes.length));
  return Number(head.headers.get('upload-offset'));
}

async function assertRefused(reply: Response, code: keyof typeof REQUEST_ERRORS): Promise<void> {
  const body = (await reply.json()) as { error: { code: string } };
  assert.deepEqual([reply.status, body.error.code], [REQUEST_ERRORS[code].status, code]);
  assert.equal(reply.headers.get('tus-resumable'), '1.0.0');
}

/** Sends a part of a piece and breaks the connection. */
async function sendAndBreak(path: string, announced: Uint8Array, sent: number, extra = ''): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const headers = Object.entries({ ...PIECE, 'upload-offset': '0', 'content-length': announced.length });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`PATCH ${path} HTTP/1.1\r\nhost: localhost\r\n${lines}${extra}\r\n`);
  socket.write(announced.subarray(0, sent));
  await pause(150);
  socket.destroy();
}

test('an upload continues where it was interrupted, also after the service was killed', async () => {
  const path = await begin();
  const sent = Math.floor(bytes.length / 3);
  // Repeated, since a busy service may notice the break before it reads the bytes.
  await waitFor('the bytes before the break are recorded', async () => {
    await sendAndBreak(path, bytes, sent);
    return (await offsetOf(path)) === sent;
  });
  const until = sent + 1000;
  const second = await send(path, sent, bytes.subarray(sent, until));
  assert.equal(second.status, 204);
  assert.equal(second.headers.get('upload-offset'), String(until));
  assert.ok(Date.parse(second.headers.get('upload-expires')!) - Date.now() > 23 * 3_600_000);
  await service.kill();
  await service.restart();
  assert.equal(await offsetOf(path), until);
  const unfinished = (await call(baseUrl, 'GET', path)).body.data;
  assert.deepEqual(
    [unfinished.state, unfinished.offset_bytes, unfinished.video_id],
    ['uploading', until, null],
  );

  const last = await send(path, until, bytes.subarray(until));
  assert.equal(last.status, 204, await last.text());
  const videoId = last.headers.get('x-video-id')!;
  const video = (await call(baseUrl, 'GET', `/api/v1/videos/${videoId}`)).body.data;
  assert.equal(video.sha256, createHash('sha256').update(bytes).digest('hex'));
  assert.equal(video.filename, 'Ferien – 1.mp4');
  assert.deepEqual([video.size_bytes, video.warnings[0].code], [bytes.length, 'TEMPLATE_SHORT']);
  const finished = (await call(baseUrl, 'GET', path)).body.data;
  assert.deepEqual([finished.state, finished.video_id, finished.error], ['finished', videoId, null]);
  assert.equal(await offsetOf(path), bytes.length);
  // The answer to the last piece may be lost: asking again for the end makes no second video.
  const again = await send(path, bytes.length, new Uint8Array());
  assert.equal(again.headers.get('x-video-id'), videoId);
  assert.equal((await call(baseUrl, 'GET', '/api/v1/videos')).body.data.total, 1);
  assert.equal((await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: videoId } })).status, 201);
});

test('a hanging connection yields to the next request', async () => {
  const path = await begin();
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  after(() => socket.destroy());
  const headers = Object.entries({ ...PIECE, 'upload-offset': '0', 'content-length': bytes.length });
  socket.write(
    `PATCH ${path} HTTP/1.1\r\nhost: localhost\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
  socket.write(bytes.subarray(0, 5000));
  await pause(150);
  assert.equal(await offsetOf(path), 5000);
  assert.equal((await send(path, 5000, bytes.subarray(5000))).status, 204);
});

test('a file that is no video is refused with the last piece, and the status has the reason', async () => {
  const junk = new Uint8Array(3000).fill(65);
  const path = await begin(junk.length);
  await assertRefused(await send(path, 0, junk), 'UNSUPPORTED_VIDEO_FORMAT');
  const { data } = (await call(baseUrl, 'GET', path)).body;
  assert.deepEqual(
    [data.state, data.video_id, data.error.code],
    ['failed', null, 'UNSUPPORTED_VIDEO_FORMAT'],
  );
  const head = await fetch(baseUrl + path, { method: 'HEAD', headers: TUS });
  assert.equal(head.status, 415);
  assert.deepEqual(readdirSync(join(service.dataDir, 'uploads')), [], 'its bytes are gone');
});

test('a file that is too short is refused with its length, also in a repeated request', async () => {
  const short = readFileSync(await makeClip(temporaryFolder(), { name: 'short', durationSeconds: 0.2 }));
  const path = await begin(short.length);
  for (const piece of [short, short.subarray(short.length)]) {
    const reply = await send(path, short.length - piece.length, piece);
    assert.equal(reply.status, 422);
    const { error } = (await reply.json()) as { error: { code: string; fields: unknown[] } };
    assert.equal(error.code, 'VIDEO_LIMIT_EXCEEDED');
    assert.deepEqual(error.fields, [
      {
        ...{ path: 'file', message: 'lasts 0.200 s; at least 0.5 s are needed' },
        ...{ code: 'FILE_TOO_SHORT', values: { seconds: 0.2, least_seconds: 0.5 } },
      },
    ]);
  }
});

describe('checksums of pieces', () => {
  const half = bytes.subarray(0, bytes.length >> 1);
  const sum = (algorithm: string, of: Uint8Array) =>
    `${algorithm} ${createHash(algorithm).update(of).digest('base64')}`;

  test('correct ones are stored, wrong ones and interrupted pieces are not', async () => {
    const path = await begin();
    await assertRefused(
      await send(path, 0, half, { 'upload-checksum': sum('sha1', bytes) }),
      'UPLOAD_CHECKSUM_MISMATCH',
    );
    assert.equal(await offsetOf(path), 0);
    await sendAndBreak(path, half, 1000, `upload-checksum: ${sum('sha1', half)}\r\n`);
    assert.equal(await offsetOf(path), 0);
    assert.equal((await send(path, 0, half, { 'upload-checksum': sum('sha256', half) })).status, 204);
    assert.equal(await offsetOf(path), half.length);
  });
});

test('what breaks the protocol is refused in the error format', async () => {
  const path = await begin();
  const create = (headers: Record<string, string>) => fetch(baseUrl + PATH, { method: 'POST', headers });
  const unknown = `${PATH}/019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11`;
  const cases: [() => Promise<Response>, keyof typeof REQUEST_ERRORS][] = [
    [() => create({ 'upload-length': '5' }), 'TUS_VERSION_UNSUPPORTED'],
    [() => create(TUS), 'VALIDATION_ERROR'],
    [() => create({ ...TUS, 'upload-length': '-1' }), 'VALIDATION_ERROR'],
    [() => create({ ...TUS, 'upload-length': '5', 'upload-metadata': 'a b c' }), 'VALIDATION_ERROR'],
    [() => create({ ...TUS, 'upload-length': '400001' }), 'FILE_TOO_LARGE'],
    [() => create({ ...TUS, 'upload-length': '0' }), 'INVALID_VIDEO'],
    [() => create({ ...TUS, 'upload-length': '5', 'upload-concat': 'partial' }), 'VALIDATION_ERROR'],
    [() => create({ ...TUS, 'upload-concat': `final;${path} ${path}` }), 'VALIDATION_ERROR'],
    [() => create({ ...TUS, 'upload-defer-length': '1' }), 'VALIDATION_ERROR'],
    [() => send(path, 7, bytes), 'UPLOAD_OFFSET_MISMATCH'],
    [() => send(path, 0, Buffer.concat([bytes, bytes])), 'FILE_TOO_LARGE'],
    [() => send(path, 0, bytes, { 'content-type': 'video/mp4' }), 'UNSUPPORTED_MEDIA_TYPE'],
    [() => send(path, 0, bytes, { 'upload-checksum': 'crc32 AAAA' }), 'VALIDATION_ERROR'],
    [() => send(unknown, 0, bytes), 'UPLOAD_NOT_FOUND'],
    [() => send(`${PATH}/..%2f..%2fx`, 0, bytes), 'UPLOAD_NOT_FOUND'],
  ];
  for (const [reply, code] of cases) await assertRefused(await reply(), code);
  const { error } = (await (
    await create({ ...TUS, 'upload-length': '5', 'upload-concat': 'partial' })
  ).json()) as { error: { detail: string } };
  assert.match(error.detail, /^Upload-Concat: is not supported: send the file as one upload/);
  const options = await fetch(baseUrl + PATH, { method: 'OPTIONS' });
  assert.equal(options.status, 204);
  assert.equal(options.headers.get('tus-version'), '1.0.0');
  assert.equal(options.headers.get('tus-max-size'), '400000');
  assert.match(options.headers.get('tus-extension')!, /creation,termination,expiration,checksum/);
});

test('metadata may be empty, and have empty pairs', async () => {
  for (const [metadata, name] of [
    ['', 'video'],
    [' , ', 'video'],
    [`filename ${base64('a.mp4')},`, 'a.mp4'],
    [`, filename ${base64('a.mp4')} ,x`, 'a.mp4'],
  ]) {
    const headers = { ...TUS, 'upload-length': '5', 'upload-metadata': metadata };
    const reply = await call(baseUrl, 'POST', PATH, { headers });
    assert.deepEqual([reply.status, reply.body.data.filename], [201, name], metadata);
  }
});

test('an upload can be cancelled', async () => {
  const remove = (path: string) => fetch(baseUrl + path, { method: 'DELETE', headers: TUS });
  const path = await begin();
  await send(path, 0, bytes.subarray(0, 100));
  assert.equal((await remove(path)).status, 204);
  assert.ok(!existsSync(join(service.dataDir, 'uploads', path.split('/').at(-1)!)));
  await assertRefused(await remove(path), 'UPLOAD_NOT_FOUND');
});

test('POST with X-HTTP-Method-Override is a PATCH or a DELETE under the uploads, and nothing else', async () => {
  const post = (path: string, method: string, headers: object, body?: Uint8Array<ArrayBuffer>) =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { ...PIECE, 'x-http-method-override': method, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const path = await begin();
  const half = bytes.length >> 1;
  const first = await post(path, 'PATCH', { 'upload-offset': '0' }, bytes.subarray(0, half));
  assert.deepEqual([first.status, first.headers.get('upload-offset')], [204, String(half)]);
  const last = await post(path, 'patch', { 'upload-offset': String(half) }, bytes.subarray(half));
  assert.equal(last.status, 204, await last.text());
  assert.ok(last.headers.get('x-video-id'));
  const second = await begin();
  assert.equal((await post(second, 'DELETE', {})).status, 204);
  await assertRefused(await send(second, 0, bytes), 'UPLOAD_NOT_FOUND');
  assert.equal((await post(await begin(), 'GET', {})).status, 405);
  const video = `/api/v1/videos/${last.headers.get('x-video-id')}`;
  assert.equal((await post(video, 'DELETE', {})).status, 405);
  assert.equal((await call(baseUrl, 'GET', video)).status, 200);
});

test('bytes beyond a finished upload are refused, an empty piece is not', async () => {
  const path = await begin();
  assert.equal((await send(path, 0, bytes)).status, 204);
  assert.equal((await send(path, bytes.length, new Uint8Array(0))).status, 204);
  await assertRefused(await send(path, bytes.length, new Uint8Array(10)), 'FILE_TOO_LARGE');
  const stream = new Blob([new Uint8Array(10)]).stream();
  const chunked = await fetch(baseUrl + path, {
    method: 'PATCH',
    body: stream,
    duplex: 'half',
    headers: { ...PIECE, 'upload-offset': String(bytes.length) },
  } as RequestInit);
  await assertRefused(chunked, 'FILE_TOO_LARGE');
});

test('an upload without a byte expires soon, one with bytes after a day', async () => {
  const path = await begin();
  const left = async () => {
    const head = await fetch(baseUrl + path, { method: 'HEAD', headers: TUS });
    return Date.parse(head.headers.get('upload-expires')!) - Date.now();
  };
  const empty = await left();
  assert.ok(empty > 9 * 60_000 && empty <= 10 * 60_000, `${empty}`);
  const reply = await send(path, 0, bytes.subarray(0, 1));
  const day = 24 * 3_600_000;
  for (const ms of [Date.parse(reply.headers.get('upload-expires')!) - Date.now(), await left()])
    assert.ok(ms > day - 60_000 && ms <= day, `${ms}`);
});

test('an expectation that is not known is ignored; every answer has the form of the interface', async () => {
  const { hostname, port } = new URL(baseUrl);
  for (const expectation of ['something', '100-continue, x']) {
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /api/v1/jobs/x HTTP/1.1\r\nhost: localhost\r\nexpect: ${expectation}\r\nconnection: close\r\n\r\n`,
    );
    let text = '';
    for await (const chunk of socket) text += chunk;
    assert.match(text, /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 404 /, text.slice(0, 200));
    assert.match(text, /"code":"JOB_NOT_FOUND"/);
  }
});

test('a cursor of a year that no time has is refused', async () => {
  const id = '0190b6c2-0000-7000-8000-000000000000';
  for (const time of [
    -62_135_596_800_001,
    253_402_300_800_000,
    8.64e15,
    -8.64e15,
    '1e3',
    '',
    ' 5',
    '0x5',
    '1.5',
  ]) {
    const cursor = Buffer.from(`${time} ${id}`).toString('base64url');
    for (const list of ['jobs', 'videos']) {
      const reply = await call(baseUrl, 'GET', `/api/v1/${list}?cursor=${cursor}`);
      assert.equal(reply.body.error?.code, 'VALIDATION_ERROR', `${list} ${time}`);
    }
  }
  for (const time of [-62_135_596_800_000, 253_402_300_799_999, 0]) {
    const cursor = Buffer.from(`${time} ${id}`).toString('base64url');
    assert.equal((await call(baseUrl, 'GET', `/api/v1/jobs?cursor=${cursor}`)).status, 200, `${time}`);
  }
});
