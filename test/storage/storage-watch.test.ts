import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { Failure } from '../../src/domain/errors.ts';
import { StorageWatch, type StorageWatchParts } from '../../src/storage/storage-watch.ts';

const away = () => new Failure('SERVICE_UNAVAILABLE', 'gone');
const never = new AbortController().signal;

/** A storage that can be made unusable and counts checks. */
function watched(settings: StorageWatchParts['settings'] = {}) {
  const storage = { usable: true, silent: false, looks: 0 };
  const watch = new StorageWatch({
    logger: pino({ level: 'silent' }),
    settings: { cacheMs: 5, pollDelaysMs: [5], timeoutMs: 50, retryDelaysMs: [1, 1], ...settings },
    async check() {
      storage.looks++;
      if (storage.silent) await new Promise(() => {});
      if (!storage.usable) throw away();
    },
  });
  return { storage, watch };
}

/** Work that fails as long as the storage cannot be used. */
const workOn = (storage: { readonly usable: boolean }, tried: { times: number }) => async () => {
  tried.times++;
  if (!storage.usable) throw away();
  return 'done';
};

describe('work whose storage is down', () => {
  test('waits for it and is done again', async () => {
    const { storage, watch } = watched();
    const tried = { times: 0 };
    storage.usable = false;
    const working = watch.retryWhileStorageDown(never, workOn(storage, tried));
    await sleep(60);
    assert.equal(tried.times, 1, 'it is not tried while the storage is away');
    storage.usable = true;
    assert.equal(await working, 'done');
    assert.equal(tried.times, 2);
  });

  test('fails after the longest time, as STORAGE_UNAVAILABLE', async () => {
    const { storage, watch } = watched({ maxOutageMs: 40 });
    storage.usable = false;
    await assert.rejects(watch.retryWhileStorageDown(never, workOn(storage, { times: 0 })), {
      code: 'STORAGE_UNAVAILABLE',
    });
  });

  test('stops at once when aborted', async () => {
    const { storage, watch } = watched({ pollDelaysMs: [60_000] });
    storage.usable = false;
    const stop = new AbortController();
    const reason = new Error('cancelled');
    setTimeout(() => stop.abort(reason), 20);
    await assert.rejects(watch.retryWhileStorageDown(stop.signal, workOn(storage, { times: 0 })), reason);
  });

  test('fails after three attempts if the check of the storage passes', async () => {
    const { watch } = watched();
    const tried = { times: 0 };
    await assert.rejects(watch.retryWhileStorageDown(never, workOn({ usable: false }, tried)), {
      code: 'STORAGE_UNAVAILABLE',
    });
    assert.equal(tried.times, 3);
  });

  test('fails as it does for any other reason', async () => {
    const { watch } = watched();
    const error = new Failure('INPUT_CORRUPT', 'x');
    await assert.rejects(
      watch.retryWhileStorageDown(never, () => Promise.reject(error)),
      error,
    );
  });
});

test('a storage that does not answer counts as down, and one check hangs at a time', async () => {
  const { storage, watch } = watched();
  storage.silent = true;
  await assert.rejects(watch.assertUsable(), { code: 'SERVICE_UNAVAILABLE' });
  assert.equal(await watch.isUsableWithin(120, never), false);
  assert.equal(storage.looks, 1);
});

test('concurrent callers share a check, and nothing is checked without a caller', async () => {
  const { storage, watch } = watched({ cacheMs: 1000 });
  await Promise.all(Array.from({ length: 50 }, () => watch.assertUsable()));
  await watch.assertUsable();
  await sleep(30);
  assert.equal(storage.looks, 1);
});

test('a failure is blamed on the storage only when that cannot be used now, or could not while the work ran', async () => {
  const { storage, watch } = watched();
  const startedMs = performance.now();
  const damaged = new Failure('INPUT_CORRUPT', 'x');
  assert.equal(await watch.attributeToStorage(damaged), damaged);
  storage.usable = false;
  const attributed = await watch.attributeToStorage(damaged);
  assert.ok(
    attributed instanceof Failure &&
      attributed.code === 'SERVICE_UNAVAILABLE' &&
      attributed.cause === damaged,
  );
  storage.usable = true;
  const afterwards = await watch.attributeToStorage(damaged, startedMs);
  assert.ok(afterwards instanceof Failure && afterwards.code === 'SERVICE_UNAVAILABLE');
  assert.equal(await watch.attributeToStorage(damaged, performance.now()), damaged);
});
