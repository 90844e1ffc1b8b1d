import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWorkspace, sweepWorkspaces } from '../../src/pipeline/engine/workspace.ts';
import { temporaryFolder } from '../support/clips.ts';

test('a workspace is gone with all that is in it', async () => {
  const root = join(temporaryFolder(), 'not', 'there', 'yet');
  let folder: string;
  {
    await using workspace = await openWorkspace(root);
    folder = workspace.folder;
    mkdirSync(join(folder, 'below'));
    writeFileSync(join(folder, 'below', 'file'), 'x');
    await using another = await openWorkspace(root);
    assert.notEqual(another.folder, folder);
  }
  assert.ok(!existsSync(folder));
  assert.deepEqual(readdirSync(root), []);
});

test('a sweep removes folders of ended processes, also of an earlier process with the same id', async () => {
  const root = temporaryFolder();
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  for (const name of [`${dead}-abc`, `${process.pid}-abc`, `${process.ppid}-abc`, 'notes']) {
    mkdirSync(join(root, name));
    writeFileSync(join(root, name, 'file'), 'x');
  }
  await sweepWorkspaces(root);
  assert.deepEqual(readdirSync(root).sort(), [`${process.ppid}-abc`, 'notes'].sort());
  await sweepWorkspaces(join(root, 'missing'));
});
