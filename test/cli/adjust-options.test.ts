/** The option `--adjust`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAdjust } from '../../src/cli/adjust-options.ts';

const read = (adjust?: string) =>
  readAdjust({
    positionals: [],
    values: adjust === undefined ? {} : { adjust },
    signal: new AbortController().signal,
    isJson: false,
  } as unknown as Parameters<typeof readAdjust>[0]);

describe('dials', () => {
  for (const [text, dials] of [
    [undefined, undefined],
    ['warmth=0.4', { warmth: 0.4 }],
    ['warmth=-1, cuts = 0.5', { warmth: -1, cuts: 0.5 }],
  ] as const)
    test(`${text}`, () => assert.deepEqual(read(text), dials));

  for (const [text, message] of [
    ['warmt=0.4', /there is no dial "warmt"; there are warmth, .*did you mean warmth\?/],
    ['warmth', /warmth must be -1 to 1, such as warmth=0\.4; got warmth/],
    ['cuts=2', /cuts must be -1 to 1.*got cuts=2/],
    ['cuts=fast', /got cuts=fast/],
  ] as const)
    test(`refuses ${text}`, () => assert.throws(() => read(text), message));
});
