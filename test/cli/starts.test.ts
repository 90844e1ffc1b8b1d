/** Modules loaded before the first answer, and the cache for the next start. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { PROGRAM } from '../support/program.ts';

const CACHE = new URL('../../bin/program-cache.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'styledna-starts-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Prints the address of every module that the process reads, when it ends. */
const LISTED = `data:text/javascript,${encodeURIComponent(`
import { registerHooks } from 'node:module';
const read = new Set();
registerHooks({ load(url, context, next) { if (url.startsWith('file:')) read.add(url); return next(url, context); } });
process.on('exit', () => console.error(JSON.stringify([...read])));`)}`;

function modulesOf(...words: readonly string[]): readonly string[] {
  const { stderr } = spawnSync(process.execPath, ['--import', LISTED, PROGRAM, ...words], {
    encoding: 'utf8',
  });
  return JSON.parse(stderr.slice(stderr.lastIndexOf('\n[') + 1));
}

describe('commands that only print load few modules', () => {
  // Seventeen when this was written; all commands together read 700.
  const MAX_MODULES = 20;
  for (const words of [['--version'], ['--help'], ['presets'], ['aplly']])
    test(words.join(' '), () => {
      const modules = modulesOf(...words);
      assert.ok(modules.length > 5 && modules.length <= MAX_MODULES, modules.join('\n'));
      const foreign = modules.filter((url) => url.includes('/node_modules/'));
      assert.deepEqual(foreign, []);
    });
});

describe('what works on media reads no schemas', () => {
  const task = (words: string) =>
    `await import(${JSON.stringify(new URL('../../src/', import.meta.url).href)} + ${JSON.stringify(words)}); process.exit();`;
  for (const name of ['style/extract/extract.ts', 'style/plan/plan.ts', 'render/render.ts', 'studio.ts'])
    test(name, () => {
      const words = ['--import', LISTED, '--input-type=module', '-e', task(name)];
      const { stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      const modules: string[] = JSON.parse(stderr.slice(stderr.lastIndexOf('\n[') + 1));
      assert.ok(modules.length > 10);
      assert.deepEqual(
        modules.filter((url) => url.includes('/node_modules/zod/')),
        [],
      );
    });
});

/** Which of the roots, by number, the program keeps its code under; null: it keeps none. */
function chosenOf(...roots: readonly string[]): number | null {
  const script = `import { getCompileCacheDir } from 'node:module';
    const { rememberProgram } = await import(${JSON.stringify(CACHE)});
    rememberProgram(${JSON.stringify(roots)});
    console.log(getCompileCacheDir() ?? '');`;
  // Without the cache that the tests themselves run with.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const reported = execFileSync(process.execPath, ['--input-type=module', '-e', script], { env }).toString();
  const found = roots.findIndex((root) => reported.startsWith(`${root}/`));
  return found < 0 ? null : found;
}

describe('the program keeps its compiled code where nobody else may write', () => {
  const root = (name: string, mode: number) => {
    const path = join(folder, name);
    mkdirSync(join(path, 'styledna-program'), { recursive: true });
    chmodSync(join(path, 'styledna-program'), mode);
    return path;
  };
  const aFile = join(folder, 'file');
  writeFileSync(aFile, '');
  const rows: readonly (readonly [what: string, roots: string[], chosen: number | null])[] = [
    ['in the first place', [root('own', 0o700), root('next', 0o700)], 0],
    ['in one that is made', [join(folder, 'made', 'now')], 0],
    ['in one that others may read', [root('readable', 0o755)], 0],
    ['not where all may write', [root('open', 0o777), root('after', 0o700)], 1],
    ['not where the group may write', [root('group', 0o720), root('later', 0o700)], 1],
    ['not where there can be no folder', [aFile, root('last', 0o700)], 1],
    ['nowhere', [aFile], null],
  ];
  for (const [what, roots, chosen] of rows) test(what, () => assert.equal(chosenOf(...roots), chosen));

  test('and makes its folder for itself alone', () => {
    const made = join(folder, 'made', 'again');
    assert.equal(chosenOf(made), 0);
    assert.equal(statSync(join(made, 'styledna-program')).mode & 0o777, 0o700);
  });
});
