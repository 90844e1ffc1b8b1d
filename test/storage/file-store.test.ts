import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fileFailure } from '../../src/storage/file-failure.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { blobStoreContract } from './blob-store-contract.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'file-store-'));
  folders.push(folder);
  return folder;
}

blobStoreContract('local disk', async () => openFileStore(await newFolder()));

const incoming = (folder: string) => readdir(join(folder, '.incoming'));

test('no unfinished file stays after a failure', async () => {
  const folder = await newFolder();
  const store = await openFileStore(folder);
  const broken = Readable.from(
    (async function* () {
      yield Buffer.alloc(1000);
      throw new Error('broken');
    })(),
  );
  await assert.rejects(store.put('videos/a', broken), /broken/);
  await assert.rejects(store.putFile('videos/a', join(folder, 'no-such')), { code: 'ENOENT' });
  assert.deepEqual(await incoming(folder), []);
  assert.deepEqual(await readdir(folder), ['.incoming']);
});

test('files of ended writers are removed at open, those of running ones are not', async () => {
  const folder = await newFolder();
  await openFileStore(folder);
  const host = hostname().replace(/[^A-Za-z0-9.-]/g, '-');
  const ended = spawn(process.execPath, ['-e', '']);
  await once(ended, 'exit');
  const anHourAgo = new Date(Date.now() - 3_601_000);
  const table: readonly [name: string, modified: Date, stays: boolean][] = [
    [`${process.pid}@${host}@now`, new Date(), true],
    [`${process.pid}@${host}@former-life`, new Date(performance.timeOrigin - 5000), false],
    [`${ended.pid}@${host}@dead`, new Date(), false],
    [`${ended.pid}@other.${host}@elsewhere`, new Date(), true],
    [`${ended.pid}@other.${host}@elsewhere-old`, anHourAgo, false],
    ['no-pattern', anHourAgo, false],
  ];
  for (const [name, modified] of table) {
    await writeFile(join(folder, '.incoming', name), 'x');
    await utimes(join(folder, '.incoming', name), modified, modified);
  }
  await openFileStore(folder);
  const want = table.filter(([, , stays]) => stays).map(([name]) => name);
  assert.deepEqual((await incoming(folder)).sort(), want.sort());
});

test('a writer killed in the middle leaves no blob, and the next open clears its file', async () => {
  const folder = await newFolder();
  const source = fileURLToPath(new URL('../../src/storage/file-store.ts', import.meta.url));
  const script = `
    import { openFileStore } from ${JSON.stringify(source)};
    import { Readable } from 'node:stream';
    const store = await openFileStore(${JSON.stringify(folder)});
    await store.put('videos/whole', Readable.from(['whole']));
    async function* slow() {
      yield Buffer.alloc(3_000_000);
      console.log('writing');
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    }
    await store.put('videos/half', Readable.from(slow()));`;
  const writer: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([once(writer.stdout!, 'data'), once(writer, 'exit')]);
  writer.kill('SIGKILL');
  await once(writer, 'exit');
  assert.equal((await incoming(folder)).length, 1);
  const store = await openFileStore(folder);
  assert.deepEqual(await incoming(folder), []);
  assert.equal(await store.head('videos/half'), null);
  assert.equal((await store.head('videos/whole'))?.sizeBytes, 5);
});

test('a thousand puts and removals in one folder at once lose nothing', async () => {
  const store = await openFileStore(await newFolder());
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      for (let round = 0; round < 5; round++) {
        const key = `shared/folder/${n}`;
        await store.put(key, Readable.from(['x']));
        if (round < 4 || n % 2 === 0) await store.remove(key);
      }
    }),
  );
  assert.equal((await Array.fromAsync(store.list('shared/'))).length, 100);
});

test('system errors become foreseen failures without a path in their text', () => {
  for (const [code, want] of [
    ['ENOSPC', 'INSUFFICIENT_STORAGE'],
    ['EDQUOT', 'INSUFFICIENT_STORAGE'],
    ['EROFS', 'SERVICE_UNAVAILABLE'],
    ['EMFILE', 'SERVICE_UNAVAILABLE'],
  ]) {
    const failure = fileFailure(Object.assign(new Error(`${code}: open '/secret/place'`), { code }));
    assert.equal((failure as { code: string }).code, want);
    assert.doesNotMatch((failure as { detail: string }).detail, /secret/);
  }
  const other = new Error('other');
  assert.equal(fileFailure(other), other);
});

test('a full disk is INSUFFICIENT_STORAGE, and nothing stays', async (t) => {
  using disk = mountSmallDisk(1 << 20);
  if (disk === null) return t.skip('needs the right to mount a small tmpfs');
  const { folder } = disk;
  const store = await openFileStore(folder);
  const put = store.put('videos/big', Readable.from([Buffer.alloc(3 << 20)]));
  await assert.rejects(put, { code: 'INSUFFICIENT_STORAGE' });
  assert.deepEqual(await incoming(folder), []);
  await store.put('videos/small', Readable.from(['fits']));
});
