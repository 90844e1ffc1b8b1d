/** `npx styledna` in a clone runs the clone's own program: npm installs nothing into its cache, and needs no network. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../src/package/version.ts';
import { temporaryFolder } from '../support/clips.ts';

const CLONE = fileURLToPath(new URL('../..', import.meta.url));

test('npx runs the program of a clone without an installation', { timeout: 60_000 }, () => {
  // As `npm ci` does.
  execFileSync(process.execPath, [join(CLONE, 'scripts/link-program.ts')]);
  const cache = temporaryFolder();
  const { status, stdout, stderr } = spawnSync('npx', ['styledna', '--version'], {
    cwd: CLONE,
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: cache, npm_config_offline: 'true' },
  });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), VERSION);
  assert.ok(!existsSync(join(cache, '_npx')), 'nothing is installed');
});
