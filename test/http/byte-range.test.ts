import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { byteRange, isNotModified, isRangeCurrent } from '../../src/http/server/byte-range.ts';

describe('byteRange over 1000 bytes', () => {
  for (const [header, want] of [
    [undefined, null],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-499', { start: 0, end: 499 }],
    ['bytes=500-', { start: 500, end: 999 }],
    ['bytes=-200', { start: 800, end: 999 }],
    ['bytes=-5000', { start: 0, end: 999 }],
    ['bytes=990-5000', { start: 990, end: 999 }],
    ['BYTES=1-2', { start: 1, end: 2 }],
    ['bytes=1000-', 'unsatisfiable'],
    ['bytes=5000-6000', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    // Malformed or unsupported ranges are ignored (RFC 9110, section 14.2).
    ['bytes=5-4', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
    ['bytes=0-1,5-6', null],
    ['items=0-5', null],
    ['', null],
  ] as const) {
    test(`${header}`, () => assert.deepEqual(byteRange(header, 1000), want));
  }

  test('an empty file has no range', () => assert.equal(byteRange('bytes=0-', 0), 'unsatisfiable'));
});

const file = { etag: '"abc"', lastModified: new Date('2026-01-02T03:04:05Z') };

for (const [header, want] of [
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['*', true],
  ['"x"', false],
] as const) {
  test(`If-None-Match: ${header}`, () => assert.equal(isNotModified(header, file), want));
}

for (const [header, want] of [
  [undefined, true],
  ['"abc"', true],
  ['W/"abc"', false],
  ['"x"', false],
  ['Fri, 02 Jan 2026 03:04:05 GMT', true],
  ['Fri, 02 Jan 2026 03:04:06 GMT', false],
] as const) {
  test(`If-Range: ${header}`, () => assert.equal(isRangeCurrent(header, file), want));
}
