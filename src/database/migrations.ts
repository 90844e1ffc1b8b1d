import type { Database, Queryable } from './database.ts';
import { lock } from './locks.ts';
import { MIGRATIONS, type Migration } from './schema.ts';

/**
 * Brings the tables up to date: forward only, each migration once, in one transaction each, under an advisory lock,
 * so that two services may start at once. Returns the numbers it applied. Throws when the database was migrated by
 * a newer version.
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<number[]> {
  const applied: number[] = [];
  for (;;) {
    const number = await database.transaction((transaction) => applyNext(transaction, migrations), {
      isLong: true,
    });
    if (number === null) return applied;
    applied.push(number);
  }
}

async function applyNext(transaction: Queryable, migrations: readonly Migration[]): Promise<number | null> {
  await lock(transaction, 'migration');
  await transaction.query(
    'create table if not exists migrations (number integer primary key, applied_at timestamptz not null default now())',
  );
  const [row] = await transaction.query<{ last: number | null }>(
    'select max(number) as last from migrations',
  );
  const last = row?.last ?? 0;
  if (last > migrations.length) {
    throw new Error(
      `The database is at migration ${last}, this version knows ${migrations.length}: it was used by a newer version.`,
    );
  }
  const migration = migrations[last];
  if (migration === undefined) return null;
  for (const statement of statementsOf(migration)) await transaction.query(statement);
  await transaction.query('insert into migrations (number) values ($1)', [last + 1]);
  return last + 1;
}

function statementsOf(migration: Migration): readonly string[] {
  if (typeof migration !== 'string') return migration;
  return migration.split(';').filter((text) => text.trim() !== '');
}
