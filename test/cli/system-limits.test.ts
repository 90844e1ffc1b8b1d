/** Limits of the system (`ulimit`) are named, and nothing is left of what exceeded them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { PROGRAM } from '../support/program.ts';

test('apply names the limit', {
  skip: process.platform !== 'linux' && 'the limit is found in /proc',
}, async () => {
  const folder = temporaryFolder();
  const [width, height] = [320, 180];
  const draw = drawNumber(width, height);
  const clip = await makeClip(folder, { name: 'clip', durationSeconds: 1, width, height, draw });
  const before = readdirSync(folder);
  const output = join(folder, 'out.mp4');
  const words = [PROGRAM, 'apply', clip, '--preset', 'noir', '-o', output];
  const quoted = [process.execPath, ...words].map((word) => `'${word}'`).join(' ');
  // Blocks of 1024 bytes.
  const { status, stderr } = spawnSync('bash', ['-c', `ulimit -f 4; ${quoted}`], { encoding: 'utf8' });
  assert.equal(status, 3, stderr);
  assert.match(stderr, /exceed 4096 bytes, the limit of this system .*ulimit -f.*INSUFFICIENT_STORAGE/);
  assert.doesNotMatch(stderr, /-27|\n\s+at /);
  assert.deepEqual(readdirSync(folder), before);
});

test('a service warns at start about a low limit of open files', {
  skip: process.platform !== 'linux' && 'the limit is found in /proc',
}, () => {
  const folder = temporaryFolder();
  const words = [process.execPath, PROGRAM, 'serve'].map((word) => `'${word}'`).join(' ');
  const env = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data') };
  const started = performance.now();
  const { status, stderr } = spawnSync('bash', ['-c', `ulimit -n 64; ${words}`], { encoding: 'utf8', env });
  assert.equal(status, 2, stderr);
  assert.match(stderr, /At most 64 files may be open \(ulimit -n\); the service needs 512/);
  assert.doesNotMatch(stderr, /EMFILE|\n\s+at /);
  assert.ok(performance.now() - started < 20_000);
});
