import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { full } from 'acorn-walk';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));

/** Which folders each folder may import from, itself and the root words aside. `docs/decisions` says why. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  signal: [],
  analysis: ['signal'],
  style: ['analysis', 'signal'],
  presets: ['style', 'analysis'],
  report: ['analysis', 'style', 'signal'],
  media: ['signal'],
  render: ['style', 'media', 'signal', 'analysis'],
  storage: [],
  database: [],
  pipeline: ['analysis', 'style', 'render', 'media', 'storage'],
  jobs: ['database', 'storage'],
  webhooks: ['database', 'jobs'],
  http: ['jobs', 'webhooks', 'storage', 'style', 'presets', 'database'],
  cli: ['*'],
};
/** Imported by all, importing only each other. */
const ROOT_WORDS = ['config', 'errors', 'footage', 'job-config', 'stage', 'time', 'version'];
const ROOT_SEERS = ['main', 'compose', 'library'];

const MAX_FILE_LINES = 400;
const MAX_MEDIAN_LINES = 120;
const MAX_FUNCTION_LINES = 70;
const HOMELESS_NAMES = /^(index|utils?|helpers?|common|misc|manager|service)\b/;

interface Source {
  /** Relative to `src/`. */
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const sources: readonly Source[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8');
    const imports = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+\.ts)'/g)].map((match) =>
      relative(SRC, join(SRC, dirname(name), match[1]!)),
    );
    return { name, text, imports };
  });

const roomOf = (name: string) => (name.includes('/') ? name.slice(0, name.indexOf('/')) : '');

describe('architecture', () => {
  test('imports follow the arrows', () => {
    const wrong = sources.flatMap(({ name, imports }) =>
      imports.filter((target) => !mayImport(name, target)).map((target) => `${name} imports ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  test('no import cycles', () => {
    assert.deepEqual(findCycles(), []);
  });

  test(`files have at most ${MAX_FILE_LINES} lines, half of them at most ${MAX_MEDIAN_LINES}`, () => {
    const lengths = sources.map(({ text }) => text.split('\n').length).sort((a, b) => a - b);
    const long = sources.filter(({ text }) => text.split('\n').length > MAX_FILE_LINES);
    assert.deepEqual(
      long.map(({ name }) => name),
      [],
    );
    assert.ok(
      lengths[lengths.length >> 1]! <= MAX_MEDIAN_LINES,
      `the median is ${lengths[lengths.length >> 1]}`,
    );
  });

  test(`functions have at most ${MAX_FUNCTION_LINES} lines`, () => {
    assert.deepEqual(sources.flatMap(longFunctions), []);
  });

  test('every file is named for what it holds, and exports by name', () => {
    const homeless = sources.filter(({ name }) => HOMELESS_NAMES.test(name.split('/').at(-1)!));
    assert.deepEqual(
      homeless.map(({ name }) => name),
      [],
    );
    const nameless = sources.filter(({ text }) => /^export default\b/m.test(text));
    assert.deepEqual(
      nameless.map(({ name }) => name),
      [],
    );
  });

  test('only config.ts reads settings, and main.ts hands them in', () => {
    const readers = sources.filter(({ text }) => /process\.env\b/.test(text)).map(({ name }) => name);
    assert.deepEqual(readers, ['main.ts']);
  });

  test('FFmpeg is touched by media and render alone', () => {
    const users = sources.filter(({ text }) => /from 'node-av/.test(text)).map(({ name }) => roomOf(name));
    assert.deepEqual([...new Set(users)].sort(), ['media', 'render']);
  });
});

function mayImport(name: string, target: string): boolean {
  const from = roomOf(name);
  const to = roomOf(target);
  const word = target.replace(/\.ts$/, '');
  if (from === '') {
    return ROOT_SEERS.includes(name.replace(/\.ts$/, '')) || (to === '' && ROOT_WORDS.includes(word));
  }
  if (to === from) return true;
  if (to === '') return ROOT_WORDS.includes(word) || from === 'cli';
  const allowed = ARROWS[from] ?? [];
  return allowed.includes('*') || allowed.includes(to);
}

function findCycles(): string[] {
  const graph = new Map(sources.map(({ name, imports }) => [name, imports]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      cycles.push([...path.slice(path.indexOf(name)), name].join(' → '));
      return;
    }
    if (done.has(name)) return;
    for (const next of graph.get(name) ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  for (const { name } of sources) visit(name, []);
  return cycles;
}

function longFunctions({ name, text }: Source): string[] {
  const tree = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });
  const found: string[] = [];
  full(tree, (node) => {
    if (!/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return;
    const { start, end } = node.loc!;
    const lines = end.line - start.line + 1;
    if (lines > MAX_FUNCTION_LINES) found.push(`${name}:${start.line} has ${lines} lines`);
  });
  return found;
}
