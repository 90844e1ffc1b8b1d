import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readConfig } from '../../src/settings/config.ts';
import { assertError, call } from '../support/client.ts';
import { openHttp } from '../support/http.ts';
import { openShared } from '../support/jobs.ts';

const place = await openShared();
after(() => place[Symbol.asyncDispose]());
const from = (address: string) => ({ headers: { 'x-forwarded-for': `1.1.1.1, ${address}` } });

test('too many are refused, health never; behind a proxy each client counts alone', async () => {
  const environment = { RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: '127.0.0.0/8' };
  await using service = await openHttp(environment, { shared: place.shared });
  const get = (path: string, address: string) => call(service.baseUrl, 'GET', path, from(address));
  for (const remaining of ['2', '1', '0']) {
    const reply = await get('/api/v1/jobs', '9.9.9.9');
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('ratelimit-remaining'), remaining);
  }
  for (const path of ['/api/v1/jobs', '/api/v1/nothing']) {
    const refused = await get(path, '9.9.9.9');
    assertError(refused, 'RATE_LIMITED');
    // 20 s less the time of the earlier requests.
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 20, String(seconds));
    assert.equal(refused.headers.get('ratelimit-limit'), '3');
  }
  assert.equal((await get('/api/v1/health', '9.9.9.9')).status, 200);
  assert.equal((await fetch(`${service.baseUrl}/livez`, from('9.9.9.9'))).status, 200);
  assert.equal((await get('/api/v1/jobs', '8.8.8.8')).status, 200);
});

test('without a trusted proxy, X-Forwarded-For changes nothing; by default there is no limit', async () => {
  await using limited = await openHttp({ RATE_LIMIT_PER_MINUTE: '1' }, { shared: place.shared });
  assert.equal((await call(limited.baseUrl, 'GET', '/api/v1/jobs', from('9.9.9.9'))).status, 200);
  assertError(await call(limited.baseUrl, 'GET', '/api/v1/jobs', from('8.8.8.8')), 'RATE_LIMITED');
});

test('TRUST_PROXY takes a number of proxies or their networks', () => {
  for (const [text, value] of [
    ['', 0],
    ['false', 0],
    ['true', 1],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ] as const) {
    assert.deepEqual(readConfig({ TRUST_PROXY: text }).TRUST_PROXY, value);
  }
  assert.throws(() => readConfig({ TRUST_PROXY: 'proxy.local' }), /TRUST_PROXY: must be a number of proxies/);
});
