/** Messages about unusable folders, and removal of leftovers of killed commands. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commonWorkRoot } from '../../src/pipeline/engine/workspace.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { waitFor } from '../support/processes.ts';
import { PROGRAM } from '../support/program.ts';

const folder = temporaryFolder();
const clip = await makeClip(folder, { name: 'clip', durationSeconds: 2 });
const LIMIT_MS = 20_000;

function run(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return spawnSync(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ...environment },
    encoding: 'utf8',
    timeout: LIMIT_MS,
  });
}

test('a result below /proc is refused at once', () => {
  const apply = (output: string) => run(['apply', clip, '--preset', 'golden-hour', '-o', output]);
  const missing = apply('/proc/none/out.mp4');
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /^There is no folder \/proc\/none; make it/);
  const impossible = apply('/proc/out.mp4');
  assert.equal(impossible.status, 3);
  assert.match(impossible.stderr, /^\/proc\/\S+: no such file or folder \(ENOENT, open\)\n$/);
});

test('a data directory that cannot be made is refused with its name', () => {
  const { status, stderr } = run(['serve'], { DATA_DIR: '/proc/none/data', PORT: '0' });
  assert.equal(status, 2);
  assert.match(stderr, /^DATA_DIR \/proc\/none\/data cannot be used: it cannot be created there \(ENOENT\)/);
});

test('a bucket that cannot be used is refused with endpoint and bucket, and the secret is not printed', () => {
  const secret = 'never-to-be-told';
  const s3 = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_BUCKET: 'videos', S3_ACCESS_KEY_ID: 'id' };
  const { status, stdout, stderr } = run(['serve'], {
    ...s3,
    S3_SECRET_ACCESS_KEY: secret,
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
  });
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^The bucket "videos" at http:\/\/127\.0\.0\.1:9 cannot be used: no S3 server answers at this address/,
  );
  assert.ok(!(stdout + stderr).includes(secret));
});

test('the next command removes files of a killed one, and none of a running one', async () => {
  const root = commonWorkRoot(folder);
  const living = join(root, `${process.pid}-living`);
  mkdirSync(living, { recursive: true });
  const words = ['apply', clip, '--preset', 'golden-hour', '-o', join(folder, 'out.mp4')];
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: folder },
    stdio: 'ignore',
  });
  await waitFor('it has a working folder', () =>
    readdirSync(root).some((name) => name.startsWith(`${child.pid}-`)),
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.ok(readdirSync(root).length > 1);
  assert.equal(run(['presets']).status, 0);
  assert.deepEqual(readdirSync(root), [`${process.pid}-living`]);
});
