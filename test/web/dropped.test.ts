import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sortDropped, type WellName } from '../../web/src/state/dropped.ts';

const FILES = {
  clip: { name: 'clip.mp4', type: 'video/mp4' },
  other: { name: 'other.mov', type: 'video/quicktime' },
  third: { name: 'third.mkv', type: '' },
  still: { name: 'still.avif', type: 'image/avif' },
  style: { name: 'style.json', type: 'application/json' },
} as const;
type Name = keyof typeof FILES;

function sorted(names: readonly Name[], on: WellName, isOtherEmpty: boolean): string {
  const { source, look, leftOut } = sortDropped(
    names.map((name) => FILES[name]),
    on,
    isOtherEmpty,
  );
  const nameOf = (file: { readonly name: string } | null) => file?.name.split('.')[0] ?? '-';
  return [nameOf(source), nameOf(look), ...leftOut.map(nameOf)].join(' ');
}

/** Source, look, and what is left out. */
const CASES: readonly (readonly [readonly Name[], WellName, boolean, string])[] = [
  [[], 'source', true, '- -'],
  [['clip'], 'source', true, 'clip -'],
  [['clip'], 'look', true, '- clip'],
  [['clip', 'other'], 'source', true, 'clip other'],
  [['clip', 'other'], 'source', false, 'clip - other'],
  [['clip', 'other'], 'look', true, 'other clip'],
  [['clip', 'other'], 'look', false, '- clip other'],
  [['still', 'clip'], 'source', true, 'clip still'],
  [['still', 'clip'], 'source', false, 'clip - still'],
  [['style', 'clip'], 'source', true, 'clip style'],
  [['clip', 'style'], 'look', true, 'clip style'],
  [['clip', 'still'], 'look', true, 'clip still'],
  [['still', 'style'], 'look', true, '- still style'],
  [['still'], 'source', true, 'still -'],
  [['clip', 'other', 'third'], 'source', true, 'clip other third'],
];

describe('files that are dropped together', () => {
  for (const [names, on, isOtherEmpty, expected] of CASES) {
    test(`${names.join(' and ') || 'none'} on the ${on}, the other well ${isOtherEmpty ? 'empty' : 'full'}`, () =>
      assert.equal(sorted(names, on, isOtherEmpty), expected));
  }
});
