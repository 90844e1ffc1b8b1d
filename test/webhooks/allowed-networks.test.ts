/** All processes on a database apply one rule, independent of their own setting. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import type { Database } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { joinAllowedNetworks } from '../../src/webhooks/allowed-networks.ts';
import { openService } from '../support/jobs.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';

function warnings() {
  const lines: string[] = [];
  const logger = pino({ level: 'warn', base: null }, { write: (line) => lines.push(JSON.parse(line).msg) });
  return { lines, logger };
}

async function ruleOf(database: Database, input: readonly string[] | undefined) {
  const { lines, logger } = warnings();
  const networks = await joinAllowedNetworks(database, input, logger);
  return { networks, rule: await networks.current(), reported: lines };
}

describe('on a PostgreSQL server', { skip: postgresMissing() ?? false }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server?.[Symbol.asyncDispose]());

  test('the first configured process decides; others apply its rule and warn; a change reaches all', async () => {
    const [one, other] = [await openPostgres(server.url), await openPostgres(server.url)];
    try {
      await migrate(one);
      const silent = await ruleOf(one, undefined);
      assert.deepEqual([silent.rule, silent.reported], [[], []]);
      const first = await ruleOf(one, ['10.1.2.3/8', 'fd12::5/16', '10.0.0.0/8']);
      assert.deepEqual([first.rule, first.reported], [['10.0.0.0/8', 'fd12::/16'], []]);
      const same = await ruleOf(other, ['fd12::/16', '10.0.0.0/8']);
      assert.deepEqual([same.rule, same.reported], [first.rule, []]);
      const wider = await ruleOf(other, ['0.0.0.0/0']);
      assert.deepEqual(wider.rule, first.rule);
      assert.equal(wider.reported.length, 1);
      for (const word of [
        /"0\.0\.0\.0\/0" here/,
        /"10\.0\.0\.0\/8,fd12::\/16"/,
        /webhook-networks 0\.0\.0\.0\/0$/,
      ])
        assert.match(wider.reported[0], word);
      await wider.networks.change(['192.168.0.0/16']);
      assert.deepEqual(await wider.networks.current(), ['192.168.0.0/16']);
      await new Promise((resolve) => setTimeout(resolve, 1100));
      assert.deepEqual(await silent.networks.current(), ['192.168.0.0/16']);
    } finally {
      await one.close();
      await other.close();
    }
  });
});

test('with the embedded database the setting of its one process holds, and its absence too', async () => {
  await using service = await openService({ webhooks: { allowedNetworks: ['10.0.0.0/8'] } });
  const rule = async (input: readonly string[] | undefined) => (await ruleOf(service.database, input)).rule;
  assert.deepEqual(await rule(['127.0.0.0/8']), ['127.0.0.0/8']);
  assert.deepEqual(await rule(undefined), []);
});
