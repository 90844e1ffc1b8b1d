/** One rule for every command that writes: an existing file is refused, named, and not changed, without --overwrite. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { ARTIFACT_NAMES } from '../../src/pipeline/stages/artifacts.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { command } from '../support/command.ts';

const OWN = 'the only copy';
const folder = temporaryFolder();
let clip: string;
before(async () => {
  clip = await makeClip(folder, { name: 'clip', durationSeconds: 0.8 });
});

const NOIR = ['--preset', 'noir'] as const;
/** The words of each command; `file`: its output. */
const WRITERS: Readonly<
  Record<string, { readonly name: string; readonly words: (file: string) => string[] }>
> = {
  apply: { name: 'a.mp4', words: (file) => ['apply', clip, ...NOIR, '-q', 'low', '-o', file] },
  'apply --comparison': {
    name: 'c.mp4',
    words: (file) => ['apply', clip, ...NOIR, '-q', 'low', '-o', `${file}-new.mp4`, '--comparison', file],
  },
  extract: { name: 'e.json', words: (file) => ['extract', clip, '-o', file] },
  grade: { name: 'g.cube', words: (file) => ['grade', clip, ...NOIR, '-o', file] },
  preview: { name: 'p.jpg', words: (file) => ['preview', clip, ...NOIR, '--at', '0.4', '-o', file] },
  'preview --draft': { name: 'd.mp4', words: (file) => ['preview', clip, ...NOIR, '--draft', '-o', file] },
  'analyze --report': { name: 'r.html', words: (file) => ['analyze', clip, '--report', file] },
  demo: { name: 'demo.mp4', words: (file) => ['demo', clip, clip, '-q', 'low', '-o', file] },
};

for (const [name, { name: fileName, words }] of Object.entries(WRITERS)) {
  describe(name, () => {
    test('refuses a file that exists, and does so at once', async (t) => {
      const file = join(folder, fileName);
      writeFileSync(file, OWN);
      const startedMs = performance.now();
      const { code, stdout, stderr } = await command(t, ...words(file));
      assert.equal(code, 3, stderr);
      assert.ok(
        stderr.includes(`${file} exists already: name another file, or replace it with --overwrite`),
        stderr,
      );
      assert.equal(stdout, '');
      assert.equal(readFileSync(file, 'utf8'), OWN);
      assert.ok(performance.now() - startedMs < 5_000);
    });

    // It is the same option: a whole demo takes long.
    if (name === 'demo') return;
    test('replaces it with --overwrite', async (t) => {
      const file = join(folder, fileName);
      const { code, stderr } = await command(t, ...words(file), '--overwrite');
      assert.equal(code, 0, stderr);
      assert.ok(readFileSync(file).length > 100);
    });
  });
}

describe('apply --artifacts', () => {
  const beside = join(folder, 'beside');
  const words = (output: string) => [
    'apply',
    clip,
    ...NOIR,
    '-q',
    'low',
    '-o',
    output,
    '--artifacts',
    beside,
  ];

  test('refuses a folder with a file of any of their names, and leaves what else lies there', async (t) => {
    for (const name of ARTIFACT_NAMES) {
      const there = join(folder, `beside-${name}`);
      mkdirSync(there);
      writeFileSync(join(there, name), OWN);
      const { code, stderr } = await command(t, ...words(join(folder, 'beside.mp4')).with(-1, there));
      assert.deepEqual([name, code], [name, 3]);
      assert.ok(stderr.startsWith(`${join(there, name)} exists already`), stderr);
    }
    mkdirSync(beside);
    writeFileSync(join(beside, 'notes.txt'), OWN);
    const { code, stdout, stderr } = await command(t, ...words(join(folder, 'beside.mp4')), '--json');
    assert.equal(code, 0, stderr);
    const written = (JSON.parse(stdout).files as { path: string }[]).map(({ path }) => path).slice(1);
    for (const path of written)
      assert.ok(
        ARTIFACT_NAMES.some((name) => path === join(beside, name)),
        path,
      );
    assert.equal(readFileSync(join(beside, 'notes.txt'), 'utf8'), OWN);
  });

  test('replaces them with --overwrite', async (t) => {
    const refused = await command(t, ...words(join(folder, 'again.mp4')));
    assert.equal(refused.code, 3);
    const { code, stderr } = await command(t, ...words(join(folder, 'again.mp4')), '--overwrite');
    assert.equal(code, 0, stderr);
  });
});

test('a link that leads nowhere is a file that exists', async (t) => {
  const link = join(folder, 'link.json');
  symlinkSync(join(folder, 'nowhere'), link);
  const { code, stderr } = await command(t, 'extract', clip, '-o', link);
  assert.equal(code, 3);
  assert.match(stderr, /link\.json exists already/);
});

test('of several sources existing outputs are skipped, with a message, and replaced with --overwrite', async (t) => {
  const results = join(folder, 'results');
  mkdirSync(results);
  writeFileSync(join(results, 'clip.mp4'), OWN);
  const words = ['apply', clip, ...NOIR, '-q', 'low', '-o', `${results}/`];
  const skipped = await command(t, ...words);
  assert.equal(skipped.code, 0);
  assert.match(
    skipped.stderr,
    /clip\.mp4 {2}exists already: skipped \(--overwrite replaces it\)\n0 done, 1 skipped/,
  );
  assert.equal(readFileSync(join(results, 'clip.mp4'), 'utf8'), OWN);
  const replaced = await command(t, ...words, '--overwrite');
  assert.equal(replaced.code, 0, replaced.stderr);
  assert.equal(readFileSync(join(results, 'clip.mp4')).toString('latin1', 4, 8), 'ftyp');
});

for (const words of [
  ['analyze', 'https://example.com/a.mp4'],
  ['extract', 'HTTP://example.com/a.mp4'],
  ['apply', 'https://example.com/a.mp4', ...NOIR, '-o', 'x.mp4'],
  ['apply', 'CLIP', '-t', 'https://example.com/a.mp4', '-o', 'x.mp4'],
  ['preview', 'https://example.com/a.mp4', ...NOIR, '-o', 'x.png'],
  ['match', 'CLIP', 'https://example.com/a.mp3'],
]) {
  test(`${words.join(' ')}: the message names where an address is accepted`, async (t) => {
    const { code, stderr } = await command(t, ...words.map((word) => (word === 'CLIP' ? clip : word)));
    assert.equal(code, 3, stderr);
    assert.match(
      stderr,
      /"https?:\/\/example\.com\/a\.mp\d" is an address, and files are read here: download it, or/i,
    );
    assert.match(stderr, /--server URL/);
  });
}

test('for another kind of address the message recommends a download', async (t) => {
  const { stderr } = await command(t, 'analyze', 's3://bucket/a.mp4');
  assert.match(stderr, /^"s3:\/\/bucket\/a\.mp4" is an address, and files are read here: download it \(/);
});
