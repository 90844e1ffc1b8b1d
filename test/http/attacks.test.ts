/** Attacks on the service: requests that no normal client sends. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { limitedProbe } from '../../src/http/server/limited-probe.ts';
import { assertError, call, upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openHttp } from '../support/http.ts';
import { waitFor } from '../support/processes.ts';

const folder = temporaryFolder();
const clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
const service = await openHttp({ MAX_OPEN_UPLOADS: '6', UPLOAD_IDLE_SECONDS: '1' });
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;
const json = { 'content-type': 'application/json' };

const SECURITY_HEADERS: readonly (readonly [string, RegExp])[] = [
  ['x-content-type-options', /^nosniff$/],
  ['content-security-policy', /default-src 'none'.*frame-ancestors 'none'/],
  ['referrer-policy', /^no-referrer$/],
  ['cross-origin-resource-policy', /^same-origin$/],
  ['x-frame-options', /^DENY$/],
];

/** A busy machine answers late. */
const FIRST_BYTE_MS = 15_000;

/** The answer until the connection ends, or is silent for so long after its first bytes. */
function raw(bytes: string, silenceMs = 500): Promise<string> {
  const socket = open();
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
    socket.setTimeout(silenceMs);
  });
  socket.setTimeout(FIRST_BYTE_MS, () => socket.destroy());
  socket.write(bytes);
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

function open(): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  return socket;
}

describe('every response has security headers', () => {
  for (const [method, path, status] of [
    ['GET', '/api/v1/health', 200],
    ['GET', '/api/v1/jobs', 200],
    ['GET', '/api/v1/openapi.json', 200],
    ['GET', '/api/v1/presets', 200],
    ['GET', '/livez', 200],
    ['GET', '/readyz', 200],
    ['GET', '/metrics', 200],
    ['GET', '/nothing', 404],
    ['GET', '/api/v1/jobs/x/output', 404],
    ['PUT', '/api/v1/jobs', 405],
    ['POST', '/api/v1/jobs', 400],
    ['POST', '/api/v1/uploads', 412],
    ['OPTIONS', '/api/v1/jobs', 204],
    ['GET', '/api/v1/jobs/%zz', 400],
  ] as const) {
    test(`${method} ${path}`, async () => {
      const answer = await fetch(baseUrl + path, { method });
      assert.equal(answer.status, status);
      await answer.arrayBuffer();
      for (const [name, want] of SECURITY_HEADERS) assert.match(answer.headers.get(name) ?? '', want, name);
      assert.equal(answer.headers.get('x-powered-by'), null);
      assert.equal(answer.headers.get('server'), null);
    });
  }

  test('bytes that are no request', async () => {
    const text = (await raw('GARBAGE\r\n\r\n')).toLowerCase();
    for (const [name] of SECURITY_HEADERS) assert.ok(text.includes(`\r\n${name}: `), name);
  });
});

describe('requests that two parsers would read differently', () => {
  const chunked = 'POST /api/v1/jobs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n';
  for (const [what, bytes] of [
    ['a length behind chunks', `${chunked}transfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n`],
    ['chunks twice', `${chunked}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['chunks misspelt', `${chunked}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a blank before the colon', `${chunked}content-length : 5\r\n\r\n{"a":`],
    ['a folded header', `${chunked}x: a\r\n content-length: 5\r\n\r\n`],
    ['a bare line feed', `${chunked}x: a\ncontent-length: 5\r\n\r\n`],
    ['a length with a sign', `${chunked}content-length: +2\r\n\r\n{}`],
    ['a length in hexadecimal', `${chunked}content-length: 0x2\r\n\r\n{}`],
    ['a chunk size beyond 64 bits', `${chunked}transfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}`],
    ['a NUL in a header', `${chunked}x: a\0b\r\n\r\n`],
  ] as const) {
    test(what, async () => {
      const text = await raw(`${bytes}GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      assert.match(text, /^HTTP\/1\.1 400 /);
      assert.doesNotMatch(text, /HTTP\/1\.1 200 /, 'nothing behind it is served');
    });
  }
});

/** A busy machine takes up to 8 s; what blocks takes minutes. */
const LONGEST_MS = 20_000;

describe('bodies', () => {
  for (const [what, body, code] of [
    [
      '100,000 keys',
      JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 0]))),
      'VALIDATION_ERROR',
    ],
    [
      'constructor.prototype',
      '{"video_id":"x","config":{"constructor":{"prototype":{"polluted":1}}}}',
      'VIDEO_NOT_FOUND',
    ],
    ['__proto__ in labels', '{"video_id":"x","config":{"labels":{"__proto__":"y"}}}', 'INVALID_JSON'],
    ['the same key twice', '{"video_id":"x","video_id":"y"}', 'VIDEO_NOT_FOUND'],
    ['a number beyond all', '{"video_id":"x","config":{"seed":1e999}}', 'VALIDATION_ERROR'],
    ['a byte order mark', '\ufeff{"video_id":"x"}', 'VIDEO_NOT_FOUND'],
  ] as const) {
    test(what, async () => {
      const started = performance.now();
      const reply = await call(baseUrl, 'POST', '/api/v1/jobs', { body, headers: json });
      assertError(reply, code);
      assert.ok(performance.now() - started < LONGEST_MS);
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });
  }

  const MIB = 2 ** 20;
  const filled = (unit: string, [before, after] = ['', '']) =>
    before + unit.repeat(Math.floor((MIB - before.length - after.length) / unit.length)) + after;
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join(',');
  for (const [what, body, code] of [
    ['brackets alone', filled('['), 'INVALID_JSON'],
    ['objects in objects', filled('{"a":'), 'INVALID_JSON'],
    ['levels opened and closed', filled(']', [filled('[').slice(0, MIB / 2), '']), 'INVALID_JSON'],
    ['350,000 empty arrays', filled('[],', ['{"config":[', '0]}']), 'BODY_TOO_LARGE'],
    ['520,000 numbers', filled('0,', ['{"config":[', '0]}']), 'BODY_TOO_LARGE'],
    ['70,000 keys deep inside', `{"config":{"a":[{${keys(70_000)}}]}}`, 'VALIDATION_ERROR'],
    ['brackets in a string', filled('[', ['{"video_id":"x","a":"', '"}']), 'VIDEO_NOT_FOUND'],
    ['escaped quotes in a string', filled('\\"', ['{"video_id":"x","a":"[[', '"}']), 'VIDEO_NOT_FOUND'],
    ['levels up to the limit', `{"video_id":"x","a":${'['.repeat(62)}0${']'.repeat(62)}}`, 'VIDEO_NOT_FOUND'],
    ['5,000 keys', `{"video_id":"x","style_json":{${keys(5000)}}}`, 'VALIDATION_ERROR'],
  ] as const) {
    test(`1 MiB takes no more than a blink: ${what}`, async () => {
      // The least of five: compilation and collection of garbage took up to 145 ms of a single call.
      let leastUs = Number.POSITIVE_INFINITY;
      for (let tried = 0; tried < 5; tried++) {
        const started = process.cpuUsage();
        assertError(await call(baseUrl, 'POST', '/api/v1/jobs', { body, headers: json }), code);
        leastUs = Math.min(leastUs, process.cpuUsage(started).user);
      }
      // 10 to 40 ms, the client's part included; arrays of arrays took 130 ms, keys 180 ms, in the service alone.
      assert.ok(leastUs < 120_000, `${leastUs / 1000} ms`);
    });
  }

  test('a name as long as the body is shortened where it is repeated', async () => {
    const { body } = await upload(baseUrl, clip);
    const sent = filled('x', [`{"video_id":"${body.data.video_id}","`, '":0}']);
    const job = await call(baseUrl, 'POST', '/api/v1/jobs', { body: sent, headers: json });
    assert.equal(job.status, 201);
    const [warning] = job.body.data.warnings;
    assert.equal(warning.code, 'UNKNOWN_KEY');
    assert.ok(warning.message.length < 300, `${warning.message.length}`);
    const strict = { ...json, prefer: 'handling=strict' };
    const refused = await call(baseUrl, 'POST', '/api/v1/jobs', { body: sent, headers: strict });
    assertError(refused, 'VALIDATION_ERROR');
    assert.ok(JSON.stringify(refused.body).length < 2000);
  });

  test('answers name a hundred faults at most', async () => {
    const body = `{"video_id":"x","style_json":{"detected_beats":[${'0,'.repeat(5000)}0]}}`;
    const { body: answer } = await call(baseUrl, 'POST', '/api/v1/jobs', { body, headers: json });
    assert.equal(answer.error.fields.length, 100);
    assert.match(answer.error.detail, /; \d{4} more$/);
  });

  test('chunks without end hold nobody up', async () => {
    const sockets = Array.from({ length: 20 }, open);
    for (const socket of sockets) {
      socket.write('POST /api/v1/jobs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n');
      socket.write('transfer-encoding: chunked\r\n\r\n');
    }
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('1\r\n \r\n');
    }, 20);
    await pause(300);
    const started = performance.now();
    assert.equal((await call(baseUrl, 'GET', '/api/v1/jobs')).status, 200);
    assert.ok(performance.now() - started < 2000);
    clearInterval(drip);
    for (const socket of sockets) socket.destroy();
  });

  test('a thousand connections that send half a request line do not block others', async () => {
    const sockets = Array.from({ length: 1000 }, open);
    for (const socket of sockets) socket.write('GET /api/v1/jo');
    await pause(200);
    assert.equal((await call(baseUrl, 'GET', '/api/v1/health')).status, 200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('ids and names', () => {
  for (const id of [
    '..%2f..%2f..%2fetc%2fpasswd',
    '..%5c..%5cwindows',
    '%2e%2e/%2e%2e/etc/passwd',
    '%c0%ae%c0%ae%2fetc',
    '%ef%bc%8e%ef%bc%8e%2fetc',
    '0190b6c2-0000-7000-8000-000000000000%00.mp4',
    '0190B6C2-0000-7000-8000-00000000000\u212a',
    '\u202e4pm',
    "'%3bdrop%20table%20jobs%3b--",
    '%24%7bjndi%3aldap%3a%2f%2fx%7d',
  ]) {
    test(id.slice(0, 40), async () => {
      for (const path of [
        `jobs/${id}`,
        `jobs/${id}/output`,
        `jobs/${id}/artifacts/${id}`,
        `videos/${id}`,
        `uploads/${id}`,
      ]) {
        const answer = await fetch(`${baseUrl}/api/v1/${path}`);
        const { error } = (await answer.json()) as { error: { code: string } };
        assert.ok([400, 404].includes(answer.status), `${path}: ${answer.status}`);
        assert.match(error.code, /NOT_FOUND|MALFORMED_REQUEST/);
      }
    });
  }

  test('upload names in every metadata form stay names', async () => {
    const name = `..\\..\\a"; rm -rf /;\r\nset-cookie: x=1\r\n<img src=x onerror=alert(1)>\u202e${'é'.repeat(400)}`;
    const reply = await upload(baseUrl, clip, { name });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    const { filename } = reply.body.data;
    assert.doesNotMatch(filename, /[\r\n\\/\u202e]/);
    assert.ok(filename.length <= 255);
    assert.equal(reply.headers.get('set-cookie'), null);
  });
});

test('one client has at most half of the open resumable uploads; an ended one frees a place', async () => {
  const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1000' };
  const begin = () => call(baseUrl, 'POST', '/api/v1/uploads', { headers });
  const replies = await Promise.all(Array.from({ length: 10 }, begin));
  const made = replies.filter(({ status }) => status === 201);
  assert.equal(made.length, 3);
  for (const reply of replies.filter(({ status }) => status !== 201)) {
    assertError(reply, 'RATE_LIMITED');
    assert.equal(reply.headers.get('retry-after'), '60');
  }
  const location = made[0].headers.get('location')!;
  const removed = await fetch(baseUrl + location, {
    method: 'DELETE',
    headers: { 'tus-resumable': '1.0.0' },
  });
  assert.equal(removed.status, 204);
  assert.equal((await begin()).status, 201);
  assertError(await begin(), 'RATE_LIMITED');
});

test('probes run in order, and an aborted one leaves the queue', async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const probe = limitedProbe(2, (path) => {
    begun.push(path);
    return new Promise((_resolve, reject) => ends.set(path, () => reject(new Error(path))));
  });
  const input = new AbortController();
  const never = new AbortController().signal;
  const start = (path: string) =>
    probe(path, path === 'c' ? input.signal : never).catch((error: Error) => error.message);
  const first = start('a');
  // A probe looks at its file before it begins: two that start together may begin in either order.
  await waitFor('the first begins', () => begun.length === 1);
  const all = [first, ...['b', 'c', 'd'].map(start)];
  await waitFor('the second begins', () => begun.length >= 2);
  assert.deepEqual(begun, ['a', 'b']);
  input.abort(new Error('given up'));
  ends.get('a')!();
  await waitFor('the next one begins', () => begun.length >= 3);
  assert.deepEqual(begun, ['a', 'b', 'd']);
  ends.get('b')!();
  ends.get('d')!();
  assert.deepEqual(await Promise.all(all), ['a', 'b', 'given up', 'd']);
});

test('probes that take long hold no place from the others', { timeout: 15_000 }, async () => {
  // Longer than a busy machine takes to open a file.
  const placeMs = 500;
  const begun: string[] = [];
  const end = new AbortController();
  const probe = limitedProbe(
    2,
    (path) => {
      begun.push(path);
      return new Promise((_resolve, reject) =>
        end.signal.addEventListener('abort', () => reject(new Error('over'))),
      );
    },
    placeMs,
  );
  const never = new AbortController().signal;
  const names = Array.from({ length: 10 }, (_, at) => `slow ${at}`);
  const all = names.map((path) => probe(path, never).catch((error: Error) => error.message));
  await waitFor('two begin', () => begun.length >= 2);
  assert.equal(begun.length, 2);
  await waitFor('slow ones give up their places', () => begun.length >= 8);
  await pause(2 * placeMs);
  assert.equal(begun.length, 8, 'four times as many as there are places, and no more');
  end.abort();
  await waitFor('the others begin', () => begun.length >= 10);
  assert.equal(begun.length, 10);
  void all;
});

test('a video whose sound cannot be decoded is accepted without it, with a warning', async () => {
  const bytes = readFileSync(clip);
  // The object type in the elementary stream descriptor (ISO/IEC 14496-1, 7.2.6.6): 0xfe belongs to nobody.
  const descriptor = bytes.indexOf('esds');
  bytes[bytes.indexOf(Buffer.from([0x40, 0x15]), descriptor)] = 0xfe;
  for (let at = bytes.indexOf('mp4a'); at >= 0; at = bytes.indexOf('mp4a')) bytes.write('zzzz', at, 'latin1');
  const path = join(folder, 'unknown-sound.mp4');
  writeFileSync(path, bytes);
  const reply = await upload(baseUrl, path);
  assert.equal(reply.status, 201);
  const { has_audio, warnings } = reply.body.data;
  assert.equal(has_audio, false);
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['SOUND_NOT_DECODABLE', 'TEMPLATE_SHORT'],
  );
});
