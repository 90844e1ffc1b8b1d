/** pg-boss's tables as this project's own SQL uses them: a new version that changes them fails here. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { migrate } from '../../src/database/migrations.ts';
import { openPglite } from '../../src/database/pglite.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { JobQueue } from '../../src/jobs/queue/queue.ts';
import { QUEUE_NAME, QUEUE_SCHEMA, selectActiveEntries } from '../../src/jobs/queue/queue-tables.ts';
import { seedCluster } from '../support/cluster.ts';
import { temporaryDirectory } from '../support/jobs.ts';
import { postgresMissing, startMigrated } from '../support/postgres.ts';
import { waitFor } from '../support/processes.ts';
import { deleteEntries, insertEntriesSql, selectEntries, waitingEntries } from '../support/queue-entries.ts';

const SILENT = pino({ level: 'silent' });

/** Raised with pg-boss, after its migrations were read. */
const KNOWN_SCHEMA_VERSION = 43;

type Opened = AsyncDisposable & { readonly database: QueueDatabase };

async function embedded(): Promise<Opened> {
  const directory = temporaryDirectory();
  await seedCluster(directory.path);
  const database = await openPglite(directory.path);
  await migrate(database);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      directory[Symbol.dispose]();
    },
  };
}

function contract(open: () => Promise<Opened>): void {
  let opened: Opened;
  let database: QueueDatabase;
  let queue: JobQueue;
  before(async () => {
    opened = await open();
    database = opened.database;
    queue = new JobQueue(database, SILENT);
    await queue.start();
  });
  after(async () => {
    await queue?.stop();
    await opened?.[Symbol.asyncDispose]();
  });

  test('have the version and the states that the statements were written for', async () => {
    const [found] = await database.query<{ version: number }>(`select version from ${QUEUE_SCHEMA}.version`);
    assert.equal(found!.version, KNOWN_SCHEMA_VERSION);
    const states = await database.query<{ state: string }>(
      `select unnest(enum_range(null::${QUEUE_SCHEMA}.job_state))::text as state`,
    );
    assert.deepEqual(
      states.map(({ state }) => state),
      ['created', 'retry', 'active', 'completed', 'cancelled', 'failed'],
    );
  });

  test('hold an entry as active from its delivery to its end, and no longer', async () => {
    const id = newId();
    const gate = Promise.withResolvers<void>();
    await database.transaction((transaction) => queue.add(transaction, [{ id, priority: 50, turn: 0 }]));
    assert.deepEqual(await selectActiveEntries(database), []);
    assert.deepEqual(await waitingEntries(database), [id]);
    await queue.work(1, () => gate.promise);
    await waitFor('the delivery', async () => (await selectActiveEntries(database)).includes(id));
    assert.deepEqual(await waitingEntries(database), []);
    gate.resolve();
    await waitFor('the end', async () => (await selectEntries(database))[0]?.state === 'completed');
    assert.deepEqual(await selectActiveEntries(database), []);
    await queue.stopWork();
    await deleteEntries(database);
    assert.deepEqual(await selectEntries(database), []);
  });

  test('accept entries inserted by SQL, which a worker then gets', async () => {
    const sql = insertEntriesSql(`('00000003-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`);
    await database.query(sql, [1, 4]);
    const expected = [1, 2, 3].map((n) => `00000003-0000-7000-8000-${String(n).padStart(12, '0')}`);
    assert.deepEqual(await waitingEntries(database), expected);
    const ids: string[] = [];
    await queue.work(1, async (id) => void ids.push(id));
    await waitFor(`the entries of ${QUEUE_NAME}`, () => ids.length === 3);
    assert.deepEqual(ids, expected);
    await queue.stopWork();
  });
}

describe('the tables of pg-boss on PGlite', () => contract(embedded));
describe('the tables of pg-boss on PostgreSQL', { skip: postgresMissing() ?? false }, () =>
  contract(startMigrated),
);
