import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { RETRY_DELAYS_MS, readRetryAfter, retryDelayMs } from '../../src/webhooks/schedule.ts';
import { newSecret, signedHeaders } from '../../src/webhooks/sign.ts';

describe('signatures', () => {
  const body = '{"success":true,"message":"ü"}';

  test('are accepted by the official verifier with any active secret, and by no other', () => {
    const secrets = [newSecret(), newSecret()];
    const headers = signedHeaders('id-1', body, secrets, new Date());
    for (const secret of secrets)
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body));
    assert.throws(() => new Webhook(newSecret()).verify(body, headers));
    assert.throws(() => new Webhook(secrets[0]).verify(`${body} `, headers));
    assert.throws(() => new Webhook(secrets[0]).verify(body, { ...headers, 'webhook-id': 'id-2' }));
  });

  test('are those of the standard’s own example', () => {
    // standardwebhooks' test suite: a known secret, id, time and payload.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const now = new Date(1614265330_000);
    const headers = signedHeaders('msg_p5jXN8AQM9LWM0D4loKWxJek', '{"test": 2432232314}', [secret], now);
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    assert.equal(headers['webhook-timestamp'], '1614265330');
  });

  test('a new secret has the form that settings accept', () => {
    assert.match(newSecret(), /^whsec_[A-Za-z0-9+/=]{32,}$/);
    assert.equal(Buffer.from(newSecret().slice('whsec_'.length), 'base64').length, 32);
    assert.notEqual(newSecret(), newSecret());
  });
});

describe('the schedule', () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];

  test('waits for the delays of the contract, up to a tenth longer, then fails', () => {
    minutes.forEach((expected, index) => {
      assert.equal(retryDelayMs(index + 1, null, 0), expected * 60_000);
      assert.equal(retryDelayMs(index + 1, null, 1), Math.round(expected * 66_000));
    });
    assert.equal(RETRY_DELAYS_MS.length, 9);
    assert.equal(retryDelayMs(10, null, 0), null);
    assert.equal(retryDelayMs(10, 60_000, 0), null);
  });

  test('waits longer on request, up to a limit, and never shorter', () => {
    assert.equal(retryDelayMs(1, 60_000, 0), 60_000);
    assert.equal(retryDelayMs(1, 1e15, 0), 24 * 3600_000);
    assert.equal(retryDelayMs(2, 1_000, 0), 300_000);
    assert.equal(retryDelayMs(1, null, 0, [0]), 0);
  });

  test('Retry-After is read in both its forms', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    const table: [string | undefined, number | null][] = [
      ['120', 120_000],
      [' 7 ', 7_000],
      ['0', 0],
      ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
      ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
      ['soon', null],
      [undefined, null],
    ];
    for (const [header, expected] of table) assert.equal(readRetryAfter(header, now), expected, header);
  });
});
