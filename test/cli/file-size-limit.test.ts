/** A limit on the size of files (`ulimit -f`) is named, and nothing is left of what exceeded it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { drawNumber, makeClip, temporaryFolder } from '../support/clips.ts';
import { PROGRAM } from '../support/program.ts';

test('apply says which limit it was', {
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
