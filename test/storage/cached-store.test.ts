import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BlobStore } from '../../src/storage/blob-store.ts';
import { openCachedStore } from '../../src/storage/cached-store.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { blobStoreContract } from './blob-store-contract.ts';

/** A cache of 100 bytes over a real store whose `get` and uncached `localPath` are counted and may be held up. */
async function open(maxBytes = 100) {
  const root = temporaryFolder();
  const folder = join(root, 'cache');
  const files = await openFileStore(join(root, 'blobs'));
  const observed = { gets: [] as string[], uncached: [] as string[], hold: Promise.resolve() };
  const store: BlobStore = {
    put: (...input) => files.put(...input),
    putFile: (...input) => files.putFile(...input),
    head: (key) => files.head(key),
    remove: (key) => files.remove(key),
    removeAll: (prefix) => files.removeAll(prefix),
    list: (prefix) => files.list(prefix),
    publicUrl: (...input) => files.publicUrl(...input),
    check: () => files.check(),
    freeBytes: () => files.freeBytes(),
    async get(key, range) {
      const bytes = await files.get(key, range);
      observed.gets.push(key);
      const held = new PassThrough();
      held.once('close', () => bytes.destroy());
      void observed.hold.then(() => pipeline(bytes, held)).catch(() => {});
      return held;
    },
    localPath(key) {
      observed.uncached.push(key);
      return files.localPath(key);
    },
  };
  const cached = await openCachedStore(store, folder, maxBytes);
  const put = (key: string, text: string) => files.put(key, Readable.from([Buffer.from(text)]));
  /** The bytes that a reader gets; the copy is released. */
  const read = async (key: string, signal?: AbortSignal) => {
    await using file = await cached.localPath(key, signal);
    return readFileSync(file.path, 'utf8');
  };
  const onDisk = () => readdirSync(folder).length;
  return { cached, put, read, observed, folder, onDisk };
}

describe('copies of blobs', () => {
  test('a blob is fetched once, for readers at once as well, and again when it is another', async () => {
    const { put, read, observed } = await open();
    await put('a', 'first');
    assert.deepEqual(await Promise.all([read('a'), read('a'), read('a')]), ['first', 'first', 'first']);
    assert.equal(await read('a'), 'first');
    assert.deepEqual(observed.gets, ['a']);
    await put('a', 'another');
    assert.equal(await read('a'), 'another');
    assert.deepEqual(observed.gets, ['a', 'a']);
  });

  test('the least recently used copy is removed first, exact to the byte', async () => {
    const { put, read, observed, onDisk } = await open();
    for (const key of ['a', 'b', 'c']) await put(key, key.repeat(40));
    await read('a');
    await read('b');
    await read('a');
    await read('c');
    assert.equal(await read('a'), 'a'.repeat(40), 'b went');
    assert.deepEqual(observed.gets, ['a', 'b', 'c']);
    await put('d', 'd'.repeat(20));
    await read('d');
    assert.equal(onDisk(), 3, '100 of 100 bytes');
    await put('e', 'e');
    await read('e');
    await waitFor('one byte more costs a copy', () => onDisk() === 3);
    assert.deepEqual(observed.uncached, []);
  });

  test('copies in use are not removed; a blob that does not fit is read without the cache', async () => {
    const { cached, put, read, observed, onDisk } = await open();
    await put('a', 'a'.repeat(60));
    await put('b', 'b'.repeat(60));
    await put('large', 'x'.repeat(101));
    {
      await using held = await cached.localPath('a');
      assert.equal(await read('b'), 'b'.repeat(60));
      assert.equal(await read('large'), 'x'.repeat(101));
      assert.deepEqual(observed.uncached, ['b', 'large']);
      assert.equal(readFileSync(held.path, 'utf8'), 'a'.repeat(60));
      await cached.remove('a');
      assert.equal(readFileSync(held.path, 'utf8'), 'a'.repeat(60), 'a reader keeps what was removed');
    }
    await waitFor('the removed copy is gone', () => onDisk() === 0);
    assert.equal(await read('b'), 'b'.repeat(60));
    assert.equal(observed.uncached.length, 2);
  });

  test('a damaged copy is fetched again', async () => {
    const { put, read, folder, observed } = await open();
    await put('a', 'whole');
    await read('a');
    truncateSync(join(folder, readdirSync(folder)[0]), 2);
    assert.equal(await read('a'), 'whole');
    assert.equal(observed.gets.length, 2);
  });

  test('an aborted reader does not affect the others; the last one ends the download', async () => {
    const { put, read, observed, onDisk } = await open();
    await put('a', 'slow');
    const release = Promise.withResolvers<void>();
    observed.hold = release.promise;
    const stops = [new AbortController(), new AbortController()];
    const reads = stops.map(({ signal }) => read('a', signal).catch(({ name }) => name));
    await waitFor('it is being fetched', () => observed.gets.length === 1);
    stops[0].abort();
    assert.equal(await reads[0], 'AbortError');
    await sleep(20);
    stops[1].abort();
    assert.equal(await reads[1], 'AbortError');
    await waitFor('nothing is left', () => onDisk() === 0);
    release.resolve();
    assert.equal(await read('a'), 'slow');
    assert.equal(observed.gets.length, 2);
  });

  test('copies of ended processes are removed at the start, those of others are not', async () => {
    const root = temporaryFolder();
    const folder = join(root, 'cache');
    mkdirSync(folder);
    const host = hostname().replace(/[^A-Za-z0-9.-]/g, '-');
    // Process numbers end at 2^22 on Linux (proc_sys_kernel(5), pid_max).
    const [ended, alive] = [`${2 ** 22 + 1}@${host}@x`, `${process.ppid}@${host}@y`];
    for (const name of [ended, alive]) writeFileSync(join(folder, name), 'bytes');
    await openCachedStore(await openFileStore(join(root, 'blobs')), folder, 100);
    assert.deepEqual(readdirSync(folder), [alive]);
  });
});

blobStoreContract('cached', async () => (await open(1 << 30)).cached);
