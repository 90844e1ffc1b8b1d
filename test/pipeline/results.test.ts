import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentHash, Results } from '../../src/pipeline/results.ts';
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

test('what is kept comes back: a value, a null, and nothing where there is none', async () => {
  const { results } = await openResults();
  assert.equal(await results.load('sound', CONTENT), undefined);
  await results.save('sound', CONTENT, null);
  assert.equal(await results.load('sound', CONTENT), null);
  const value = { tempo: 120.5, beats: [0.1, 0.6], name: 'Größe' };
  await results.save('picture', CONTENT, value);
  assert.deepEqual(await results.load('picture', CONTENT), value);
  assert.equal(await results.load('picture', 'cd'.repeat(32)), undefined);
});

test('a file is taken over', async () => {
  const { folder, results } = await openResults();
  assert.equal(await results.loadFile('picture', CONTENT), null);
  mkdirSync(join(folder, 'work'));
  const path = join(folder, 'work', 'motion.bin');
  writeFileSync(path, 'log');
  await results.moveFile('picture', CONTENT, path);
  await assert.rejects(readFile(path));
  await using kept = await results.loadFile('picture', CONTENT);
  assert.equal(await readFile(kept!.path, 'utf8'), 'log');
});

test('a key holds the versions of all that the result depends on, and the content', async () => {
  const { keys, results } = await openResults();
  await results.save('picture', CONTENT, 1);
  await results.save('style', CONTENT, 1);
  const [picture, style] = (await keys()).map((key) => /\/(\w+)-([\d.]+)\.json$/.exec(key)!);
  assert.deepEqual([picture![1], style![1]], ['picture', 'style']);
  assert.equal(style![2]!.split('.').length, 4, 'picture, sound, motion, style');
  assert.ok(style![2]!.startsWith(`${picture![2]}.`));
  for (const key of await keys()) assert.ok(key.includes(CONTENT));
});

test('a content hash tells its parts apart', () => {
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
