import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentHash, Results } from '../../src/pipeline/stages/results.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { temporaryFolder } from '../support/clips.ts';

const CONTENT = 'ab'.repeat(32);

async function openResults() {
  const folder = temporaryFolder();
  const blobs = await openFileStore(join(folder, 'blobs'));
  const keys = async () => {
    const found: string[] = [];
    for await (const key of blobs.list('results/')) found.push(key);
    return found.sort();
  };
  return { folder, keys, results: new Results(blobs) };
}

test('cached results are returned: a value, a null, and nothing if missing', async () => {
  const { results } = await openResults();
  assert.equal(await results.load('audio', CONTENT), undefined);
  await results.save('audio', CONTENT, null);
  assert.equal(await results.load('audio', CONTENT), null);
  const value = { tempo: 120.5, beats: [0.1, 0.6], name: 'Größe' };
  await results.save('video', CONTENT, value);
  assert.deepEqual(await results.load('video', CONTENT), value);
  assert.equal(await results.load('video', 'cd'.repeat(32)), undefined);
});

test('measurements are read once, the newest ones are remembered', async () => {
  const { folder, results } = await openResults();
  const measured = { shots: [1, 2] };
  const contents = Array.from({ length: 3 }, (_, index) => `${index}`.repeat(64));
  // Three of them exceed the limit, two do not.
  for (const content of contents)
    await results.save('video', content, { ...measured, long: 'x'.repeat(3e6) });
  for (const content of contents) await results.load('video', content);
  await results.save('plan', CONTENT, measured);
  await results.load('plan', CONTENT);
  rmSync(join(folder, 'blobs'), { recursive: true });
  const found = await Promise.all(contents.map((content) => results.load('video', content)));
  assert.deepEqual(
    found.map((value) => value !== undefined),
    [false, true, true],
  );
  assert.equal(await results.load('plan', CONTENT), undefined);
});

test('a file is moved into the cache', async () => {
  const { folder, results } = await openResults();
  assert.equal(await results.loadFile('video', CONTENT), null);
  mkdirSync(join(folder, 'work'));
  const path = join(folder, 'work', 'motion.bin');
  writeFileSync(path, 'log');
  await results.moveFile('video', CONTENT, path);
  await assert.rejects(readFile(path));
  await using kept = await results.loadFile('video', CONTENT);
  assert.equal(await readFile(kept!.path, 'utf8'), 'log');
});

test('a key holds the versions of all that the result depends on, and the content', async () => {
  const { keys, results } = await openResults();
  await results.save('video', CONTENT, 1);
  await results.save('style', CONTENT, 1);
  const [style, video] = (await keys()).map((key) => /\/(\w+)-([\d.]+)\.json$/.exec(key)!);
  assert.deepEqual([style![1], video![1]], ['style', 'video']);
  assert.equal(style![2].split('.').length, 4, 'video, audio, motion, style');
  assert.ok(style![2].startsWith(`${video![2]}.`));
  for (const key of await keys()) assert.ok(key.includes(CONTENT));
});

test('a content hash distinguishes its parts', () => {
  const hashes = [
    contentHash('a', 'b'),
    contentHash('ab'),
    contentHash('a', null, 'b'),
    contentHash({ a: 1 }),
    contentHash({ a: 2 }),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
  assert.equal(contentHash('a', 'b'), hashes[0]);
});
