import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readOnThread, ThreadLimit } from '../../src/untrusted/thread.ts';

const read = (what: string, { limitMs = 60_000, signal = AbortSignal.timeout(60_000) } = {}) =>
  readOnThread({
    entry: new URL('spinning-thread.ts', import.meta.url),
    task: { what, bytes: new Uint8Array(1000) },
    ...{ heapMib: 32, limitMs, signal },
  });

describe('reading on a thread', () => {
  test('returns its answer', async () => {
    assert.deepEqual(await read('count'), { length: 1000 });
  });

  test('throws what the reader throws', async () => {
    await assert.rejects(read('throw'), (error) => error instanceof RangeError && error.message === 'wrong');
  });

  test('ends with too much memory', async () => {
    await assert.rejects(read('fill'), (error) => {
      assert.ok(error instanceof ThreadLimit);
      assert.equal(error.message, 'took more than 60 s or 32 MiB of memory');
      return true;
    });
  });

  test('ends after its time', async () => {
    await assert.rejects(read('spin', { limitMs: 500 }), ThreadLimit);
  });

  test('ends when it is canceled, before and meanwhile', async () => {
    for (const delayMs of [null, 300]) {
      const cancel = new AbortController();
      const reason = new Error('canceled');
      if (delayMs === null) cancel.abort(reason);
      else setTimeout(() => cancel.abort(reason), delayMs);
      await assert.rejects(read('spin', { signal: cancel.signal }), (error) => error === reason);
    }
  });

  test('leaves the thread that asks free', async () => {
    const before = process.threadCpuUsage();
    await assert.rejects(read('spin', { limitMs: 2000 }), ThreadLimit);
    const { user, system } = process.threadCpuUsage(before);
    assert.ok(user + system < 500_000, `${user + system} µs`);
  });
});
