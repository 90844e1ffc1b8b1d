/** Processes on a database warn if they share no secret; the database stores only fingerprints. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { AllowedNetworks } from '../../src/webhooks/allowed-networks.ts';
import { compareSecrets } from '../../src/webhooks/secret-agreement.ts';
import { ownSecret } from '../../src/webhooks/secret-store.ts';
import { newSecret } from '../../src/webhooks/sign.ts';
import { DatabaseWebhookService } from '../../src/webhooks/webhook-service.ts';
import { type MigratedPostgres, postgresMissing, startMigrated } from '../support/postgres.ts';

const [a, b, c] = [newSecret(), newSecret(), newSecret()];

describe('on a PostgreSQL server', { skip: postgresMissing() ?? false }, () => {
  let postgres: MigratedPostgres;
  let database: QueueDatabase;
  before(async () => {
    postgres = await startMigrated();
    database = postgres.database;
  });
  after(() => postgres?.[Symbol.asyncDispose]());
  const sharesSecrets = (secrets: readonly string[]) =>
    new DatabaseWebhookService(database, new AllowedNetworks(database), secrets).sharesSecrets();

  for (const [what, starts] of [
    [
      'all the same',
      [
        [[a], false],
        [[a], false],
        [[a], false],
      ],
    ],
    [
      'a rotation, node by node',
      [
        [[a], false],
        [[a, b], false],
        [[a], false],
        [[a, b], false],
        [[b], false],
      ],
    ],
    [
      'one that differs, with a warning at each start',
      [
        [[a], false],
        [[b], true],
        [[a], true],
        [[a], false],
      ],
    ],
    [
      'none in common with the newest',
      [
        [[a, b], false],
        [[b], false],
        [[a], true],
        [[b, c], true],
        [[c], false],
      ],
    ],
  ] as const) {
    test(what, async () => {
      await database.query('delete from shared_settings where name = $1', ['webhook_secret_fingerprints']);
      for (const [secrets, isTold] of starts) {
        const lines: string[] = [];
        const logger = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line).msg) });
        await compareSecrets(database, secrets, logger);
        assert.equal(lines.length, isTold ? 1 : 0, lines.join());
        if (isTold) assert.match(lines[0], /no secret in common/);
        for (const secret of secrets) assert.ok(!lines.join().includes(secret.slice(6)));
        assert.equal(await sharesSecrets(secrets), true, 'the newest agrees with itself');
        for (const other of [a, b, c])
          assert.equal(
            await sharesSecrets([other]),
            secrets.some((own) => own === other),
          );
      }
      const stored = JSON.stringify(await database.query('select value from shared_settings'));
      for (const secret of [a, b, c]) assert.ok(!stored.includes(secret.slice(6)), 'no secret is kept');
    });
  }

  test('the secret that a service makes for itself is made once, by however many start at once; the newest counts', async () => {
    const atOnce = <Result>(work: () => Promise<Result>) => Promise.all(Array.from({ length: 8 }, work));
    // A connection for each, or the first is done before the others have theirs.
    await atOnce(() => database.query('select pg_sleep(0.05)'));
    const made = await atOnce(() => ownSecret(database));
    assert.deepEqual(new Set(made), new Set([made[0]]));
    assert.match(made[0], /^whsec_/);
    const keep = (secret: string, age: string) =>
      database.query('insert into webhook_secrets (secret, created_at) values ($1, now() - $2::interval)', [
        secret,
        age,
      ]);
    await keep(a, '1 day');
    assert.equal(await ownSecret(database), made[0]);
    await keep(b, '-1 day');
    assert.equal(await ownSecret(database), b);
  });
});
