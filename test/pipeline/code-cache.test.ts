import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { codeCache } from '../../src/pipeline/engine/code-cache.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const nobody = () => Promise.reject(new Error('it was there already'));
const newRoot = (name: string) => join(folder, name, 'cache');

test('is made once, by a child with an empty folder, and stored', async () => {
  const root = newRoot('once');
  let seen: string[] | undefined;
  const made = await codeCache([root], async (empty) => {
    seen = readdirSync(empty);
    writeFileSync(join(empty, 'code'), '1');
  });
  assert.deepEqual(seen, []);
  assert.equal(dirname(made!), root);
  assert.equal(readFileSync(join(made!, 'code'), 'utf8'), '1');
  assert.deepEqual(readdirSync(root).length, 1);
  // As from another process: another path of the same folder.
  assert.equal(await codeCache([`${root}/.`], nobody), made);
});

test('goes to the next place where the first is open to others', async () => {
  const [open, own] = [newRoot('open'), newRoot('own')];
  mkdirSync(open, { recursive: true });
  chmodSync(open, 0o777);
  const made = await codeCache([open, own], async () => {});
  assert.equal(dirname(made!), own);
  assert.deepEqual(readdirSync(open), []);
});

test('is done without where it cannot be filled, or another process fills it', async () => {
  const failed = newRoot('failed');
  assert.equal(await codeCache([failed], () => Promise.reject(new Error('no'))), null);
  assert.deepEqual(readdirSync(failed), []);
  const busy = newRoot('busy');
  mkdirSync(join(busy, `.${process.ppid}`), { recursive: true, mode: 0o700 });
  chmodSync(busy, 0o700);
  assert.equal(await codeCache([busy], nobody), null);
});

test('an engine fills it before the first foreign file, and its children only read it', async (t) => {
  const clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
  const root = newRoot('engine');
  const engine = new MediaEngine({
    workRoot: join(folder, 'work'),
    idleSeconds: 60,
    memoryBytes: 2 ** 30,
    cacheRoots: [root],
  });
  const { filesystem } = await engine.prepare();
  assert.equal(engine.codeCacheFailure, null);
  if (!filesystem) {
    assert.equal(existsSync(root), false);
    return t.skip('this system does not confine media processes in filesystem: there is no cache');
  }
  const files = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => [
      name,
      statSync(join(root, name)).mtimeMs,
    ]);
  const before = files();
  assert.ok(before.length > 100, `${before.length} files`);
  await engine.run('probe', { path: clip, maxDurationSeconds: 60 }, { signal: new AbortController().signal });
  assert.deepEqual(files(), before);
});
