import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { KNOWN_WARNINGS, warningWords } from '../../web/src/words/warnings.ts';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
/** How warnings are written in the service: `{ code: 'X', message`, or `warn('X', …)` where a file has several. */
const WRITTEN = /\bcode: '([A-Z_]+)',\s*message\b|\bwarn\(\s*'([A-Z_]+)'/g;
/** Of answers to requests and of the client, which are no warnings. */
const NO_WARNINGS = /^(client|received|http\/server)\//;

describe('warnings in plain words', () => {
  test('every warning of the service has its words, and no words are left over', () => {
    const files = globSync('**/*.ts', { cwd: SOURCES }).filter((file) => !NO_WARNINGS.test(file));
    const written = files.flatMap((file) =>
      [...readFileSync(SOURCES + file, 'utf8').matchAll(WRITTEN)].map(([, one, other]) => one ?? other!),
    );
    assert.deepEqual([...new Set(written)].sort(), [...KNOWN_WARNINGS].sort());
  });

  test('one that a later service adds is told in its own words', () => {
    const words = warningWords({ code: 'LATER', message: 'Something new happened' });
    assert.deepEqual(words, {
      title: 'Something new happened',
      advice: '',
      technical: 'Something new happened',
    });
  });
});
