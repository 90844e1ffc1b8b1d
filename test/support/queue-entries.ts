/** SQL of tests and benchmarks on pg-boss's own tables. `test/jobs/queue-tables.test.ts` fails when a new version changes them. */
import type { Queryable } from '../../src/database/database.ts';
import { QUEUE_NAME, QUEUE_SCHEMA } from '../../src/jobs/queue/queue-tables.ts';

/** The table of entries. */
export const QUEUE_TABLE = `${QUEUE_SCHEMA}.job`;

/** pg-boss's enum `job_state`, in its order. */
export type EntryState = 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';

export interface QueueEntry {
  readonly id: string;
  readonly state: EntryState;
  readonly priority: number;
}

/** The `from` and `where` of entries that have not ended. */
export const FROM_OPEN_ENTRIES = `from ${QUEUE_TABLE}
  where name = '${QUEUE_NAME}' and state in ('created', 'retry', 'active')`;

/** Adds the entries `n` = $1 to $2 − 1 of jobs whose id is the SQL expression `id` of `n`. */
export function insertEntriesSql(id: string): string {
  return `insert into ${QUEUE_TABLE} (id, name, priority, created_on, state)
    select ${id}, '${QUEUE_NAME}', 50 * 20000000 - n / 1000, now() - interval '1 hour' + n * interval '1 ms', 'created'
    from generate_series($1::integer, $2::integer - 1) as n`;
}

/** All entries, in the order in which they are delivered. */
export async function selectEntries(db: Queryable): Promise<QueueEntry[]> {
  const rows = await db.query<{ id: string; state: EntryState; priority: number }>(
    `select id, state, priority from ${QUEUE_TABLE} where name = $1 order by priority desc, created_on, id`,
    [QUEUE_NAME],
  );
  return rows;
}

/** The ids of entries that wait for a worker, in the order in which they are delivered. */
export async function waitingEntries(db: Queryable): Promise<string[]> {
  const entries = await selectEntries(db);
  return entries.filter(({ state }) => state === 'created' || state === 'retry').map(({ id }) => id);
}

/** As pg-boss marks an entry that a worker took, or has ended. */
export async function markEntry(db: Queryable, id: string, state: 'active' | 'completed'): Promise<void> {
  const time = state === 'active' ? 'started_on' : 'completed_on';
  await db.query(
    `update ${QUEUE_TABLE} set state = $2::${QUEUE_SCHEMA}.job_state, ${time} = now() where id = $1`,
    [id, state],
  );
}

/** No error before pg-boss has made its tables. */
export async function deleteEntries(db: Queryable): Promise<void> {
  const [found] = await db.query<{ table: string | null }>(`select to_regclass('${QUEUE_TABLE}') as table`);
  if (found!.table !== null) await db.query(`delete from ${QUEUE_TABLE}`);
}
