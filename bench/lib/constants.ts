/** Numbers in a source that somebody chose: what `bench/constants.ts` counts and `bench/ablate.ts` leaves out. */
import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type Literal, type Node, type Program, parse } from 'acorn';
import { ancestor } from 'acorn-walk';

export interface Constant {
  readonly line: number;
  /** As written; of a table or a sum its first number. */
  readonly text: string;
  /** Of the constant in capitals at the top of the file; null: inline. */
  readonly name: string | null;
  /** Where its numbers stand: one, or all of a table or of an expression under a name. */
  readonly places: { readonly start: number; readonly end: number }[];
}

/** Channels and neighbours, halves, decibels, levels of a byte, seconds of a minute, bits, and what keeps from dividing by nought. */
const UNITS = [3, 4, 8, 16, 32, 0.5, 10, 60, 180, 255, 256, 1000, 1e-3, 1e-6, 1e-9, 1e-12, 1e-30, 1e6];
/** Names of constants. */
export const CAPITALS = /^[A-Z][A-Z0-9_]*$/;
const COMPARISON = /^[<>]=?$|^[!=]==$/;

/** Types become blanks: places are those of the text. */
export function treeOf(text: string): Program {
  return parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module', locations: true });
}

/**
 * Literals other than 0, 1 and 2 of either sign, keys, masks of bits, and what stands between the brackets of a place. What stands under one name, or under one key of
 * an object with a name, is one, be it a list or `4 * 3600`. Of the inline ones a unit or a stride counts only where something is compared with it.
 */
export function constantsOf(tree: Program): Constant[] {
  const found: Constant[] = [];
  const tables = new Map<Node, Constant>();
  ancestor(tree, {
    Literal(node: Literal, _state: unknown, ancestors: Node[]) {
      if (typeof node.value !== 'number' || [0, 1, 2].includes(node.value) || isMask(node)) return;
      const parents = ancestors.slice(0, -1) as AnyNode[];
      const parent = parents.at(-1);
      if (isPlace(node, parents)) return;
      if (parent?.type === 'Property' && parent.key === (node as Node)) return;
      const name = nameOf(parents);
      const compared = parent?.type === 'BinaryExpression' && COMPARISON.test(parent.operator);
      if (name === null && !compared && UNITS.includes(node.value)) return;
      const { start, end } = node;
      const whole = name === null ? node : wholeOf(parents);
      const earlier = tables.get(whole);
      if (earlier !== undefined) {
        earlier.places.push({ start, end });
        return;
      }
      const one = { line: node.loc!.start.line, text: node.raw ?? '', name, places: [{ start, end }] };
      found.push(one);
      tables.set(whole, one);
    },
  });
  return found;
}

function isMask({ raw }: Literal): boolean {
  return raw?.startsWith('0x') === true;
}

/** The list, else the property, else the declaration in which a number stands. */
function wholeOf(parents: readonly AnyNode[]): AnyNode {
  return (
    parents.find(({ type }) => type === 'ArrayExpression') ??
    parents.findLast(({ type }) => type === 'Property' || type === 'VariableDeclarator')!
  );
}

function isPlace({ start }: Node, parents: readonly AnyNode[]): boolean {
  return parents.some(
    (parent) =>
      parent.type === 'MemberExpression' &&
      parent.computed &&
      start >= parent.property.start &&
      start < parent.property.end,
  );
}

function nameOf(parents: readonly AnyNode[]): string | null {
  if (parents.some(({ type }) => /Function|Class/.test(type))) return null;
  const declared = parents.find((parent) => parent.type === 'VariableDeclarator');
  const id = declared?.id;
  return id?.type === 'Identifier' && CAPITALS.test(id.name) ? id.name : null;
}

/** Weights that a program wrote are fitted, not chosen. */
export function isFitted(file: string): boolean {
  return /(^|[-/])weights\.ts$/.test(file);
}
