import type { Queryable } from './database.ts';

/** Clocks of several processes do not tick together: who comes a little early may go ahead. */
const EARLY = 0.9;

/**
 * Whether this process shall do now what one of all processes on a database does every so often: whoever asks first when it is
 * due. Its work may overlap with that of one whose turn lasted longer than the interval, so it must bear being done twice.
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
