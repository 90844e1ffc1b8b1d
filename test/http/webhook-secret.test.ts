import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { openHttp } from '../support/http.ts';

const PATH = '/api/v1/webhook-secret';

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
  test('is told on this machine, and to nobody who may come from elsewhere', async () => {
    await using service = await openHttp();
    const told = await ask(service.baseUrl, {});
    assert.equal(told.status, 200);
    assert.deepEqual(JSON.parse(told.body).data, {
      secret: service.webhooks.secrets[0],
      secrets: [...service.webhooks.secrets],
    });
    for (const headers of [
      { host: 'styledna.example.com' },
      { host: 'rebound.example:8080' },
      { origin: 'http://localhost:3000' },
      { 'x-forwarded-for': '203.0.113.9' },
      { 'x-real-ip': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 proxy' },
    ]) {
      const refused = await ask(service.baseUrl, headers as Record<string, string>);
      assert.equal(refused.status, 404, JSON.stringify(headers));
      assert.match(refused.body, /ROUTE_NOT_FOUND/);
      assert.doesNotMatch(refused.body, /whsec_/);
    }
  });

  for (const [what, settings] of [
    ['listens elsewhere', { HOST: '0.0.0.0' }],
    ['stands behind a proxy', { TRUST_PROXY: '1' }],
    ['is known by a public address', { PUBLIC_BASE_URL: 'https://styledna.example.com' }],
  ] as const) {
    test(`is not told by a service that ${what}`, async () => {
      await using service = await openHttp(settings);
      assert.equal((await ask(service.baseUrl, {})).status, 404);
    });
  }
});
