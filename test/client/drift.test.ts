/** The client holds to the OpenAPI document: its types are made from it, and every operation has its method. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { CLIENT_TYPES, clientTypes } from '../../scripts/build-client-types.ts';
import { StyleDnaClient } from '../../src/client/client.ts';
import { OPERATIONS } from '../../src/http/contract/operations.ts';

test('the types are those of the document', () => {
  const committed = readFileSync(CLIENT_TYPES, 'utf8');
  assert.equal(committed, clientTypes(), 'the interface has changed: npm run build:client');
});

test('every operation has a method with its name', () => {
  const missing = OPERATIONS.map(({ id }) => id).filter(
    (id) => typeof StyleDnaClient.prototype[id as keyof StyleDnaClient] !== 'function',
  );
  assert.deepEqual(missing, [], 'src/client/client.ts has no such method');
});

test('a browser can take all of it: it imports nothing but itself and the reader of JSON', () => {
  const folder = new URL('../../src/client/', import.meta.url);
  for (const name of readdirSync(folder)) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    assert.doesNotMatch(
      text,
      /\b(from|import\() ?'(?!\.\/|\.\.\/untrusted\/json\.ts)|\b(process|Buffer)\./,
      name,
    );
  }
  const reader = readFileSync(new URL('../untrusted/json.ts', folder), 'utf8');
  assert.doesNotMatch(reader, /\b(from|import\() ?'|\b(process|Buffer)\./);
});
