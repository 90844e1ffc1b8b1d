import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { PAGE_FOLDER } from '../../src/package/package-files.ts';
import { captionFontPath } from '../../src/render/captions/caption-fonts.ts';
import { startStrippingProxy } from '../support/http-proxy.ts';
import { type Service, startService } from '../support/service.ts';

describe('the web page as the service serves it', () => {
  let service: Service;
  before(async () => {
    service = await startService({ WORKER_CONCURRENCY: '0' });
  });
  after(() => service[Symbol.asyncDispose]());

  for (const [path, base] of [
    ['/', './'],
    ['/library', './'],
    ['/library/', '../'],
    ['/library?state=failed', './'],
    ['/jobs/0190-any', '../'],
  ] as const) {
    test(`${path} is the page, and its base leads to the root`, async () => {
      const response = await fetch(service.baseUrl + path);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(response.headers.get('cache-control'), 'no-cache');
      const html = await response.text();
      assert.match(html, new RegExp(`<base href="${base}">`));
      assert.equal(new URL(base, service.baseUrl + path).pathname, '/');
    });
  }

  test('its policy allows only resources of the service', async () => {
    const { headers } = await fetch(service.baseUrl);
    const policy = headers.get('content-security-policy')!;
    const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0]!, rule.split(' ').slice(1)]));
    assert.deepEqual(rules.get('default-src'), ["'none'"]);
    for (const name of ['script-src', 'style-src', 'connect-src', 'font-src'])
      assert.deepEqual(rules.get(name), ["'self'"], name);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  });

  test('files of the page never change under their names, and are compressed', async () => {
    const script = readdirSync(join(PAGE_FOLDER, 'assets')).find((name) => /^index-.*\.js$/.test(name))!;
    for (const encoding of ['br', 'gzip', 'identity']) {
      const address = new URL(`/assets/${script}`, service.baseUrl);
      const requested = request(address, { headers: { 'accept-encoding': encoding } }).end();
      const [response] = await once(requested, 'response');
      response.resume();
      assert.equal(response.statusCode, 200);
      assert.equal(response.headers['content-encoding'] ?? 'identity', encoding);
      assert.equal(response.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.match(response.headers['content-type'], /^(application|text)\/javascript; charset=utf-8$/);
      assert.equal(response.headers['x-content-type-options'], 'nosniff');
      assert.match(response.headers.vary, /accept-encoding/);
    }
  });

  test('a file of the page is sent again only if it changed, and always with its own type', async () => {
    const address = new URL('/icon.svg', service.baseUrl);
    // Not `fetch`: with `If-None-Match` it sends `Cache-Control: no-cache`.
    const ask = async (headers: OutgoingHttpHeaders, method = 'GET') => {
      const [answer] = await once(request(address, { headers, method }).end(), 'response');
      return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
    };
    const { headers, body } = await ask({});
    assert.equal(headers['content-type'], 'image/svg+xml; charset=utf-8');
    assert.equal(headers['cache-control'], 'public, max-age=3600');
    assert.match(body, /^<svg/);
    const rows: readonly (readonly [headers: OutgoingHttpHeaders, status: number, body: string])[] = [
      [{ 'if-none-match': headers.etag }, 304, ''],
      [{ 'if-none-match': '"another"' }, 200, body],
      // Complete for any range: there is nothing to seek in.
      [{ range: 'bytes=0-9' }, 200, body],
      [{ range: 'bytes=99999999-' }, 200, body],
      [{ 'accept-encoding': '*' }, 200, body],
      [{ 'accept-encoding': 'br;q=0, gzip;q=0' }, 200, body],
    ];
    for (const [requested, status, expected] of rows) {
      const answer = await ask(requested);
      assert.deepEqual([answer.status, answer.body], [status, expected], JSON.stringify(requested));
    }
    assert.deepEqual((await ask({}, 'HEAD')).headers['content-length'], String(body.length));
    const other = await ask({ 'if-match': '"another"' });
    assert.equal(other.status, 404);
    assert.equal(JSON.parse(other.body).error.code, 'ROUTE_NOT_FOUND');
  });

  test("has the renderer's fonts", async () => {
    for (const face of [
      'inter-medium',
      'inter-semibold',
      'inter-extrabold',
      'dela-gothic',
      'noto-hebrew-medium',
    ] as const) {
      const response = await fetch(`${service.baseUrl}/fonts/${face}.ttf`);
      assert.equal(response.headers.get('content-type'), 'font/ttf');
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), readFileSync(captionFontPath(face)!));
    }
    // A package that is not installed.
    assert.equal((await fetch(`${service.baseUrl}/fonts/noto-kr-medium.ttf`)).status, 404);
  });

  test('other paths are answered as everywhere', async () => {
    for (const path of [
      '/assets/none.js',
      '/assets/../../package.json',
      '/assets/%2e%2e/index.html',
      '/any',
      '/fonts/none.ttf',
    ]) {
      const response = await fetch(service.baseUrl + path);
      assert.equal(response.status, 404, path);
      const { error } = (await response.json()) as { error: { code: string } };
      assert.equal(error.code, 'ROUTE_NOT_FOUND');
    }
    const response = await fetch(service.baseUrl, { method: 'POST' });
    assert.equal(response.status, 405);
    assert.match(response.headers.get('allow')!, /GET/);
  });

  test('a person who opens an address where nothing is sees the page, and a program the error format', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    for (const [method, path, accept, type] of [
      ['GET', '/nowhere', browser, 'text/html'],
      ['GET', '/jobs/one/two?x=1', browser, 'text/html'],
      ['GET', '/nowhere', '*/*', 'application/json'],
      ['GET', '/nowhere', 'application/json', 'application/json'],
      ['POST', '/nowhere', browser, 'application/json'],
      ['GET', '/api', browser, 'application/json'],
      ['GET', '/api/v1/nothing', browser, 'application/json'],
      ['GET', '/assets/none.js', browser, 'application/json'],
      ['GET', '/apis', browser, 'text/html'],
    ] as const) {
      const response = await fetch(service.baseUrl + path, { method, headers: { accept } });
      const what = `${method} ${path} for ${accept}`;
      assert.equal(response.status, 404, what);
      assert.equal(response.headers.get('content-type')!.split(';')[0], type, what);
      if (type !== 'text/html') continue;
      const base = /<base href="([^"]*)">/.exec(await response.text())![1];
      assert.equal(new URL(base, service.baseUrl + path).pathname, '/', what);
      assert.match(response.headers.get('content-security-policy')!, /script-src 'self'/, what);
    }
  });

  test('under a path that a proxy takes away, every address of the page leads through the proxy', async () => {
    const prefix = '/styles/of/us';
    await using proxy = await startStrippingProxy(prefix, service.baseUrl);
    for (const place of ['/', '/library', '/jobs/any']) {
      const address = proxy.url + prefix + place;
      const html = await (await fetch(address)).text();
      const base = new URL(/<base href="([^"]*)">/.exec(html)![1], address);
      const named = [...html.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)]
        .map((match) => match[1])
        .filter((one) => one !== './');
      assert.ok(named.length >= 3, html);
      for (const one of named)
        assert.equal((await fetch(new URL(one, base))).status, 200, `${place}: ${one}`);
    }
  });
});
