import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DirectoryLockedError, lockDirectory } from '../../src/database/directory-lock.ts';
import { temporaryDirectory } from '../support/jobs.ts';

const LOCK_MODULE = new URL('../../src/database/directory-lock.ts', import.meta.url).href;

/** Another process that locks the directory until it is killed. */
async function otherOwner(directory: string) {
  const script = `
    import { lockDirectory } from ${JSON.stringify(LOCK_MODULE)};
    const lock = lockDirectory(${JSON.stringify(directory)});
    console.log('locked');
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('the directory of a running process is refused with its pid; killing it releases the lock', async () => {
  using directory = temporaryDirectory();
  const owner = await otherOwner(directory.path);
  const refused = (error: unknown) =>
    error instanceof DirectoryLockedError && error.message.includes(`pid ${owner.pid} `);
  assert.throws(() => lockDirectory(directory.path), refused);
  // A stopped process still runs.
  owner.kill('SIGSTOP');
  assert.throws(() => lockDirectory(directory.path), refused);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  lockDirectory(directory.path)[Symbol.dispose]();
});

test('the owner file of an ended process whose pid is in use again has no effect', () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'owner.json'), JSON.stringify({ pid: process.pid, host: 'here' }));
  lockDirectory(directory.path)[Symbol.dispose]();
});

test('the same process cannot lock twice, and can lock again after a release', () => {
  using directory = temporaryDirectory();
  const first = lockDirectory(directory.path);
  assert.throws(() => lockDirectory(directory.path), DirectoryLockedError);
  first[Symbol.dispose]();
  lockDirectory(directory.path)[Symbol.dispose]();
});
