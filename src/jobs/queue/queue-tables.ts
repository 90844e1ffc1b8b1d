import type { Queryable } from '../../database/database.ts';

/** The schema of pg-boss's tables. */
export const QUEUE_SCHEMA = 'queue';

/** pg-boss's name of the only queue. */
export const QUEUE_NAME = 'jobs';

/**
 * The ids of all entries that workers hold. pg-boss has no call for it, so this statement reads its table;
 * `test/jobs/queue-tables.test.ts` fails when a new version of pg-boss changes that table.
 */
export async function selectActiveEntries(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from ${QUEUE_SCHEMA}.job where name = $1 and state = 'active'`,
    [QUEUE_NAME],
  );
  return rows.map(({ id }) => id);
}
