import type { Database, Row } from './database.ts';

interface TableSize extends Row {
  readonly name: string;
}

/**
 * Tables that are due for PostgreSQL's autovacuum, by its default thresholds. These are a fifth of the rows
 * and fifty dead, or a fifth and a thousand inserted (PostgreSQL documentation, "The Autovacuum Daemon").
 */
const DUE_TABLES = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup or n_ins_since_vacuum > 1000 + 0.2 * n_live_tup`;

/**
 * Replaces autovacuum for the embedded database, which has no background processes: without it, changed and
 * deleted rows use space forever, and counting reads every row. Returns the vacuumed tables.
 */
export async function vacuumEmbedded(database: Database): Promise<string[]> {
  if (database.kind !== 'pglite') return [];
  // Otherwise counts are delayed by up to a second.
  await database.query('select pg_stat_force_next_flush()');
  const tables = await database.query<TableSize>(DUE_TABLES);
  // One statement each: other statements may run in between.
  for (const { name } of tables) await database.query(`vacuum (analyze) ${name}`);
  return tables.map(({ name }) => name);
}
