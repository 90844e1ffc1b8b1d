import type { Queryable } from './database.ts';

/**
 * Settings that all processes on one database share, stored in the database as text by name. Their owners compare them with the
 * process's own settings and decide what to do when they differ.
 */
export const DATABASE_ID = 'database_id';

/** Null if not decided yet. `DATABASE_ID` exists from the first migration with this table. */
export async function sharedSetting(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ value: string }>('select value from shared_settings where name = $1', [
    name,
  ]);
  return row?.value ?? null;
}

/** Returns the shared value: `value` if none has been decided before, else the earlier one. */
export async function agreeOn(db: Queryable, name: string, value: string): Promise<string> {
  await db.query('insert into shared_settings (name, value) values ($1, $2) on conflict (name) do nothing', [
    name,
    value,
  ]);
  // A row that another process inserted at the same moment is committed by now: the conflict waited for it.
  return (await sharedSetting(db, name)) ?? value;
}

/** Overwrites the value. Running processes continue with the value that they read at their start. */
export async function decideShared(db: Queryable, name: string, value: string): Promise<void> {
  await db.query(
    `insert into shared_settings (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value, decided_at = now()`,
    [name, value],
  );
}
