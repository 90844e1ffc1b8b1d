/**
 * A start on a PostgreSQL server that refuses it, is down, or is locked by another process is reported with a
 * reason.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { lock } from '../../src/database/locks.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { ConfigError, type Failure } from '../../src/domain/errors.ts';
import { openDatabase } from '../../src/installation.ts';
import { readConfig } from '../../src/settings/config.ts';
import { logWhileSlow } from '../../src/telemetry/slow-step.ts';
import {
  type MigratedPostgres,
  type PostgresServer,
  postgresMissing,
  startMigrated,
} from '../support/postgres.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

describe('a start on a PostgreSQL server', { skip: postgresMissing() ?? false }, () => {
  let postgres: MigratedPostgres;
  let server: PostgresServer;
  let database: QueueDatabase;
  before(async () => {
    postgres = await startMigrated();
    ({ server, database } = postgres);
    await database.query('create role reader login');
  });
  after(() => postgres?.[Symbol.asyncDispose]());

  const started = (change: { readonly [key in 'pathname' | 'username' | 'port']?: string }) => {
    const url = Object.assign(new URL(server.url), change);
    return openDatabase(readConfig({ DATABASE_URL: url.href }));
  };
  for (const [what, change, said] of [
    ['no such database', { pathname: '/none' }, /"none" does not exist \(3D000\).*createdb/],
    ['no such user', { username: 'nobody' }, /"nobody" does not exist \(28000\).*pg_hba/],
  ] as const) {
    test(`${what}: reported with its place and the remedy`, async () => {
      await assert.rejects(started(change), (error: Error) => {
        assert.ok(error instanceof ConfigError, String(error));
        assert.match(error.message, /^PostgreSQL at 127\.0\.0\.1:\d+, database /);
        assert.match(error.message, said);
        return true;
      });
    });
  }

  test('a user without permission to create tables is reported', async () => {
    await database.query('create database bare');
    await assert.rejects(
      started({ pathname: '/bare', username: 'reader' }),
      /permission denied .* \(42501\)\. The user .* CREATE/,
    );
  });

  for (const [how, said] of [
    ['closed', /cannot be reached: ECONNRESET/],
    ['silent', /cannot be reached: .*timeout/],
  ] as const) {
    test(`a server that is ${how} is named with its place`, async () => {
      await using proxy = await startTcpProxy(server.url);
      proxy.cut(how);
      const { host, port } = new URL(proxy.url);
      await assert.rejects(started({ port }), (error: Failure) => {
        assert.equal(error.code, 'SERVICE_UNAVAILABLE');
        assert.match(error.detail, said);
        assert.ok(error.detail.includes(host), error.detail);
        return true;
      });
    });
  }

  test('several starts on an empty database all find the same tables', async () => {
    for (const name of ['one', 'two', 'three']) {
      await database.query(`create database ${name}`);
      const starts = Array.from({ length: 6 }, () => started({ pathname: `/${name}` }));
      for (const opened of await Promise.all(starts)) await opened.close();
    }
  });

  test('a database that is up to date is opened while another process holds the lock of migrations', async () => {
    const holding = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const other = database.transaction(async (transaction) => {
      await lock(transaction, 'migration');
      held.resolve();
      await holding.promise;
    });
    await held.promise;
    const opened = await Promise.race([started({}), sleep(5_000, 'it waited')]);
    holding.resolve();
    await other;
    assert.notEqual(opened, 'it waited');
    if (typeof opened !== 'string') await opened.close();
  });
});

test('a slow step of the start logs its cause at intervals, until it has finished', async () => {
  const lines: { waitsFor: string; msg: string }[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  assert.equal(await logWhileSlow(logger, 'nothing', async () => 'at once', 10), 'at once');
  assert.deepEqual(lines, []);
  await assert.rejects(
    logWhileSlow(
      logger,
      'the database',
      async () => {
        while (lines.length < 2) await sleep(5);
        throw new Error('it ended');
      },
      10,
    ),
    /it ended/,
  );
  const reported = lines.length;
  await sleep(50);
  assert.equal(lines.length, reported);
  assert.deepEqual(
    new Set(lines.map(({ waitsFor, msg }) => `${msg}: ${waitsFor}`)),
    new Set(['the start waits: the database']),
  );
});
