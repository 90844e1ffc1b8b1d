/** Every file that a document names exists, so that no reader is sent to one that has moved. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { styleSchema } from '../src/style/model/schema.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DOCUMENTS = [
  '*.md',
  'docs/**/*.md',
  'bench/*.md',
  'src/**/README.md',
  'web/README.md',
  'deploy/**/*.md',
];
/** History, whose files are those of its time. */
const CHRONICLE = 'CHANGELOG.md';
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g;
const PATH = /`((?:src|test|bench|scripts|kernels|deploy|docs|bin|web)\/[\w./-]*\w(?:\/)?)`/g;
/** A file or folder that the README of a module names from its own folder. */
const LOCAL_PATH = /`((?!(?:src|test|bench|docs|web)\/)[a-z][\w-]*(?:\/[\w.-]+)*(?:\.ts|\/))`/g;
/** Made by `npm ci` or by a benchmark. */
const MADE = /^(web\/built|bench\/results)/;
/** Placeholders for a name, such as `src/analysis/NAME.ts`. */
const PLACEHOLDER = /\b[A-Z]{4,}\b(?!\.md)/;

const documents = globSync(DOCUMENTS, { cwd: ROOT }).filter(
  (name) => name !== CHRONICLE && !name.includes('node_modules'),
);

describe('documents', () => {
  for (const name of documents.sort()) {
    test(`${name} names files that exist`, () => {
      const text = readFileSync(join(ROOT, name), 'utf8');
      const links = [...text.matchAll(LINK)].map(([, path]) => join(dirname(name), path!));
      const paths = [...text.matchAll(PATH)]
        .map(([, path]) => path!)
        .filter((path) => !MADE.test(path) && !PLACEHOLDER.test(path));
      const local = dirname(name).startsWith('src/')
        ? [...text.matchAll(LOCAL_PATH)].map(([, path]) => join(dirname(name), path!))
        : [];
      const missing = [...links, ...paths, ...local].filter((path) => !existsSync(join(ROOT, path)));
      assert.deepEqual(missing, []);
    });
  }

  test('docs/style-dna.md lists every field of a style, and is a page', () => {
    const text = readFileSync(join(ROOT, 'docs/style-dna.md'), 'utf8');
    const listed = new Set([...text.matchAll(/`(\w+)/g)].map(([, field]) => field));
    assert.deepEqual(
      Object.keys(styleSchema.shape).filter((field) => !listed.has(field)),
      [],
    );
    assert.ok(text.split(/\s+/).length <= 1800);
  });

  test('each row of measured faults names a test or program that exists', () => {
    const text = readFileSync(join(ROOT, 'docs/reliability.md'), 'utf8');
    const rows = text.split('\n').filter((row) => /^\|(?:[^|]*\|){4}/.test(row));
    const named = rows.slice(2).flatMap((row) => {
      const [folder, ...names] = [
        ...row
          .split('|')
          .at(-2)!
          .matchAll(/`([^` ]+)[^`]*`/g),
      ].map(([, name]) => name!);
      return [folder!, ...names.map((name) => (name.includes('/') ? name : `${dirname(folder!)}/${name}`))];
    });
    assert.ok(named.length >= 50, `${named.length} tests`);
    const exists = (name: string) =>
      ['.test.ts', ''].some((end) => existsSync(join(ROOT, 'test', name + end)));
    assert.deepEqual(
      named.filter((name) => !exists(name)),
      [],
    );
  });

  test('the sources name records that exist', () => {
    const sources = globSync(['src/**/*.ts', 'test/**/*.ts', 'web/src/**/*.{ts,tsx}', 'kernels/**/*.ts'], {
      cwd: ROOT,
    });
    const named = sources.flatMap((source) =>
      [...readFileSync(join(ROOT, source), 'utf8').matchAll(/docs\/(?:decisions|notebook)\/[\w-]+\.md/g)].map(
        ([path]) => `${source}: ${path}`,
      ),
    );
    assert.deepEqual(
      named.filter((line) => !existsSync(join(ROOT, line.split(': ')[1]))),
      [],
    );
    assert.ok(named.length > 3);
  });

  test('every number of a decision is that of a record, and the index lists all records with their titles', () => {
    const folder = join(ROOT, 'docs/decisions');
    const records = globSync('[0-9]*.md', { cwd: folder });
    const numbers = new Set(records.map((record) => record.slice(0, 4)));
    const index = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const record of records) {
      const title = readFileSync(join(folder, record), 'utf8').split('\n')[0]!.replace('# ', '');
      assert.ok(index.includes(`[${title}](${record})`), `${record} is not in the index`);
    }
    const readers = globSync([...DOCUMENTS, '{src,test,bench,web/src,kernels,scripts}/**/*.{ts,tsx}'], {
      cwd: ROOT,
    });
    const unknown = readers.flatMap((reader) =>
      [...readFileSync(join(ROOT, reader), 'utf8').matchAll(/\bdecisions?[\s*/]+(\d{4})\b/g)]
        .filter(([, number]) => !numbers.has(number!))
        .map(([text]) => `${reader}: ${text}`),
    );
    assert.deepEqual(unknown, []);
  });
});
