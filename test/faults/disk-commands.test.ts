/** Commands on full disks, for real: the message names the folder, and comes before the rendering where the need is known. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { PROGRAM } from '../support/program.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const small = mountSmallDisk(64 << 20);
const missing = small === null ? 'needs the right to mount a small tmpfs' : false;
after(() => small?.[Symbol.dispose]());
const disk = small!;
const folder = temporaryFolder();
const clip = await makeClip(folder, { name: 'clip', durationSeconds: 4 });

function run(words: readonly string[], TMPDIR = folder) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR, DATA_DIR: join(folder, 'installation') },
  });
  const { error } = JSON.parse(stdout) as { error: { code: string; message: string; field: string | null } };
  return { status, error, stderr };
}

describe('a full disk is named', { skip: missing, concurrency: 1 }, () => {
  const look = ['--preset', 'noir'];
  const at = (name: string) => join(disk.folder, name);
  const outputs: readonly (readonly [field: string, words: readonly string[]])[] = [
    ['--output', ['apply', clip, ...look, '-o', at('out.mp4')]],
    ['--comparison', ['apply', clip, ...look, '-o', join(folder, 'a.mp4'), '--comparison', at('side.mp4')]],
    ['--artifacts', ['apply', clip, ...look, '-o', join(folder, 'b.mp4'), '--artifacts', disk.folder]],
    ['--output', ['edit', clip, ...look, '-o', at('out.mp4')]],
    ['--storyboard', ['edit', clip, ...look, '--storyboard', at('board.jpg')]],
    ['--output', ['preview', clip, ...look, '-o', at('out.jpg')]],
    ['--output', ['grade', clip, ...look, '-o', at('out.cube')]],
    ['--report', ['analyze', clip, '--report', at('page.html')]],
    ['FOLDER', ['export', at('export')]],
  ];
  for (const [field, words] of outputs)
    test(`${words[0]} ${field}, at once`, () => {
      disk.fill(0);
      const { status, error, stderr } = run(words);
      const named = field === 'FOLDER' ? words[1] : disk.folder;
      disk.empty();
      assert.equal(status, 3, stderr);
      assert.deepEqual([error.code, error.field], ['INSUFFICIENT_STORAGE', field]);
      assert.ok(error.message.startsWith(`${named}: the disk is full; free some space there`), error.message);
      assert.doesNotMatch(stderr, /\d %/, 'nothing was rendered');
      assert.deepEqual(readdirSync(disk.folder), []);
    });

  test('the output folder that cannot hold the output, before it is drawn', () => {
    disk.fill(16 << 10);
    const { status, error } = run(['apply', clip, ...look, '-q', 'ultra', '-o', at('out.mp4')]);
    disk.empty();
    assert.equal(status, 3);
    assert.deepEqual([error.code, error.field], ['INSUFFICIENT_STORAGE', '--output']);
    assert.match(error.message, /The output will take about .* MB .*quality "ultra"/);
    assert.ok(error.message.includes(`the disk of ${disk.folder} has 1 MB free`), error.message);
    assert.ok(!existsSync(at('out.mp4')));
  });

  test('the folder for temporary files', () => {
    disk.fill(64 << 10);
    const { status, error, stderr } = run(['apply', clip, ...look, '-o', join(folder, 'c.mp4')], disk.folder);
    disk.empty();
    assert.equal(status, 3, stderr);
    assert.equal(error.code, 'INSUFFICIENT_STORAGE');
    assert.ok(
      error.message.includes(`${disk.folder}, the folder for temporary files (TMPDIR`),
      error.message,
    );
    assert.ok(!existsSync(join(folder, 'c.mp4')));
  });
});
