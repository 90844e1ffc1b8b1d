import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editName } from '../../web/src/words/edit-name.ts';

const ROWS: readonly (readonly [titles: readonly string[], takes: number, name: string])[] = [
  [[], 10, 'Reel of 10 takes'],
  [[], 0, 'Reel'],
  [['  '], 1, 'Reel of 1 take'],
  [['', 'Lisbon,\n May'], 3, 'Lisbon, May'],
];

for (const [titles, takes, name] of ROWS)
  test(name, () => {
    assert.equal(
      editName(
        titles.map((text) => ({ text })),
        takes,
      ),
      name,
    );
  });
