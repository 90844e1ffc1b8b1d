import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimTurn } from '../../src/database/maintenance-turn.ts';
import { postgresMissing, startMigrated } from '../support/postgres.ts';

test('of many concurrent callers one gets the turn, until it is due again', {
  skip: postgresMissing() ?? false,
}, async () => {
  await using postgres = await startMigrated();
  const ask = (name: string) =>
    Promise.all(Array.from({ length: 20 }, () => claimTurn(postgres.database, name, 1_000)));
  const turns = async (name: string) => (await ask(name)).filter(Boolean).length;
  assert.equal(await turns('a'), 1);
  assert.equal(await turns('a'), 0);
  assert.equal(await turns('b'), 1, 'each by itself');
  await sleep(950);
  assert.equal(await turns('a'), 1);
});
