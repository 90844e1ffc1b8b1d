/**
 * Loads the analysis with its constants in a list, so that each can be changed while it runs: a number is read from the list where it
 * stood, and a constant at the top of a file is reckoned anew after every change.
 */
import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CAPITALS, type Constant, constantsOf, isFitted, treeOf } from '../lib/constants.ts';

/** The modules that are loaded see these two, and nothing else does. */
interface Instruments {
  readonly ablationNumbers: number[];
  readonly ablationAgain: (() => void)[];
}
const SHARED = globalThis as unknown as Instruments;
const ROOT = fileURLToPath(new URL('../../src/analysis/', import.meta.url));

export interface Limit extends Omit<Constant, 'places'> {
  readonly file: string;
  /** Where its numbers are in the list, and what they are. */
  readonly from: number;
  readonly values: readonly number[];
}

/** Must be called before the first module of the analysis is loaded. Returns the list that grows as they are. */
export function instrument(): readonly Limit[] {
  Object.assign(SHARED, { ablationNumbers: [], ablationAgain: [] });
  const limits: Limit[] = [];
  registerHooks({
    load(url, context, next) {
      if (!url.startsWith('file:')) return next(url, context);
      const path = fileURLToPath(url);
      if (!path.startsWith(ROOT) || !path.endsWith('.ts') || isFitted(path)) return next(url, context);
      const file = path.slice(ROOT.length).replaceAll(sep, '/');
      return {
        format: 'module',
        source: rewritten(file, readFileSync(path, 'utf8'), limits),
        shortCircuit: true,
      };
    },
  });
  return limits;
}

/** The limit at so many times its value; the whole analysis reckons with it from now on. */
export function change(limit: Limit, factor: number): void {
  limit.values.forEach((value, at) => {
    SHARED.ablationNumbers[limit.from + at] = value * factor;
  });
  for (const again of SHARED.ablationAgain) again();
}

function rewritten(file: string, text: string, limits: Limit[]): string {
  const edits: { start: number; end: number; text: string }[] = [];
  const tree = treeOf(text);
  for (const { places, ...constant } of constantsOf(tree)) {
    const from = SHARED.ablationNumbers.length;
    const values = places.map(({ start, end }) => Number(text.slice(start, end).replaceAll('_', '')));
    SHARED.ablationNumbers.push(...values);
    limits.push({ ...constant, file, from, values });
    for (const [at, { start, end }] of places.entries())
      edits.push({ start, end, text: `ABLATION_NUMBERS[${from + at}]` });
  }
  for (const statement of tree.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init, end } of declaration.declarations) {
      if (id.type !== 'Identifier' || !CAPITALS.test(id.name) || init == null) continue;
      edits.push({ start: declaration.start, end: declaration.start + 5, text: 'let  ' });
      edits.push({
        start: init.start,
        end: init.start,
        text: `(${id.name}_AGAIN(), ${id.name}_VALUE()); function ${id.name}_VALUE() { return (`,
      });
      edits.push({
        start: end,
        end,
        text: `); } function ${id.name}_AGAIN() { globalThis.ablationAgain.push(() => { ${id.name} = ${id.name}_VALUE(); }); }`,
      });
    }
  }
  const plain = stripTypeScriptTypes(text);
  let changed = '';
  let at = 0;
  for (const edit of edits.sort((one, other) => one.start - other.start || one.end - other.end)) {
    changed += plain.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return `const ABLATION_NUMBERS = globalThis.ablationNumbers; ${changed}${plain.slice(at)}`;
}
