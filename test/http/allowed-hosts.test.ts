/** Which hosts a service answers: a page whose name was rebound to loopback reaches nothing. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/settings/config.ts';
import { assertError } from '../support/client.ts';
import { openHttp } from '../support/http.ts';

type Headers = Readonly<Record<string, string>>;

function ask(baseUrl: string, headers: Headers, { method = 'GET', path = '/api/v1/jobs' } = {}) {
  return new Promise<Parameters<typeof assertError>[0]>((resolve, reject) => {
    request(`${baseUrl}${path}`, { method, headers }, async (response) => {
      const answer = new globalThis.Headers(response.headers as Record<string, string>);
      resolve({ status: response.statusCode!, headers: answer, body: (await json(response)) as never });
    })
      .on('error', reject)
      .end();
  });
}

describe('bound to loopback', () => {
  const SETTINGS = {
    PUBLIC_BASE_URL: 'https://Videos.Example.com/styles',
    ALLOWED_HOSTS: 'box.local, [2001:db8::7], bücher.example, strict.example:8443',
  };
  test('loopback, the public address and named hosts are answered, however they are spelt', async () => {
    await using service = await openHttp(SETTINGS);
    for (const host of [
      'localhost',
      'LOCALHOST:1234',
      'localhost.',
      'app.localhost:80',
      '127.0.0.1',
      '127.9.8.7:8080',
      '[::1]:8080',
      '[0:0:0:0:0:0:0:1]',
      '[::ffff:127.0.0.1]',
      'videos.example.com',
      'videos.example.com.:443',
      'BOX.local:8080',
      '[2001:DB8:0::7]:8080',
      'xn--bcher-kva.example',
      'strict.example:8443',
    ])
      assert.equal((await ask(service.baseUrl, { host })).status, 200, host);
  });

  test('every other host is refused, on every path', async () => {
    await using service = await openHttp(SETTINGS);
    for (const host of [
      'evil.example',
      `evil.example:${new URL(service.baseUrl).port}`,
      'localhost.evil.example',
      'evil.videos.example.com',
      'notlocalhost',
      '127.0.0.1.evil.example',
      'evil.example@localhost',
      'localhost/@evil.example',
      '192.168.1.7',
      '0.0.0.0',
      '[::]',
      '[2001:db8::8]',
      'strict.example',
      'strict.example:80',
    ])
      assertError(await ask(service.baseUrl, { host }), 'HOST_NOT_ALLOWED');
    for (const path of ['/', '/livez', '/metrics', '/docs', '/api/v1/webhook-secret', '/api/v1/nothing'])
      assertError(await ask(service.baseUrl, { host: 'evil.example' }, { path }), 'HOST_NOT_ALLOWED');
    const own = { host: 'evil.example', origin: 'http://evil.example', 'content-type': 'application/json' };
    for (const method of ['POST', 'OPTIONS', 'DELETE'])
      assertError(await ask(service.baseUrl, own, { method }), 'HOST_NOT_ALLOWED');
    const { body } = await ask(service.baseUrl, { host: 'evil.example' });
    assert.match(body.error.detail, /"evil\.example".*localhost.*ALLOWED_HOSTS/);
  });

  test('X-Forwarded-Host counts only with TRUST_PROXY, and never in place of Host', async () => {
    await using plain = await openHttp(SETTINGS);
    assert.equal((await ask(plain.baseUrl, { 'x-forwarded-host': 'evil.example' })).status, 200);
    const hidden = { host: 'evil.example', 'x-forwarded-host': 'localhost' };
    assertError(await ask(plain.baseUrl, hidden), 'HOST_NOT_ALLOWED');
    await using proxied = await openHttp({ ...SETTINGS, TRUST_PROXY: '1' });
    const by = (name: string) => ask(proxied.baseUrl, { 'x-forwarded-host': name });
    assert.equal((await by('videos.example.com')).status, 200);
    assertError(await by('evil.example'), 'HOST_NOT_ALLOWED');
    assertError(await ask(proxied.baseUrl, hidden), 'HOST_NOT_ALLOWED');
  });

  test('HTTP/1.0 without a host is a probe; an empty host is refused', async () => {
    await using service = await openHttp();
    const { port } = new URL(service.baseUrl);
    for (const [head, status] of [
      ['GET /livez HTTP/1.0', 200],
      ['GET /livez HTTP/1.1\r\nHost:\r\nConnection: close', 421],
      ['GET http://localhost/livez HTTP/1.1\r\nHost: evil.example\r\nConnection: close', 421],
    ] as const) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(`${head}\r\n\r\n`);
      assert.match(await text(socket), new RegExp(`^HTTP/1\\.1 ${status}`), head);
    }
  });

  test('ALLOWED_HOSTS=* answers any host', async () => {
    await using service = await openHttp({ ALLOWED_HOSTS: '*' });
    assert.equal((await ask(service.baseUrl, { host: 'any.example' })).status, 200);
  });
});

test('a service for other machines does not know its names, and answers all', async () => {
  await using service = await openHttp({ HOST: '0.0.0.0' });
  assert.equal((await ask(service.baseUrl, { host: 'any.example' })).status, 200);
});

test('bad hosts are named at start', () => {
  for (const bad of ['http://a.example', 'a.example/x', 'a b', 'u@a.example', '[::1', '*.example.com:x'])
    assert.throws(
      () => readConfig({ ALLOWED_HOSTS: `ok.example,${bad}` }),
      /ALLOWED_HOSTS: must be a host/,
      bad,
    );
});
