import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../src/database/database.ts';
import { MIN_KNOWN_MIGRATIONS, migrate } from '../../src/database/migrations.ts';
import { openPglite } from '../../src/database/pglite.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { MIGRATIONS } from '../../src/database/schema.ts';
import { decideShared } from '../../src/database/shared-settings.ts';
import { vacuumEmbedded } from '../../src/database/vacuum.ts';
import { isFailure } from '../../src/domain/errors.ts';
import { seedCluster } from '../support/cluster.ts';
import { temporaryDirectory } from '../support/jobs.ts';
import { type PostgresServer, postgresMissing, startPostgres } from '../support/postgres.ts';

interface Place extends AsyncDisposable {
  readonly database: QueueDatabase;
}

async function pglitePlace(): Promise<Place> {
  const directory = temporaryDirectory();
  const database = await openPglite(directory.path, null);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      directory[Symbol.dispose]();
    },
  };
}

async function postgresPlace(): Promise<Place> {
  const server = await startPostgres();
  const database = await openPostgres(server.url);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

function contract(open: () => Promise<Place>): void {
  let place: Place;
  let database: QueueDatabase;
  before(async () => {
    place = await open();
    database = place.database;
  });
  after(() => place?.[Symbol.asyncDispose]());

  test('values have the types of the contract', async () => {
    const time = new Date('2026-02-03T04:05:06.789Z');
    const rows = await database.query(
      `select $1::bigint as big, $2::timestamptz(3) as time, $3::json as json, $4::text as text,
         count(*) as count, null as nothing, $5::double precision as number from (values (1), (2)) as two`,
      [2 ** 40, time, JSON.stringify({ a: ['\u0000', 1] }), 'é\n$1', 0.1],
    );
    assert.deepEqual(rows, [
      {
        big: 2 ** 40,
        time,
        json: { a: ['\u0000', 1] },
        text: 'é\n$1',
        count: 2,
        nothing: null,
        number: 0.1,
      },
    ]);
  });

  test('a transaction commits whole', async () => {
    await database.query('create table pairs (number integer)');
    const result = await database.transaction(async (transaction) => {
      await transaction.query('insert into pairs values (1)');
      await transaction.query('insert into pairs values (2)');
      return 'done';
    });
    assert.equal(result, 'done');
    assert.equal((await database.query('select * from pairs')).length, 2);
  });

  test('a transaction that throws leaves nothing, and the connection works on', async () => {
    const thrown = new Error('no');
    const work = database.transaction(async (transaction) => {
      await transaction.query('insert into pairs values (3)');
      throw thrown;
    });
    await assert.rejects(work, thrown);
    await assert.rejects(database.transaction((transaction) => transaction.query('select nonsense')));
    assert.equal((await database.query('select * from pairs where number = 3')).length, 0);
  });

  test('statements of a transaction need not be waited for one by one: they run in order', async () => {
    const [, rows] = await database.transaction((transaction) =>
      Promise.all([
        transaction.query('insert into pairs values (4)'),
        transaction.query('select number from pairs where number = 4'),
        transaction.query('insert into pairs values (5)'),
      ]),
    );
    assert.deepEqual(rows, [{ number: 4 }]);
    assert.equal((await database.query('select * from pairs where number in (4, 5)')).length, 2);
  });

  test('after a failed statement nothing is stored, and its error is thrown', async () => {
    const work = database.transaction((transaction) =>
      Promise.all([
        transaction.query('insert into pairs values (6)'),
        transaction.query('select nonsense'),
        transaction.query('insert into pairs values (7)'),
      ]),
    );
    await assert.rejects(work, /nonsense/);
    assert.deepEqual(await database.query('select * from pairs where number in (6, 7)'), []);
  });

  test('a statement after the end of its transaction is refused and not stored', async () => {
    const handles: Queryable[] = [];
    await database.transaction(async (transaction) => {
      handles.push(transaction);
      await transaction.query('select 1');
    });
    const broken = database.transaction(async (transaction) => {
      handles.push(transaction);
      throw new Error('no');
    });
    await assert.rejects(broken, /no/);
    for (const handle of handles)
      await assert.rejects(handle.query('insert into pairs values (8)'), /has ended/);
    assert.deepEqual(await database.query('select * from pairs where number = 8'), []);
  });

  test('an error in a statement is not reported as a database failure', async () => {
    await assert.rejects(database.query('select nonsense'), (error) => !isFailure(error));
  });

  test('a notification arrives at the commit, and not after a rollback', async () => {
    const heard: string[] = [];
    const stop = await database.listen('things', (payload) => heard.push(payload));
    await database.query(`select pg_notify('things', 'alone')`);
    await database.transaction((transaction) => transaction.query(`select pg_notify('things', 'within')`));
    await database
      .transaction(async (transaction) => {
        await transaction.query(`select pg_notify('things', 'undone')`);
        throw new Error('undo');
      })
      .catch(() => {});
    await sleep(50);
    await stop();
    await stop();
    await database.query(`select pg_notify('things', 'late')`);
    await sleep(50);
    assert.deepEqual(heard, ['alone', 'within']);
  });

  test('migrations run once, even when two services start at once', async () => {
    const lists = await Promise.all([migrate(database), migrate(database)]);
    assert.deepEqual(
      lists.flat().sort((a, b) => a - b),
      MIGRATIONS.map((_, index) => index + 1),
    );
    assert.deepEqual(await migrate(database), []);
  });

  test('a migration that fails leaves the last good state', async () => {
    const known = [...MIGRATIONS, 'create table added (number integer); select nonsense'];
    await assert.rejects(migrate(database, known));
    const [state] = await database.query('select max(number) as last from migrations');
    assert.deepEqual(state, { last: MIGRATIONS.length });
    assert.deepEqual(await database.query(`select to_regclass('added') as added`), [{ added: null }]);
  });

  test('a newer database can be used unless it has removed parts that this version uses', async () => {
    const known = MIGRATIONS.slice(0, -1);
    assert.deepEqual(await migrate(database, known), []);
    await decideShared(database, MIN_KNOWN_MIGRATIONS, String(known.length));
    assert.deepEqual(await migrate(database, known), []);
    await decideShared(database, MIN_KNOWN_MIGRATIONS, String(MIGRATIONS.length));
    await assert.rejects(migrate(database, known), /newer version/);
    await database.query('delete from shared_settings where name = $1', [MIN_KNOWN_MIGRATIONS]);
  });

  test('it answers its check', () => database.check());
}

describe('embedded PostgreSQL', () => contract(pglitePlace));

test('the embedded database vacuums tables with many dead rows, once', async () => {
  using directory = temporaryDirectory();
  await seedCluster(directory.path);
  const database = await openPglite(directory.path);
  await vacuumEmbedded(database);
  await database.query('create table busy as select number from generate_series(1, 3000) as number');
  await database.query('create table quiet as select number from generate_series(1, 10) as number');
  await database.query('delete from busy where number > 1000');
  assert.deepEqual(await vacuumEmbedded(database), ['public.busy']);
  assert.deepEqual(await vacuumEmbedded(database), []);
  await database.close();
});

test('a closed embedded database reports that it is closed', async () => {
  using directory = temporaryDirectory();
  await seedCluster(directory.path);
  const database = await openPglite(directory.path);
  await database.close();
  await assert.rejects(database.check(), /has ended/);
});

test('a database that fails to open releases its directory', async () => {
  using directory = temporaryDirectory();
  await seedCluster(directory.path);
  rmSync(join(directory.path, 'cluster/global/pg_control'));
  await assert.rejects(openPglite(directory.path));
  rmSync(directory.path, { recursive: true });
  await (await openPglite(directory.path)).close();
});

const missing = postgresMissing();
describe('a PostgreSQL server', { skip: missing ?? false }, () => contract(postgresPlace));

describe('a PostgreSQL server that becomes unavailable', { skip: missing ?? false }, () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server?.[Symbol.asyncDispose]());

  test('is a SERVICE_UNAVAILABLE during the outage, and everything works afterwards', async () => {
    const database = await openPostgres(server.url);
    const heard: string[] = [];
    await database.listen('things', (payload) => heard.push(payload));
    const within = database.transaction(async (transaction) => {
      await transaction.query('select 1');
      await server.stop();
      await transaction.query('select 1');
    });
    await assert.rejects(within, (error) => isFailure(error, 'SERVICE_UNAVAILABLE'));
    await assert.rejects(database.check(), (error) => isFailure(error, 'SERVICE_UNAVAILABLE'));
    await server.start();
    await database.check();
    const deadlineMs = performance.now() + 8_000;
    while (heard.length === 0 && performance.now() < deadlineMs) {
      await database.query(`select pg_notify('things', 'again')`);
      await sleep(100);
    }
    assert.equal(heard[0], 'again');
    await database.close();
  });
});

describe('a PostgreSQL server that falls silent', { skip: missing ?? false }, () => {
  test('is a SERVICE_UNAVAILABLE after some seconds, in a transaction too, and works again after it', async () => {
    await using server = await startPostgres();
    const database = await openPostgres(server.url);
    await database.check();
    const thaw = server.freeze();
    const away = (error: unknown) => isFailure(error, 'SERVICE_UNAVAILABLE');
    const startedMs = performance.now();
    try {
      await Promise.all([
        assert.rejects(database.check(), away),
        assert.rejects(
          database.transaction((transaction) => transaction.query('select 1')),
          away,
        ),
      ]);
      assert.ok(performance.now() - startedMs < 20_000);
    } finally {
      thaw();
    }
    await database.check();
    await database.close();
  });
});

test('a server that was never there is a SERVICE_UNAVAILABLE', async () => {
  const database = await openPostgres('postgres://postgres@127.0.0.1:1/postgres');
  await assert.rejects(database.check(), (error) => isFailure(error, 'SERVICE_UNAVAILABLE'));
  await database.close();
});
