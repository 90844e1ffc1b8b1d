import type { Queryable } from './database.ts';

/** Tolerance for the clocks of several processes. */
const CLOCK_TOLERANCE = 0.9;

/**
 * Whether this process must do a periodic task that one process on the database does: the first to call when
 * the task is due. The work may overlap with a run that exceeds the interval, so it must be idempotent.
 */
export async function claimTurn(db: Queryable, name: string, intervalMs: number): Promise<boolean> {
  const rows = await db.query(
    `insert into maintenance (name, begun_at) values ($1, clock_timestamp())
     on conflict (name) do update set begun_at = excluded.begun_at
       where maintenance.begun_at <= excluded.begun_at - $2::double precision * interval '1 millisecond'
     returning name`,
    [name, intervalMs * CLOCK_TOLERANCE],
  );
  return rows.length > 0;
}
