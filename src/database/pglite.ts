import { PREPARED_DATABASE } from '../package/package-files.ts';
import type { Queryable, Row } from './database.ts';
import { lockDirectory } from './directory-lock.ts';
import { withDatabaseFailures } from './failures.ts';
import type { TransactionNumber } from './postgres-calls.ts';
import { claimClient, type PostgresClient } from './postgres-client.ts';
import type { QueueDatabase } from './queue-database.ts';
import { TransactionHandle } from './transaction-handle.ts';

/**
 * PostgreSQL inside this process, on its own thread, with its files under `directory`, which it locks. Every
 * commit is on the disk when it resolves. There is one connection: statements and transactions run one after
 * the other. Inside a transaction use its own handle only; anything else waits forever.
 *
 * `prepared`: file from which a new database of the same version is made; null: none. Throws
 * `DirectoryLockedError` if another process holds the directory.
 */
export async function openPglite(
  directory: string,
  prepared: string | null = PREPARED_DATABASE,
): Promise<QueueDatabase> {
  const lock = lockDirectory(directory);
  const client = claimClient();
  try {
    // Read while the cluster opens.
    const [{ fromPglite }] = await Promise.all([import('pg-boss'), client.call('open', directory, prepared)]);
    return embeddedDatabase(client, fromPglite, async () => {
      await client.call('close');
      await client.terminate();
      lock[Symbol.dispose]();
    });
  } catch (error) {
    await client.terminate();
    lock[Symbol.dispose]();
    throw error;
  }
}

function embeddedDatabase(
  client: PostgresClient,
  fromPglite: typeof import('pg-boss').fromPglite,
  close: () => Promise<void>,
): QueueDatabase {
  const single = queryable(client, null);
  const listen = client.listen.bind(client);
  return {
    kind: 'pglite',
    query: single.query,
    transaction: (work) => withDatabaseFailures(() => transaction(client, work)),
    listen,
    check: async () => {
      await single.query('select 1');
    },
    close,
    queue: {
      backend: 'pglite',
      db: fromPglite({
        query: (sql: string, parameters: readonly unknown[] = []) =>
          client.call('query', sql, parameters, null),
        exec: (sql: string) => client.call('exec', sql),
        listen,
      } as Parameters<typeof fromPglite>[0]),
    },
  };
}

async function transaction<T>(client: PostgresClient, work: (handle: Queryable) => Promise<T>): Promise<T> {
  const number = client.newTransaction();
  const handle = new TransactionHandle(queryable(client, number), { queues: true });
  try {
    const result = await work(handle).finally(() => handle.end());
    await client.call('end', number, 'commit');
    return result;
  } catch (error) {
    // After a failed COMMIT there is no transaction to roll back, and this does nothing.
    await client.call('end', number, 'rollback').catch(() => {});
    throw error;
  }
}

function queryable(client: PostgresClient, number: TransactionNumber): Queryable {
  return {
    query: <R extends Row>(sql: string, parameters: readonly unknown[] = []) =>
      withDatabaseFailures(async () => (await client.call('query', sql, parameters, number)).rows as R[]),
  };
}
