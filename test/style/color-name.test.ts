import assert from 'node:assert/strict';
import { test } from 'node:test';
import { colorName } from '../../src/style/model/color-name.ts';

for (const [hex, name] of [
  ['#ff0000', 'red'],
  ['#C81E1E', 'red'],
  ['#ff6a00', 'orange'],
  ['#ffe600', 'yellow'],
  ['#1db954', 'green'],
  ['#008080', 'cyan'],
  ['#0a3cff', 'blue'],
  ['#101c4a', 'dark blue'],
  ['#6a0dad', 'purple'],
  ['#ff69b4', 'pink'],
  ['#5b3a1e', 'brown'],
  ['#ffe6c8', 'pale orange'],
  ['#808080', 'grey'],
  ['#303030', 'dark grey'],
  ['#e0e0e0', 'pale grey'],
  ['#ffffff', 'white'],
  ['#000000', 'black'],
] as const) {
  test(`${hex} is ${name}`, () => {
    assert.equal(colorName(hex), name);
  });
}
