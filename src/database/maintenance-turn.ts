import type { Queryable } from './database.ts';

/** Tolerance for the clocks of several processes. */
const EARLY = 0.9;

/**
 * Whether this process must do a periodic task now that one process of all on the database does: the first that calls when it is due.
 * The work may overlap with a run that took longer than the interval, so it must be idempotent.
 */
export async function takeTurn(db: Queryable, name: string, intervalMs: number): Promise<boolean> {
  const rows = await db.query(
    `insert into maintenance (name, begun_at) values ($1, clock_timestamp())
     on conflict (name) do update set begun_at = excluded.begun_at
       where maintenance.begun_at <= excluded.begun_at - $2::double precision * interval '1 millisecond'
     returning name`,
    [name, intervalMs * EARLY],
  );
  return rows.length > 0;
}
