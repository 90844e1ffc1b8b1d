/**
 * Mutation tests: makes small changes to the sources, one at a time in a copy of the project, runs the chosen tests on
 * each, and lists the changes that no test noticed.
 * node scripts/mutate.ts src/render/picture/composite.ts src/style/look --tests
 * test/render/composite.test.ts,test/style [--sample 40] [--seed 1] [--constants]
 * `--constants`: only numbers of named constants, as a sweep of a detector's limits.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type AnyNode,
  type BinaryExpression,
  type Literal,
  type LogicalExpression,
  type Program,
  parse,
} from 'acorn';
import { full } from 'acorn-walk';
import { seededRandom } from '../src/signal/seeded-random.ts';

interface Mutation {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly kind: string;
  readonly before: string;
  readonly after: string;
}
type Outcome = 'killed' | 'timed out' | 'survived';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** All files that tests read; large ones that are only read are linked. */
const COPIED = [
  'src',
  'test',
  'bench',
  'scripts',
  'bin',
  'docs',
  'web',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
];
const LINKED = ['node_modules'];
/** A change can make a loop endless: tests that take this many times as long have noticed it. */
const SLOWER = 4;
const MIN_TIMEOUT_MS = 20_000;

const FLIPPED: Readonly<Record<string, string>> = {
  ...{ '<': '>=', '<=': '>', '>': '<=', '>=': '<', '===': '!==', '!==': '===' },
};
const OFF_BY_ONE: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const TERMS = ['+', '-', '*', '/', '&&', '||', '??'];

/** A string of SQL, or a part of one: it has a parameter, or begins with a verb. */
const SQL = /\$\d|^\s*(select|insert into|update|delete from|with)\b/;
/** Replacements for words of SQL: looser conditions, reversed orders, no guards. */
const SQL_SWAPS: Readonly<Record<string, string>> = {
  ...{ ' and ': ' or ', ' or ': ' and ', ' < ': ' > ', ' > ': ' < ', ' <= ': ' > ', ' >= ': ' < ' },
  ...{ ' desc': ' asc', 'min(': 'max(', 'max(': 'min(', 'greatest(': 'least(', 'least(': 'greatest(' },
  ...{ ' not ': ' ', ' for update': ' ', ' + 1': '', ' is null': ' is not null', ' is not null': ' is null' },
};
const SQL_WORD = new RegExp(
  Object.keys(SQL_SWAPS)
    .sort((left, right) => right.length - left.length)
    .map((word) => word.replaceAll(/[(+]/g, '\\$&'))
    .join('|'),
  'g',
);

/**
 * All mutations of a file: comparisons flipped and off by one, terms and statements dropped, numbers changed,
 * conditions negated.
 */
function mutationsOf(file: string, constantsAlone: boolean): Mutation[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  // Types are replaced by blanks, so that positions are those of the file.
  const tree = parse(stripTypeScriptTypes(text), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  });
  const found: Mutation[] = [];
  full(tree, (node) => {
    const change = (kind: string, after: string) => {
      const { start, end } = node;
      found.push({
        file,
        start,
        end,
        line: node.loc!.start.line,
        kind,
        before: text.slice(start, end),
        after,
      });
    };
    changesOf(node as AnyNode, (at) => text.slice(at.start, at.end), change);
    const value = (node as AnyNode).type === 'Literal' ? (node as Literal).value : null;
    if (node.type === 'TemplateElement' || typeof value === 'string')
      for (const { at, word, after } of changesOfSql(text.slice(node.start, node.end))) {
        const start = node.start + at;
        const line = text.slice(0, start).split('\n').length;
        found.push({ file, start, end: start + word.length, line, kind: 'sql', before: word, after });
      }
  });
  if (!constantsAlone) return found;
  const constants = constantsOf(tree);
  return found.filter(
    ({ start, end, before }) =>
      /^[\d.]/.test(before) && constants.some((place) => place.start <= start && end <= place.end),
  );
}

/** Ranges of a file that define numbers: constants in capitals, alone or in objects and lists. */
function constantsOf({ body }: Program): { readonly start: number; readonly end: number }[] {
  return body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
    .filter(({ id }) => id.type === 'Identifier' && /^[A-Z][A-Z0-9_]*$/.test(id.name));
}

function changesOf(
  node: AnyNode,
  textOf: (node: { start: number; end: number }) => string,
  change: (kind: string, after: string) => void,
): void {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      changesOfTerms(node, textOf, change);
      break;
    case 'ExpressionStatement':
      if (!('directive' in node)) change('drop statement', '{}');
      break;
    case 'IfStatement':
    case 'ConditionalExpression':
      // The whole node is replaced, but the change is reported at its condition.
      change(
        'negate',
        textOf(node).replace(textOf(node.test), () => `!(${textOf(node.test)})`),
      );
      break;
    case 'UnaryExpression':
      if (node.operator === '-' || node.operator === '!') change('drop sign', ` (${textOf(node.argument)})`);
      break;
    case 'Literal':
      if (typeof node.value === 'number') for (const [kind, value] of numbersNear(node)) change(kind, value);
  }
}

function changesOfTerms(
  node: BinaryExpression | LogicalExpression,
  textOf: (node: { start: number; end: number }) => string,
  change: (kind: string, after: string) => void,
): void {
  const [left, right] = [textOf(node.left), textOf(node.right)];
  const with_ = (operator: string) => `${left} ${operator} ${right}`;
  if (node.operator in FLIPPED) change('flip', with_(FLIPPED[node.operator]));
  if (node.operator in OFF_BY_ONE) change('off by one', with_(OFF_BY_ONE[node.operator]));
  if (TERMS.includes(node.operator)) change('drop term', left);
}

function changesOfSql(text: string): { at: number; word: string; after: string }[] {
  if (!SQL.test(text.replace(/^['`]/, ''))) return [];
  return [...text.matchAll(SQL_WORD)].map(({ index, 0: word }) => ({
    ...{ at: index, word, after: SQL_SWAPS[word] },
  }));
}

/** Counts and positions change by one, measures by a fifth. */
function numbersNear({ value, raw }: Literal): [string, string][] {
  const number = value as number;
  if (Number.isInteger(number) && Math.abs(number) < 10 && /^\d+$/.test(raw!))
    return [['off by one', String(number + 1)]];
  return [
    ['a fifth more', String(number * 1.2)],
    ['a fifth less', String(number * 0.8)],
  ];
}

/** Draws without repetition, evenly distributed over all. */
function sampled<T>(all: readonly T[], count: number, seed: number): T[] {
  const random = seededRandom(seed);
  const keyed = all.map((one) => ({ one, key: random() }));
  return keyed
    .sort((left, right) => left.key - right.key)
    .slice(0, count)
    .map(({ one }) => one);
}

/** A copy of the project that may be changed, with `../shared` beside it as beside the project. */
function makeCopy(): { readonly folder: string; readonly [Symbol.dispose]: () => void } {
  const outer = mkdtempSync(join(tmpdir(), 'mutate-'));
  // As root, tests start PostgreSQL's programs under another user, who needs access.
  chmodSync(outer, 0o755);
  const folder = join(outer, 'project');
  mkdirSync(folder);
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name));
  symlinkSync(join(ROOT, '..', 'shared'), join(outer, 'shared'));
  return { folder, [Symbol.dispose]: () => rmSync(outer, { recursive: true, force: true }) };
}

/** Whether one of the tests fails. Test files run one after the other, up to the first failure. */
async function outcomeOf(folder: string, tests: readonly string[], timeoutMs: number): Promise<Outcome> {
  for (const test of tests) {
    const outcome = await outcomeOfFile(folder, test, timeoutMs);
    if (outcome !== 'survived') return outcome;
  }
  return 'survived';
}

async function outcomeOfFile(folder: string, test: string, timeoutMs: number): Promise<Outcome> {
  const child = spawn(process.execPath, ['--test', '--test-reporter=dot', test], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  });
  let late = false;
  const end = () => process.kill(-child.pid!, 'SIGKILL');
  const timer = setTimeout(() => {
    late = true;
    end();
  }, timeoutMs);
  // A test in an endless loop would otherwise outlive this program.
  process.once('exit', end);
  const [code] = await once(child, 'exit');
  process.off('exit', end);
  clearTimeout(timer);
  if (late) return 'timed out';
  return code === 0 ? 'survived' : 'killed';
}

function filesOf(paths: readonly string[], pattern: string): string[] {
  return paths.flatMap((path) =>
    statSync(join(ROOT, path)).isDirectory()
      ? globSync(`${path}/**/*${pattern}`, { cwd: ROOT }).sort()
      : [path],
  );
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tests: { type: 'string' },
      sample: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      constants: { type: 'boolean', default: false },
    },
  });
  if (positionals.length === 0 || values.tests === undefined)
    throw new Error(
      'Usage: node scripts/mutate.ts FILE_OR_FOLDER … --tests FILE_OR_FOLDER,… [--sample 40] [--seed 1] [--constants]',
    );
  const all = filesOf(positionals, '.ts').flatMap((file) => mutationsOf(file, values.constants));
  const tests = filesOf(values.tests.split(','), '.test.ts');
  using copy = makeCopy();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      copy[Symbol.dispose]();
      process.exit(1);
    });
  const began = performance.now();
  if ((await outcomeOf(copy.folder, tests, 15 * 60_000)) !== 'survived')
    throw new Error('The chosen tests fail without any change: node --test them first');
  const timeoutMs = Math.max(MIN_TIMEOUT_MS, SLOWER * (performance.now() - began));
  const counts: Record<Outcome, number> = { killed: 0, 'timed out': 0, survived: 0 };
  const tried = sampled(all, Number(values.sample), Number(values.seed));
  for (const mutation of tried) {
    const { file, start, end, line, kind, before, after } = mutation;
    const text = readFileSync(join(copy.folder, file), 'utf8');
    writeFileSync(join(copy.folder, file), text.slice(0, start) + after + text.slice(end));
    const outcome = await outcomeOf(copy.folder, tests, timeoutMs);
    writeFileSync(join(copy.folder, file), text);
    counts[outcome]++;
    const short = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 60);
    if (outcome === 'survived') console.log(`${file}:${line} | ${kind} | ${short(before)} → ${short(after)}`);
  }
  const noticed = counts.killed + counts['timed out'];
  console.log(
    `${tried.length} of ${all.length} tried, ${noticed} killed (${counts['timed out']} by time), ${counts.survived} survived`,
  );
}

await main();
