import assert from 'node:assert/strict';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { removeOrDefer, retryDeferredRemovals, tryOrDefer } from '../../src/storage/deferred-removals.ts';
import { temporaryFolder } from '../support/clips.ts';

const MINUTE_MS = 60_000;
/** Lets promises that are settled go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a removal that fails', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  test('is repeated when the storage answers, and once more for late requests', async () => {
    let [isAway, files] = [true, 1];
    const remove = async () => {
      if (isAway) throw new Error('away');
      files = 0;
    };
    assert.match(String(await tryOrDefer('a', remove)), /away/);
    isAway = false;
    await retryDeferredRemovals();
    assert.equal(files, 0);
    // An aborted upload arrives late.
    files = 1;
    mock.timers.tick(MINUTE_MS);
    await settled();
    assert.equal(files, 0);
  });

  test('is dropped after its success', async () => {
    let calls = 0;
    const remove = async () => {
      if (++calls === 1) throw new Error('away');
    };
    await tryOrDefer('b', remove);
    await retryDeferredRemovals();
    for (let round = 0; round < 3; round++) {
      mock.timers.tick(MINUTE_MS);
      await settled();
      await retryDeferredRemovals();
    }
    assert.equal(calls, 3);
  });
});

test('a folder on an unmounted disk is removed after the disk is mounted', async () => {
  const disk = join(temporaryFolder(), 'disk');
  const folder = join(disk, 'work');
  mkdirSync(folder, { recursive: true });
  renameSync(disk, `${disk}-elsewhere`);
  await removeOrDefer(folder);
  renameSync(`${disk}-elsewhere`, disk);
  await retryDeferredRemovals();
  assert.ok(!existsSync(folder));
  // It is dropped then: a new folder of the same name remains.
  mkdirSync(folder);
  await retryDeferredRemovals();
  assert.ok(existsSync(folder));
});

test('a successful removal runs once', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  let calls = 0;
  assert.equal(await tryOrDefer('c', async () => void calls++), null);
  mock.timers.tick(MINUTE_MS);
  await settled();
  assert.equal(calls, 1);
  mock.timers.reset();
});
