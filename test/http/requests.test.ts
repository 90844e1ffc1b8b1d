import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertError, call } from '../support/client.ts';
import { openHttp } from '../support/http.ts';
import { waitFor } from '../support/processes.ts';
import { onlyDirectly, refusalOf } from '../support/sign-in-proxy.ts';

const service = await openHttp({ CORS_ORIGINS: 'https://app.example.com,http://localhost:3000' });
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;

/** Sends bytes unchanged and collects the answer until the connection ends or is silent. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  socket.setTimeout(700, () => socket.destroy());
  socket.write(bytes);
  return new Promise((resolve) => socket.once('close', () => resolve(text)));
}

describe('unknown operations', () => {
  for (const [method, path, code, allow] of [
    ['GET', '/api', 'ROUTE_NOT_FOUND', null],
    ['GET', '/api/v1', 'ROUTE_NOT_FOUND', null],
    ['GET', '/api/v2/jobs', 'ROUTE_NOT_FOUND', null],
    ['POST', '/api/v1/nothing', 'ROUTE_NOT_FOUND', null],
    ['PUT', '/api/v1/jobs', 'METHOD_NOT_ALLOWED', 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/api/v1/jobs/x', 'METHOD_NOT_ALLOWED', 'DELETE, GET, HEAD, OPTIONS'],
    ['GET', '/api/v1/jobs/x/cancel', 'METHOD_NOT_ALLOWED', 'POST, OPTIONS'],
    ['DELETE', '/api/v1/health', 'METHOD_NOT_ALLOWED', 'GET, HEAD, OPTIONS'],
    ['GET', '/api/v1/jobs/%zz', 'MALFORMED_REQUEST', null],
    ['GET', `/api/v1/jobs/${'x'.repeat(3000)}`, 'JOB_NOT_FOUND', null],
    ['GET', `/api/v1/jobs/${'x'.repeat(5000)}`, 'ROUTE_NOT_FOUND', null],
    ['GET', '/api/v1/jobs/..%2f..%2fetc%2fpasswd', 'JOB_NOT_FOUND', null],
    ['GET', '/api/v1/jobs/%00', 'JOB_NOT_FOUND', null],
    ['GET', "/api/v1/jobs/1'%20OR%20'1'='1", 'JOB_NOT_FOUND', null],
  ] as const) {
    test(`${method} ${path.slice(0, 60)}`, async () => {
      const reply = await call(baseUrl, method, path);
      assertError(reply, refusalOf(path, code));
      if (allow !== null) assert.equal(reply.headers.get('allow'), allow);
    });
  }

  test('a trailing slash changes nothing', async () => {
    assert.equal((await call(baseUrl, 'GET', '/api/v1/jobs/')).status, 200);
  });

  test('an unknown path is 404 with any body', async () => {
    assertError(
      await call(baseUrl, 'POST', '/nope', { body: '{', headers: { 'content-type': 'application/json' } }),
      'ROUTE_NOT_FOUND',
    );
  });

  test('OPTIONS names the methods', async () => {
    const answer = await fetch(`${baseUrl}/api/v1/jobs`, { method: 'OPTIONS' });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
  });
});

describe('bodies', () => {
  const json = { 'content-type': 'application/json' };
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const [what, body, headers, code] of [
    ['broken JSON', '{"video_id":', json, 'INVALID_JSON'],
    ['no body', undefined, {}, 'INVALID_JSON'],
    ['an empty body', '', json, 'INVALID_JSON'],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), json, 'INVALID_JSON'],
    ['a NUL', '{"video_id":"a\\u0000"}', json, 'INVALID_JSON'],
    ['half a surrogate pair', '{"video_id":"\\ud800"}', json, 'INVALID_JSON'],
    ['__proto__', '{"video_id":"a","config":{"__proto__":{"x":1}}}', json, 'INVALID_JSON'],
    ['absurd depth', `{"video_id":"a","config":{"x":${deep}}}`, json, 'INVALID_JSON'],
    ['an array', '[]', json, 'VALIDATION_ERROR'],
    ['null', 'null', json, 'VALIDATION_ERROR'],
    ['text', 'video', { 'content-type': 'text/plain' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 'UNSUPPORTED_MEDIA_TYPE'],
    ['no content type', Buffer.from('{}'), {}, 'UNSUPPORTED_MEDIA_TYPE'],
    ['more than 1 MiB', `{"video_id":"${'x'.repeat(2 ** 20)}"}`, json, 'BODY_TOO_LARGE'],
  ] as const) {
    test(what, async () => {
      const reply = await call(baseUrl, 'POST', '/api/v1/jobs', {
        ...(body === undefined ? {} : { body }),
        headers,
      });
      assertError(reply, code);
    });
  }

  test('more than 1 MiB without an announced length', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode(' '.repeat(65536)));
      },
    });
    const sending = call(baseUrl, 'POST', '/api/v1/jobs', { body, headers: json });
    // The client may see the answer or, still sending without end, the connection cut off.
    await sending.then(
      (reply) => assertError(reply, 'BODY_TOO_LARGE'),
      (error: Error) => assert.equal(error.message, 'fetch failed'),
    );
  });

  test('the connection outlives a refused body', { skip: onlyDirectly() }, async () => {
    const big = `{"x":"${'x'.repeat(2 ** 20)}"}`;
    const text = await raw(
      `POST /api/v1/jobs HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${big.length}\r\n\r\n${big}` +
        'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n',
    );
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.match(text, /HTTP\/1\.1 200 OK[\s\S]*\{"status":"ok"\}/);
  });

  test('every field that is wrong is named', async () => {
    const reply = await call(baseUrl, 'POST', '/api/v1/jobs', {
      json: {
        video_id: 7,
        config: { quality: 'finest', style_strength: 2, components: { color: 'yes' } },
        webhook_url: 'not a url',
      },
    });
    assertError(reply, 'VALIDATION_ERROR');
    assert.deepEqual(reply.body.error.fields.map((field: { path: string }) => field.path).sort(), [
      'config.components.color',
      'config.quality',
      'config.style_strength',
      'video_id',
      'webhook_url',
    ]);
    const strengths = { color: 1.5, pacing: 0.3, aspect_ratio: 0.5 };
    const { body } = await call(baseUrl, 'POST', '/api/v1/jobs', {
      json: { video_id: 'x', config: { components: strengths } },
    });
    assert.deepEqual(
      body.error.fields.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`),
      [
        'config.components.color: Expected true (as strong as style_strength), false (left out), or a strength of its own from 0 to 1',
        'config.components.aspect_ratio: Expected true, false or "auto" (followed only where it does no harm)',
      ],
    );
    const missing = await call(baseUrl, 'POST', '/api/v1/jobs', { json: {} });
    assert.deepEqual(missing.body.error.fields, [{ path: 'video_id', message: 'is required' }]);
  });
});

describe('bytes that are no request', () => {
  for (const [what, bytes, status, code] of [
    ['garbage', 'GARBAGE\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    ['a header without a name', 'GET / HTTP/1.1\r\n: x\r\n\r\n', 400, 'MALFORMED_REQUEST'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'MALFORMED_REQUEST',
    ],
    [
      'huge headers',
      `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    [
      'a huge address',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
  ] as const) {
    test(what, async () => {
      const text = await raw(bytes);
      assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `));
      assert.equal(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)).error.code, code);
    });
  }

  test('HTTP/1.0 without a host is served', async () => {
    assert.match(await raw('GET /livez HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
  });
});

describe('framing of requests', () => {
  const get = (headers: string) => raw(`GET /api/v1/jobs HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`);

  test('without a Host, or with two, it is refused; with one it is served', {
    skip: onlyDirectly(),
  }, async () => {
    assert.match(await get('Host: localhost\r\n'), /^HTTP\/1\.1 200 /);
    for (const headers of ['', 'Host: a\r\nHost: b\r\n']) {
      const answer = await get(headers);
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.match(answer, /"code":"MALFORMED_REQUEST"/);
      assert.match(answer, /Host header/);
    }
  });

  for (const [method, path, type] of [
    ['POST', '/api/v1/jobs', 'application/json'],
    ['POST', '/api/v1/videos/upload', 'multipart/form-data; boundary=x'],
    ['POST', '/api/v1/uploads', 'application/offset+octet-stream'],
    ['PUT', '/api/v1/videos/x/captions', 'text/vtt'],
  ] as const) {
    test(`a compressed body of ${method} ${path} is refused, not stored`, async () => {
      const headers = { 'content-type': type, 'content-encoding': 'gzip' };
      const reply = await call(baseUrl, method, path, { body: 'x', headers });
      assertError(reply, 'UNSUPPORTED_MEDIA_TYPE');
      assert.match(reply.body.error.detail, /Content-Encoding "gzip"/);
      assert.equal(reply.headers.get('accept-encoding'), 'identity');
    });
  }

  test('"identity" is no coding', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'identity' };
    const reply = await call(baseUrl, 'POST', '/api/v1/jobs', { body: '{}', headers });
    assertError(reply, 'VALIDATION_ERROR');
  });
});

test('a client that goes away in the middle of its body is no error of ours', {
  skip: onlyDirectly(),
}, async () => {
  const { hostname, port } = new URL(baseUrl);
  const before = service.log.length;
  const socket = connect(Number(port), hostname);
  socket.write(
    'POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  );
  await sleep(200);
  socket.destroy();
  const line = await waitFor('the log tells it', () =>
    service.log.slice(before).find(({ msg }) => String(msg).includes('client closed the connection')),
  );
  await sleep(100);
  assert.deepEqual([line['level'], line['route']], [30, '/api/v1/jobs']);
  assert.deepEqual(
    service.log.slice(before).filter(({ level }) => Number(level) >= 40),
    [],
  );
});

describe('request ids', () => {
  for (const [input, stored] of [
    ['client-42', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['with space', false],
    ['<script>', false],
  ] as const) {
    test(`${input.slice(0, 20)} (${input.length}) is ${stored ? 'stored' : 'replaced'}`, async () => {
      const reply = await call(baseUrl, 'GET', '/api/v1/jobs/none', { headers: { 'x-request-id': input } });
      assert.equal(reply.headers.get('x-request-id') === input, stored);
    });
  }
});

describe('origins', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };
  for (const [origin, allowed] of [
    ['https://app.example.com', true],
    ['http://localhost:3000', true],
    ['https://app.example.com.evil.test', false],
    ['http://app.example.com', false],
    ['https://APP.example.com', false],
    ['null', false],
  ] as const) {
    test(`${origin} is ${allowed ? '' : 'not '}allowed`, async () => {
      const get = await call(baseUrl, 'GET', '/api/v1/jobs', { headers: { origin } });
      assert.equal(get.headers.get('access-control-allow-origin'), allowed ? origin : null);
      assert.match(get.headers.get('vary') ?? '', /Origin/);
      const requested = await fetch(`${baseUrl}/api/v1/jobs`, {
        method: 'OPTIONS',
        headers: { origin, ...preflight },
      });
      assert.equal(requested.status, 204);
      assert.equal(requested.headers.get('access-control-allow-origin'), allowed ? origin : null);
      assert.equal(requested.headers.has('access-control-allow-methods'), allowed);
      // Of clients of tus: refused headers could not tell the page why.
      const headers = requested.headers.get('access-control-allow-headers') ?? '';
      for (const name of ['X-HTTP-Method-Override', 'Upload-Concat', 'Upload-Defer-Length'])
        assert.equal(headers.includes(name), allowed, name);
      // A browser sends this one without asking first.
      const post = await call(baseUrl, 'POST', '/api/v1/jobs', { headers: { origin }, json: {} });
      assertError(post, allowed ? 'VALIDATION_ERROR' : 'FORBIDDEN');
      assert.equal(post.headers.get('access-control-allow-origin'), allowed ? origin : null);
    });
  }

  test('the service’s own pages may post', async () => {
    assertError(
      await call(baseUrl, 'POST', '/api/v1/jobs', { headers: { origin: baseUrl }, json: {} }),
      'VALIDATION_ERROR',
    );
  });

  // Browsers send no preflight for these (WHATWG Fetch, "CORS-safelisted request-header").
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    test(`a foreign page sends no form as ${type}`, async () => {
      for (const path of [
        '/api/v1/jobs',
        '/api/v1/videos/upload',
        '/api/v1/videos/import',
        '/api/v1/uploads',
      ])
        for (const headers of [
          { origin: 'https://evil.example' },
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
          // Old browsers send no other header of their page.
          { referer: 'https://evil.example/form' },
          { referer: `https://evil.example/#${baseUrl}` },
          { referer: 'about:blank' },
        ]) {
          const sent = { headers: { ...headers, 'content-type': type }, body: '--x--\r\n' };
          assertError(await call(baseUrl, 'POST', path, sent as never), 'FORBIDDEN');
        }
    });
  }

  test('an address that a person typed, and a page of the same origin, may go on', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin' },
      { referer: `${baseUrl}/` },
      { referer: 'https://app.example.com/form' },
      { referer: 'not an address' },
    ] as Record<string, string>[])
      assertError(await call(baseUrl, 'POST', '/api/v1/jobs', { headers, json: {} }), 'VALIDATION_ERROR');
  });
});

test('credentials are ignored and never logged', { skip: onlyDirectly() }, async () => {
  const secret = 'Bearer very-secret-token';
  const reply = await call(baseUrl, 'GET', '/api/v1/jobs?cursor=query-secret', {
    headers: { authorization: secret },
  });
  assertError(reply, 'VALIDATION_ERROR');
  assert.ok(service.log.length > 0);
  assert.doesNotMatch(JSON.stringify(service.log), /very-secret|query-secret/);
});

test('health and probes', async () => {
  const health = await call(baseUrl, 'GET', '/api/v1/health');
  assert.equal(health.body.data.checks.database, 'ok');
  assert.equal(health.body.data.checks.storage, 'ok');
  assert.equal(health.body.data.version, '0.0.0-test');
  assert.equal((await fetch(`${baseUrl}/livez`)).status, 200);
  assert.equal((await fetch(`${baseUrl}/readyz`)).status, 200);
  const head = await fetch(`${baseUrl}/api/v1/health`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
});

test('metrics', { skip: onlyDirectly() }, async () => {
  assert.equal((await fetch(`${baseUrl}/livez`)).status, 200);
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
  assert.match(metrics, /^styledna_cluster_jobs\{status="queued"\} 0$/m);
  assert.match(
    metrics,
    /^styledna_http_request_duration_seconds_count\{method="GET",route="\/livez",status="200"\} \d+$/m,
  );
});
