/** Types of stored files that browsers may show. Rows of an import can have any valid type. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStoredType, servedAs } from '../../src/storage/content-types.ts';

const SAVED = { type: 'application/octet-stream', isInline: false };

for (const [contentType, blobKey, expected] of [
  ['video/mp4', 'videos/a', { type: 'video/mp4', isInline: true }],
  ['text/html; charset=utf-8', 'jobs/a', { type: 'text/html; charset=utf-8', isInline: true }],
  ['text/html; charset=utf-8', 'videos/a', SAVED],
  ['application/xml', 'jobs/a', SAVED],
  ['application/xml; charset=utf-8', 'jobs/a', SAVED],
  ['application/octet-stream', 'videos/a', SAVED],
  ['image/svg+xml', 'videos/a', SAVED],
  ['audio/mp4', 'videos/a', { type: 'audio/mp4', isInline: true }],
] as const)
  test(`${contentType} of ${blobKey}`, () => assert.deepEqual(servedAs(contentType, blobKey), expected));

test('types with other parameters are no stored types', () => {
  // HEIC and AVIF are templates: an installation that has one can be moved.
  for (const type of ['application/xml', 'application/xml; charset=utf-8', 'image/heic', 'image/avif'])
    assert.ok(isStoredType(type), type);
  for (const type of ['image/svg+xml', 'text/html; x=y', 'application/xhtml+xml', ''])
    assert.ok(!isStoredType(type), type);
});
