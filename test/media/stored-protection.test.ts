import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { NO_PROTECTION, type ProtectedSandbox } from '../../src/sandbox/protection.ts';
import { NO_SANDBOX, sandboxes } from '../../src/sandbox/sandbox.ts';
import { storedProtection, storeProtection } from '../../src/sandbox/stored-protection.ts';
import { temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const WORK = join(folder, 'work');
const WHOLE: ProtectedSandbox = {
  sandbox: sandboxes()[0],
  protection: { filesystem: true, network: true, processes: true, limits: true },
};

function newFolder(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

test('a stored result is trusted under the same circumstances only', async () => {
  const folder = newFolder('same');
  await storeProtection(folder, WHOLE, WORK);
  assert.deepEqual(await storedProtection(folder, WORK), WHOLE);
  assert.equal(await storedProtection(folder, `${WORK}-elsewhere`), null);
  const path = join(folder, 'protection.json');
  const { circumstances, ...observed } = JSON.parse(readFileSync(path, 'utf8'));
  for (const [at, one] of circumstances.entries()) {
    const other = circumstances.with(at, `${one} after another start of the machine`);
    writeFileSync(path, JSON.stringify({ ...observed, circumstances: other }));
    assert.equal(await storedProtection(folder, WORK), null, one);
  }
});

test('a process with other rights tries for itself', async (t) => {
  const folder = newFolder('rights');
  await storeProtection(folder, WHOLE, WORK);
  const asking = `
    const { storedProtection } = await import(${JSON.stringify(new URL('../../src/sandbox/stored-protection.ts', import.meta.url).href)});
    console.log(JSON.stringify(await storedProtection(${JSON.stringify(folder)}, ${JSON.stringify(WORK)})));`;
  const ask = (words: readonly string[]) => {
    const [program, ...rest] = [...words, process.execPath, '--input-type=module', '-e', asking];
    const { status, stdout, stderr } = spawnSync(program!, rest, { encoding: 'utf8' });
    return status === 0 ? JSON.parse(stdout) : stderr;
  };
  assert.deepEqual(ask([]), WHOLE);
  const noNewPrivileges = ['setpriv', '--no-new-privs'];
  if (spawnSync(noNewPrivileges[0], [...noNewPrivileges.slice(1), 'true']).status !== 0)
    return t.skip('this system has no setpriv');
  assert.equal(ask(noNewPrivileges), null);
});

test('partial, damaged or missing protection is determined again', async () => {
  const folder = newFolder('less');
  assert.equal(await storedProtection(folder, WORK), null);
  await storeProtection(folder, { ...WHOLE, protection: { ...WHOLE.protection, network: false } }, WORK);
  await storeProtection(folder, { ...WHOLE, protection: NO_PROTECTION }, WORK);
  assert.equal(existsSync(join(folder, 'protection.json')), false);
  writeFileSync(join(folder, 'protection.json'), '{"circumstances":[');
  assert.equal(await storedProtection(folder, WORK), null);
  await storeProtection(join(folder, 'no folder'), WHOLE, WORK);
});

test('an engine that must determine its protection ignores the cache; its first task uses the result', async (t) => {
  const root = join(folder, 'cache');
  const settings = { workRoot: WORK, idleSeconds: 60, memoryBytes: 2 ** 30, cacheRoots: [root] };
  const tried = await new MediaEngine(settings).prepare();
  if (Object.values(tried).includes(false)) return t.skip('this system does not confine media processes');
  const [name] = readdirSync(root);
  const path = join(root, name!, 'protection.json');
  const observed = JSON.parse(readFileSync(path, 'utf8'));
  assert.deepEqual(observed.protection, tried);
  const marked = { ...observed, sandbox: NO_SANDBOX };
  writeFileSync(path, JSON.stringify(marked));
  const believing = new MediaEngine(settings);
  assert.equal(await believing.run('ping', null, { signal: AbortSignal.timeout(30_000) }), 'pong');
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), marked, 'nothing was tried');
  assert.deepEqual(await new MediaEngine(settings).prepare(), tried);
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), observed, 'the result is cached');
});
