import type { Queryable } from './database.ts';

/**
 * Settings that all processes on one database share, whatever each was started with: kept in the database itself, as
 * text, by name. Comparing a process's own setting with the kept one, and what to do when they differ, is its owner's
 * business.
 */
export const DATABASE_ID = 'database_id';

/** Null when nobody has decided it yet. `DATABASE_ID` is there from the first migration that knew this table. */
export async function sharedSetting(db: Queryable, name: string): Promise<string | null> {
  const [row] = await db.query<{ value: string }>('select value from shared_settings where name = $1', [
    name,
  ]);
  return row?.value ?? null;
}

/** The value that all processes share: the one given here if nobody has decided before, else the earlier one. */
export async function agreeOn(db: Queryable, name: string, value: string): Promise<string> {
  await db.query('insert into shared_settings (name, value) values ($1, $2) on conflict (name) do nothing', [
    name,
    value,
  ]);
  // A row that another process inserted at the same moment is committed by now: the conflict waited for it.
  return (await sharedSetting(db, name)) ?? value;
}

/** Decides it anew, on purpose. Processes that run already go on with what they read at their start. */
export async function decideShared(db: Queryable, name: string, value: string): Promise<void> {
  await db.query(
    `insert into shared_settings (name, value) values ($1, $2)
     on conflict (name) do update set value = excluded.value, decided_at = now()`,
    [name, value],
  );
}
