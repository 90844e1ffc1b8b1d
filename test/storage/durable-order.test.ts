/**
 * In which order files and folders are synced: POSIX keeps a rename over a power loss only when the folder was synced after
 * it. `test/faults/power-loss.test.ts` cuts the power; here every sync is watched as it happens.
 */
import assert from 'node:assert/strict';
import { existsSync, fstatSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, mock, test } from 'node:test';
import { makeDurableFolder } from '../../src/storage/durable-files.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { PartialFiles } from '../../src/storage/partial-files.ts';

const root = mkdtempSync(join(tmpdir(), 'durable-order-'));
after(() => rmSync(root, { recursive: true, force: true }));
const missing = existsSync('/proc/self/fd') ? false : 'needs /proc to tell what an open file is';

interface Sync {
  readonly path: string;
  readonly isFile: boolean;
  /** Whether the watched file was at its place when the sync began. */
  readonly placed: boolean;
}

/** All syncs during `work`, in their order; they are really executed. */
async function syncsOf(placePath: string, work: () => Promise<unknown>): Promise<Sync[]> {
  await using handle = await open(root, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const { sync } = prototype;
  const observed: Sync[] = [];
  const watched = mock.method(prototype, 'sync', function (this: FileHandle) {
    observed.push({
      path: readlinkSync(`/proc/self/fd/${this.fd}`),
      isFile: fstatSync(this.fd).isFile(),
      placed: existsSync(placePath),
    });
    return sync.call(this);
  });
  try {
    await work();
  } finally {
    watched.mock.restore();
  }
  return observed;
}

/** The bytes first, then the rename, then the folder that it is an entry of. */
function assertDurable(syncs: readonly Sync[], folder: string): void {
  const reported = JSON.stringify(syncs, null, 1);
  const bytes = syncs.findIndex(({ isFile, placed }) => isFile && !placed);
  const entry = syncs.findIndex(({ path, placed }) => placed && path === folder);
  assert.ok(bytes >= 0, `the bytes were not synced before they were moved:\n${reported}`);
  assert.ok(entry > bytes, `the folder was not synced after the rename:\n${reported}`);
}

test('a blob: its bytes, the new folders above it, and its folder after the rename', {
  skip: missing,
}, async () => {
  const folder = join(root, 'put');
  const store = await openFileStore(folder);
  const path = join(folder, 'jobs/a/1/output.mp4');
  const syncs = await syncsOf(path, () => store.put('jobs/a/1/output.mp4', Readable.from(['bytes'])));
  assertDurable(syncs, join(folder, 'jobs/a/1'));
  for (const parent of ['', 'jobs', 'jobs/a'])
    assert.ok(
      syncs.some((sync) => sync.path === join(folder, parent)),
      `the entry of a new folder in ${parent || 'the root'} was not synced`,
    );
});

test('a file that is moved into a blob', { skip: missing }, async () => {
  const folder = join(root, 'put-file');
  const store = await openFileStore(folder);
  const source = join(root, 'source');
  writeFileSync(source, 'bytes');
  const path = join(folder, 'videos/a');
  assertDurable(await syncsOf(path, () => store.putFile('videos/a', source)), join(folder, 'videos'));
});

test('a partial file: its folder at the beginning, its bytes with each piece, its blob when it is complete', {
  skip: missing,
}, async () => {
  const folder = join(root, 'partial');
  const blobs = await openFileStore(join(root, 'of-partial'));
  const files = new PartialFiles(folder, blobs);
  const piece = () => Readable.from([Buffer.from('abc')]);
  const path = join(folder, 'a');
  const started = await syncsOf(path, () =>
    files.append('a', { offsetBytes: 0, storeState: null }, piece(), () => {}),
  );
  assert.deepEqual(
    started.map((sync) => sync.path),
    [root, folder, path],
  );
  const three = { offsetBytes: 3, storeState: null };
  const grown = await syncsOf(path, () => files.append('a', three, piece(), () => {}));
  assert.deepEqual(
    grown.map((sync) => sync.path),
    [path],
  );
  const place = join(root, 'of-partial/videos/a');
  const whole = await syncsOf(place, () =>
    files.complete('a', { offsetBytes: 6, storeState: null }, 'videos/a'),
  );
  assertDurable(whole, join(root, 'of-partial/videos'));
});

test('folders that are missing: each is synced as an entry of the one above it', {
  skip: missing,
}, async () => {
  const deep = join(root, 'one/two/three');
  const syncs = await syncsOf(deep, () => makeDurableFolder(deep));
  const paths = syncs.map(({ path }) => path);
  for (const parent of [root, join(root, 'one'), join(root, 'one/two')])
    assert.ok(paths.includes(parent), `${parent} is not among ${paths}`);
  assert.deepEqual(await syncsOf(deep, () => makeDurableFolder(deep)), []);
});
