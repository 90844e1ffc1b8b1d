import { ConfigError } from '../domain/errors.ts';
import { type Database, LARGE_TABLES, type Queryable } from './database.ts';
import { lock } from './locks.ts';
import { MIGRATIONS, type Migration } from './schema.ts';
import { sharedSetting } from './shared-settings.ts';

/**
 * The shared setting that says how many migrations a process must know to work on this database; left out: none in
 * particular. A migration that takes away what earlier versions use sets it.
 */
export const MIN_KNOWN_MIGRATIONS = 'least_known_migrations';

/**
 * Brings the tables up to date: forward only, each migration once, in one transaction each, under an advisory lock,
 * so that two services may start at once. Returns the numbers it applied; none when a newer version has gone further.
 * Throws `ConfigError` when that has taken away what this version uses.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number[]> {
  const applied: number[] = [];
  // Most starts find nothing to do: they wait for nobody.
  if ((await isPrepared(database)) && (await lastApplied(database)) === migrations.length) return applied;
  for (;;) {
    const number = await database.transaction(
      (transaction) => applyNext(transaction, migrations),
      LARGE_TABLES,
    );
    if (number === null) return applied;
    applied.push(number);
  }
}

async function applyNext(transaction: Queryable, migrations: readonly Migration[]): Promise<number | null> {
  await lock(transaction, 'migration');
  if (!(await isPrepared(transaction))) {
    await transaction.query(
      'create table migrations (number integer primary key, applied_at timestamptz not null default now())',
    );
  }
  const last = await lastApplied(transaction);
  if (last > migrations.length) await assertServed(transaction, last, migrations.length);
  const migration = migrations[last];
  if (migration === undefined) return null;
  for (const statement of statementsOf(migration)) await transaction.query(statement);
  await transaction.query('insert into migrations (number) values ($1)', [last + 1]);
  return last + 1;
}

/** For a process that shall leave the tables as they are. Throws `ConfigError` when they are behind, or too far ahead. */
export async function assertMigrated(
  database: Queryable,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const last = (await isPrepared(database)) ? await lastApplied(database) : 0;
  if (last < migrations.length) {
    throw new ConfigError(
      `The database is at migration ${last}, this version needs ${migrations.length}, and MIGRATE_AT_START is off. Run: styledna migrate`,
    );
  }
  if (last > migrations.length) await assertServed(database, last, migrations.length);
}

/** Asked of the catalogue, not by `to_regclass`: a connection remembers what was not there, also after it waited for the lock. */
async function isPrepared(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    `select from pg_tables where tablename = 'migrations' and schemaname = any (current_schemas(false))`,
  );
  return rows.length > 0;
}

async function lastApplied(db: Queryable): Promise<number> {
  const [row] = await db.query<{ last: number | null }>('select max(number) as last from migrations');
  return row?.last ?? 0;
}

/** A newer version has gone further: what it added does not concern us, what it took away does. */
async function assertServed(db: Queryable, last: number, known: number): Promise<void> {
  const least = Number((await sharedSetting(db, MIN_KNOWN_MIGRATIONS)) ?? 0);
  if (known >= least) return;
  throw new ConfigError(
    `The database is at migration ${last}, this version knows ${known}, and a newer version needs ${least} to be known: start that one.`,
  );
}

function statementsOf(migration: Migration): readonly string[] {
  if (typeof migration !== 'string') return migration;
  return migration.split(';').filter((text) => text.trim() !== '');
}
