import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { agreeOn, DATABASE_ID, decideShared, sharedSetting } from '../../src/database/shared-settings.ts';
import { openShared } from '../support/jobs.ts';
import { postgresMissing, startMigrated } from '../support/postgres.ts';

async function assertAgreement(database: Database): Promise<void> {
  assert.equal(await sharedSetting(database, 'color'), null);
  assert.equal(await agreeOn(database, 'color', 'red'), 'red');
  assert.equal(await agreeOn(database, 'color', 'blue'), 'red');
  assert.equal(await agreeOn(database, 'shape', 'round'), 'round');
  await decideShared(database, 'color', 'blue');
  assert.equal(await agreeOn(database, 'color', 'red'), 'blue');
  assert.equal(await sharedSetting(database, 'color'), 'blue');
}

test('the first value applies until it is overwritten; a database has a permanent id', async () => {
  await using place = await openShared();
  await migrate(place.shared);
  await assertAgreement(place.shared);
  const id = await sharedSetting(place.shared, DATABASE_ID);
  assert.match(id ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(await agreeOn(place.shared, DATABASE_ID, 'other'), id);
});

test('twenty connections that speak at once agree', { skip: postgresMissing() ?? false }, async () => {
  await using postgres = await startMigrated();
  const { database } = postgres;
  await assertAgreement(database);
  const voices = Array.from({ length: 20 }, (_, voice) => agreeOn(database, 'voice', String(voice)));
  assert.equal(new Set(await Promise.all(voices)).size, 1);
});
