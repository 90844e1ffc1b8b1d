import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, TokenBuckets } from '../../src/http/server/rate-limit.ts';

test('a bucket grants its tokens at once, then at its rate', () => {
  const buckets = new TokenBuckets(60);
  for (let left = 59; left > 0; left--) buckets.consume('a', 0);
  // [client, milliseconds, is it granted, remaining, seconds until full, seconds until the next]
  const rows = [
    ['a', 0, true, 0, 60, 0],
    ['a', 100, false, 0, 60, 1],
    ['b', 100, true, 59, 1, 0],
    ['a', 999, false, 0, 60, 1],
    ['a', 1000, true, 0, 60, 0],
    ['a', 1000, false, 0, 60, 1],
    ['a', 3500, true, 1, 59, 0],
    // Never more than full.
    ['a', 1e9, true, 59, 1, 0],
  ] as const;
  for (const [client, nowMs, isGranted, remaining, resetSeconds, retryAfterSeconds] of rows)
    assert.deepEqual(
      buckets.consume(client, nowMs),
      { isGranted, remaining, resetSeconds, retryAfterSeconds },
      `${client} at ${nowMs} ms`,
    );
  const slow = new TokenBuckets(2);
  const waits = [0, 0, 0, 12_000, 29_999, 30_000, 59_000].map((nowMs) => slow.consume('a', nowMs));
  assert.deepEqual(
    waits.map(({ retryAfterSeconds }) => retryAfterSeconds),
    [0, 0, 30, 18, 1, 0, 1],
  );
  assert.deepEqual(
    waits.map(({ resetSeconds }) => resetSeconds),
    [30, 60, 60, 48, 31, 60, 31],
  );
});

test('beyond 10,000 clients the full buckets are forgotten, or all where that is not enough', () => {
  // [clients at 0 s; the others come at 30 s, time of the last one, is a client of 30 s forgotten]
  for (const [early, lastMs, isForgotten] of [
    [9999, 60_000, false],
    [1, 60_000, false],
    [9999, 59_999, true],
  ] as const) {
    const buckets = new TokenBuckets(1);
    for (let client = 1; client <= 10_000; client++)
      buckets.consume(`${client}`, client <= early ? 0 : 30_000);
    assert.equal(buckets.consume('10000', 30_000).isGranted, false);
    buckets.consume('last', lastMs);
    assert.equal(buckets.consume('10000', lastMs).isGranted, isForgotten, `${early} early, ${lastMs} ms`);
  }
});

test('one client: an IPv4 address however it is written, a /64 of IPv6', () => {
  for (const [address, client] of [
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::'],
    ['nonsense', 'nonsense'],
  ] as const) {
    assert.equal(clientOf(address), client, address);
  }
});
