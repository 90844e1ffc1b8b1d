import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { openHttp } from '../support/http.ts';

const PATH = '/api/v1/webhook-secret';

/** What browsers, proxies and content networks add to a request. */
const TRACES = [
  ['origin', 'http://localhost:3000'],
  ['referer', 'https://evil.example/'],
  ['cookie', 'a=b'],
  ['sec-fetch-site', 'cross-site'],
  ['sec-fetch-site', 'same-origin'],
  ['sec-fetch-site', 'none'],
  ['sec-fetch-dest', 'empty'],
  ['sec-ch-ua', '"Chromium";v="140"'],
  ['upgrade-insecure-requests', '1'],
  ['dnt', '1'],
  ['x-requested-with', 'XMLHttpRequest'],
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-host', 'localhost'],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-port', '443'],
  ['x-forwarded-prefix', '/styles'],
  ['x-forwarded-server', 'proxy'],
  ['x-forwarded', 'for=203.0.113.9'],
  ['x-original-forwarded-for', '203.0.113.9'],
  ['x-real-ip', '203.0.113.9'],
  ['x-client-ip', '203.0.113.9'],
  ['x-cluster-client-ip', '203.0.113.9'],
  ['x-envoy-external-address', '203.0.113.9'],
  ['x-amzn-trace-id', 'Root=1-67891233-abcdef012345678912345678'],
  ['x-arr-log-id', 'x'],
  ['forwarded', 'for=203.0.113.9'],
  ['via', '1.1 proxy'],
  ['cf-connecting-ip', '203.0.113.9'],
  ['cf-ray', '230b030023ae2822-SJC'],
  ['cdn-loop', 'cloudflare'],
  ['true-client-ip', '203.0.113.9'],
  ['fastly-client-ip', '203.0.113.9'],
  ['max-forwards', '10'],
] as const;

function ask(baseUrl: string, headers: Readonly<Record<string, string>>) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    request(`${baseUrl}${PATH}`, { headers }, async (response) => {
      resolve({ status: response.statusCode!, body: await text(response) });
    })
      .on('error', reject)
      .end();
  });
}

describe('the webhook secret over HTTP', () => {
  test('is returned on this machine, and not to possible remote requests', async () => {
    await using service = await openHttp();
    const reported = await ask(service.baseUrl, {});
    assert.equal(reported.status, 200);
    assert.deepEqual(JSON.parse(reported.body).data, {
      secret: service.webhooks.secrets[0],
      secrets: [...service.webhooks.secrets],
    });
    for (const host of ['styledna.example.com', 'rebound.example:8080']) {
      const refused = await ask(service.baseUrl, { host });
      assert.equal(refused.status, 421, host);
      assert.doesNotMatch(refused.body, /whsec_/);
    }
    for (const [name, value] of TRACES) {
      const refused = await ask(service.baseUrl, { [name]: value });
      assert.equal(refused.status, 404, name);
      assert.match(refused.body, /ROUTE_NOT_FOUND/);
      assert.doesNotMatch(refused.body, /whsec_/);
    }
    const { port } = new URL(service.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${PATH} HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 404/, 'nginx without settings');
  });

  test('is returned to programs of this machine, with the headers of their libraries', async () => {
    await using service = await openHttp();
    assert.equal((await fetch(service.baseUrl + PATH)).status, 200);
    for (const headers of [
      { 'user-agent': 'curl/8.5.0', accept: '*/*' },
      { 'user-agent': 'python-requests/2.31', 'accept-encoding': 'gzip, deflate', connection: 'keep-alive' },
      { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAEAAEAAAAIAAAAB' },
      { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', 'x-request-id': 'one' },
    ])
      assert.equal(
        (await ask(service.baseUrl, headers as Record<string, string>)).status,
        200,
        JSON.stringify(headers),
      );
  });

  test('is not returned under a name of ALLOWED_HOSTS', async () => {
    await using service = await openHttp({ ALLOWED_HOSTS: '*' });
    assert.equal((await ask(service.baseUrl, { host: 'box.local' })).status, 404);
  });

  for (const [what, settings] of [
    ['listens elsewhere', { HOST: '0.0.0.0' }],
    ['stands behind a proxy', { TRUST_PROXY: '1' }],
    ['is known by a public address', { PUBLIC_BASE_URL: 'https://styledna.example.com' }],
  ] as const) {
    test(`is not returned by a service that ${what}`, async () => {
      await using service = await openHttp(settings);
      assert.equal((await ask(service.baseUrl, {})).status, 404);
    });
  }
});
