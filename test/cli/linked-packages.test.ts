/** Package managers that link: a package's dependencies are links to other folders. All of them, installed: test/package. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const folder = temporaryFolder();
let clip: string;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
});

/**
 * The program in a folder of its own, each of its dependencies a link in `node_modules` beside it, through `through`. Not within
 * `node_modules`, where Node strips no types.
 */
function installLinked(name: string, through: string): string {
  const packages = join(folder, name, 'node_modules');
  const installed = join(folder, name, 'styledna');
  for (const part of ['src', 'bin', 'package.json'])
    cpSync(join(ROOT, part), join(installed, part), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: object;
  };
  for (const dependency of Object.keys(dependencies)) {
    mkdirSync(dirname(join(packages, dependency)), { recursive: true });
    symlinkSync(join(through, dependency), join(packages, dependency));
  }
  return join(installed, 'bin', 'styledna.mjs');
}

async function analysedSeconds(program: string): Promise<number> {
  const { stdout } = await run(process.execPath, [program, 'analyze', clip, '--json']);
  return JSON.parse(stdout).style.source_duration_seconds;
}

test('a video is read where dependencies are links into a store', async () => {
  const program = installLinked('store', join(ROOT, 'node_modules'));
  assert.equal(await analysedSeconds(program), 1);
});

test('a video is read where the store is reached through a link as well', async () => {
  const store = join(folder, 'store-link');
  symlinkSync(ROOT, store);
  assert.equal(await analysedSeconds(installLinked('store-through-link', join(store, 'node_modules'))), 1);
});

test('a media process is shown every package that its code imports', () => {
  const sources = ['signal', 'analysis', 'style', 'media', 'render'].flatMap((layer) =>
    globSync(`src/${layer}/**/*.ts`, { cwd: ROOT }),
  );
  const imported = new Set(
    sources.flatMap((path) =>
      [
        ...readFileSync(join(ROOT, path), 'utf8').matchAll(
          /(?:from|import\()\s*'((?:@[a-z-]+\/)?[a-z][a-z.-]*)(?:\/[^']*)?'/g,
        ),
      ].map(([, name]) => name),
    ),
  );
  assert.deepEqual([...imported].sort(), ['node-av', 'zod']);
});
