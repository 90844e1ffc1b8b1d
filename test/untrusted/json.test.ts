import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { JsonFault, parseJson } from '../../src/untrusted/json.ts';

const LIMITS = { depth: 3, values: 10, keys: 4 };
const fault = (text: string) => {
  try {
    return parseJson(text, LIMITS);
  } catch (error) {
    assert.ok(error instanceof JsonFault, String(error));
    return `${error.kind}: ${error.message}`;
  }
};

describe('JSON of others', () => {
  for (const text of [
    '7',
    '"[[[[,,,,:::"',
    '"\\"[[[[\\\\"',
    '[[[1]]]',
    '[1,2,3,4,5,6,7,8,9,10]',
    '{"a":1,"b":2,"c":3,"d":4}',
    '[{"a":1,"b":2},{"a":1,"b":2}]',
  ])
    test(`is read within its limits: ${text}`, () => {
      assert.deepEqual(fault(text), JSON.parse(text));
    });

  for (const [text, expected] of [
    ['[[[[1]]]]', 'depth: is nested deeper than 3 levels'],
    ['['.repeat(1_000_000), 'depth: is nested deeper than 3 levels'],
    [']'.repeat(5) + '['.repeat(4), 'depth: is nested deeper than 3 levels'],
    ['[1,2,3,4,5,6,7,8,9,10,11]', 'values: has more than 10 values and keys'],
    ['[[1,2,3,4,5],[1,2,3,4,5],{"a":1}]', 'values: has more than 10 values and keys'],
    [`[${'0,'.repeat(5_000_000)}`, 'values: has more than 10 values and keys'],
    ['{"a":1,"b":2,"c":3,"d":4,"e":5}', 'keys: has an object of more than 4 keys'],
    ['', 'syntax: is not valid JSON'],
    ['"unfinished', 'syntax: is not valid JSON'],
    ['"unfinished\\', 'syntax: is not valid JSON'],
    ['[1, 2', 'syntax: is not valid JSON'],
    ['{"password": secret}', 'syntax: is not valid JSON'],
  ] as const)
    test(`is refused: ${text.slice(0, 40)}`, () => {
      assert.equal(fault(text), expected);
    });
});
