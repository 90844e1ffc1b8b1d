import { ConfigError } from '../domain/errors.ts';
import { type Database, LARGE_TABLES, type Queryable } from './database.ts';
import { lock } from './locks.ts';
import { MIGRATIONS, type Migration } from './schema.ts';
import { sharedSetting } from './shared-settings.ts';

/**
 * The shared setting with the number of migrations that a process must know to work on this database;
 * missing: any. A migration that removes parts that earlier versions use sets it.
 */
export const MIN_KNOWN_MIGRATIONS = 'least_known_migrations';

/**
 * Applies missing migrations: forward only, each once and in its own transaction, under an advisory lock, so
 * that two services may start at once. Returns the applied numbers; none when the database is of a newer
 * version. Throws `ConfigError` when that version has removed parts that this one uses.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number[]> {
  const applied: number[] = [];
  // Most starts find no missing migration and need no lock.
  if ((await hasMigrations(database)) && (await lastApplied(database)) === migrations.length) return applied;
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
  if (!(await hasMigrations(transaction))) {
    await transaction.query(
      'create table migrations (number integer primary key, applied_at timestamptz not null default now())',
    );
  }
  const last = await lastApplied(transaction);
  if (last > migrations.length) await assertSupported(transaction, last, migrations.length);
  const migration = migrations[last];
  if (migration === undefined) return null;
  for (const statement of statementsOf(migration)) await transaction.query(statement);
  await transaction.query('insert into migrations (number) values ($1)', [last + 1]);
  return last + 1;
}

/**
 * For a process that must not change the tables. Throws `ConfigError` when they are behind, or too far ahead.
 */
export async function assertMigrated(
  database: Queryable,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<void> {
  const last = (await hasMigrations(database)) ? await lastApplied(database) : 0;
  if (last < migrations.length) {
    throw new ConfigError(
      `The database is at migration ${last}, this version needs ${migrations.length}, and MIGRATE_AT_START is off. Run "styledna migrate".`,
    );
  }
  if (last > migrations.length) await assertSupported(database, last, migrations.length);
}

/**
 * Reads the catalog instead of `to_regclass`: a connection caches the absence of a table, also after it
 * waited for the lock.
 */
async function hasMigrations(db: Queryable): Promise<boolean> {
  const rows = await db.query(
    `select from pg_tables where tablename = 'migrations' and schemaname = any (current_schemas(false))`,
  );
  return rows.length > 0;
}

async function lastApplied(db: Queryable): Promise<number> {
  const [row] = await db.query<{ last: number | null }>('select max(number) as last from migrations');
  return row?.last ?? 0;
}

/** Checks a database of a newer version: its additions do not matter, its removals do. */
async function assertSupported(db: Queryable, last: number, known: number): Promise<void> {
  const least = Number((await sharedSetting(db, MIN_KNOWN_MIGRATIONS)) ?? 0);
  if (known >= least) return;
  throw new ConfigError(
    `The database is at migration ${last}, this version knows ${known}, and a newer version requires at least ${least}. Start the newer version.`,
  );
}

function statementsOf(migration: Migration): readonly string[] {
  if (typeof migration !== 'string') return migration;
  return migration.split(';').filter((text) => text.trim() !== '');
}
