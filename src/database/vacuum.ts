import type { Database, Row } from './database.ts';

interface TableSize extends Row {
  readonly name: string;
}

/**
 * The tables that PostgreSQL's autovacuum would vacuum now; its own thresholds (PostgreSQL documentation, "The
 * Autovacuum Daemon"): a fifth of the rows and fifty dead, or a fifth and a thousand inserted.
 */
const DUE_TABLES = `
  select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
  where n_dead_tup > 50 + 0.2 * n_live_tup or n_ins_since_vacuum > 1000 + 0.2 * n_live_tup`;

/**
 * Does what autovacuum does, for the embedded database, which has no processes of its own: without it, rows that were
 * changed or deleted take room for ever, and counting reads every row. Returns the tables it vacuumed.
 */
export async function vacuumEmbedded(database: Database): Promise<string[]> {
  if (database.kind !== 'pglite') return [];
  // Counts are kept back for up to a second otherwise.
  await database.query('select pg_stat_force_next_flush()');
  const tables = await database.query<TableSize>(DUE_TABLES);
  // One statement each: other statements may run in between.
  for (const { name } of tables) await database.query(`vacuum (analyze) ${name}`);
  return tables.map(({ name }) => name);
}
