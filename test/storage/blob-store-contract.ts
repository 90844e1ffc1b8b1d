import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import type { BlobStore } from '../../src/storage/blob-store.ts';

/** The contract of `BlobStore`, tested for every implementation. `open` returns an empty store. */
export function blobStoreContract(name: string, open: () => Promise<BlobStore>): void {
  describe(`blob store contract: ${name}`, () => {
    for (const [what, size] of [
      ['empty', 0],
      ['one byte', 1],
      ['several parts', 20 * 2 ** 20 + 3],
    ] as const) {
      test(`put and get: ${what}`, async () => {
        const store = await open();
        const bytes = randomBytes(size);
        const info = await store.put('videos/a', Readable.from(slices(bytes)));
        assert.equal(info.sizeBytes, size);
        assert.ok(Math.abs(info.modifiedAt.getTime() - Date.now()) < 60_000);
        assert.ok(bytes.equals(await buffer(await store.get('videos/a'))));
        assert.equal((await store.head('videos/a'))?.sizeBytes, size);
      });
    }

    test('a range includes both its ends', async () => {
      const store = await open();
      await store.put('a', Readable.from([Buffer.from('0123456789')]));
      for (const [start, end, want] of [
        [0, 0, '0'],
        [2, 5, '2345'],
        [9, 9, '9'],
      ] as const) {
        assert.equal((await buffer(await store.get('a', { start, end }))).toString(), want);
      }
    });

    test('put replaces a blob', async () => {
      const store = await open();
      await store.put('a', Readable.from([Buffer.from('first')]));
      await store.put('a', Readable.from([Buffer.from('2nd')]));
      assert.equal((await buffer(await store.get('a'))).toString(), '2nd');
    });

    test('a missing blob', async () => {
      const store = await open();
      assert.equal(await store.head('no/such'), null);
      await assert.rejects(store.get('no/such'), { name: 'BlobMissingError' });
      await assert.rejects(store.localPath('no/such'), { name: 'BlobMissingError' });
      await store.remove('no/such');
      await store.removeAll('no/such/');
      assert.deepEqual(await Array.fromAsync(store.list('no/')), []);
    });

    test('a source that fails stores nothing, and its error is thrown', async () => {
      const store = await open();
      async function* failing() {
        for (let n = 0; n < 12; n++) yield randomBytes(2 ** 20);
        throw new TypeError('the source broke');
      }
      await assert.rejects(store.put('videos/a', Readable.from(failing())), /the source broke/);
      assert.equal(await store.head('videos/a'), null);
      assert.deepEqual(await Array.fromAsync(store.list('videos/')), []);
    });

    test('an aborted put leaves nothing', async () => {
      const store = await open();
      const abort = new AbortController();
      async function* endless() {
        for (let n = 0; ; n++) {
          if (n === 12) abort.abort();
          yield randomBytes(2 ** 20);
        }
      }
      await assert.rejects(store.put('videos/a', Readable.from(endless()), abort.signal), {
        name: 'AbortError',
      });
      assert.equal(await store.head('videos/a'), null);
    });

    test('putFile moves the file', async () => {
      const store = await open();
      const folder = await mkdtemp(join(tmpdir(), 'put-file-'));
      try {
        const path = join(folder, 'f');
        await writeFile(path, 'contents');
        assert.equal((await store.putFile('job/1/output.mp4', path)).sizeBytes, 8);
        await assert.rejects(stat(path), { code: 'ENOENT' });
        assert.equal((await buffer(await store.get('job/1/output.mp4'))).toString(), 'contents');
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    test('localPath returns a file with the bytes until it is disposed', async () => {
      const store = await open();
      await store.put('a', Readable.from([Buffer.from('bytes')]));
      {
        await using local = await store.localPath('a');
        assert.equal((await stat(local.path)).size, 5);
      }
      assert.equal((await store.head('a'))?.sizeBytes, 5);
    });

    test('list and removal by prefix', async () => {
      const store = await open();
      for (const key of ['j/1/a', 'j/1/b/c', 'j/2/a', 'k/1']) await store.put(key, Readable.from(['x']));
      assert.deepEqual((await Array.fromAsync(store.list('j/'))).sort(), ['j/1/a', 'j/1/b/c', 'j/2/a']);
      await store.removeAll('j/1/');
      assert.deepEqual(await Array.fromAsync(store.list('j/')), ['j/2/a']);
      await store.remove('j/2/a');
      assert.deepEqual(await Array.fromAsync(store.list('j/')), []);
      assert.equal((await store.head('k/1'))?.sizeBytes, 1);
    });

    test('invalid keys are refused', async () => {
      const store = await open();
      for (const key of ['../a', 'a/../b', '/a', 'a//b', 'a/', '', '.incoming/a', 'a b', 'ä', 'a\0b']) {
        await assert.rejects(async () => store.put(key, Readable.from(['x'])), TypeError, key);
        await assert.rejects(async () => store.get(key), TypeError, key);
      }
    });

    test('check and freeBytes', async () => {
      const store = await open();
      await store.check();
      const free = await store.freeBytes();
      assert.ok(free === null || free > 0);
    });
  });
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65536) yield bytes.subarray(at, at + 65536);
}
