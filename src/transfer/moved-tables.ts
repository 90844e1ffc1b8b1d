/** The exported tables, the format of their rows, and their comparison. */
import { createHash } from 'node:crypto';
import type { Queryable, Row } from '../database/database.ts';

/** Ordered by references: a row follows the rows that it refers to. */
export const MOVED_TABLES = [
  'videos',
  'imports',
  'styles',
  'jobs',
  'job_videos',
  'idempotency_keys',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_secrets',
] as const;
export type MovedTable = (typeof MOVED_TABLES)[number];

/** Tables that are not exported, with the reason. */
export const SKIPPED_TABLES: Readonly<Record<string, string>> = {
  migrations: 'the target has its own migrations',
  job_parts: 'a continued job plans its parts again',
  maintenance: 'times of periodic tasks have no meaning in the target',
  uploads: 'open resumable uploads are not exported and start again',
  workers: 'the running processes',
  job_counts: 'triggers count the jobs as they are inserted',
  video_counts: 'triggers count the videos as they are inserted',
  shared_settings:
    'the id of the database, which is also in its storage; other settings are exported by name',
};

/** Shared settings that an operator has set. */
export const MOVED_SETTINGS = ['webhook_allowed_networks', 'queue_paused_since'] as const;

/** A row as text, column by column: exact for every type, and `json` keeps its bytes. */
export type TextRow = readonly (string | null)[];

export interface Column {
  readonly name: string;
  /** In PostgreSQL's notation. */
  readonly type: string;
}

export async function columnsOf(db: Queryable, table: MovedTable): Promise<Column[]> {
  const rows = await db.query<Row & Column>(
    `select attname::text as name, format_type(atttypid, atttypmod) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attname::text collate "C"`,
    [table],
  );
  return rows.map(({ name, type }) => ({ name, type }));
}

export async function countRows(db: Queryable, table: MovedTable): Promise<number> {
  const [row] = await db.query<{ rows: number }>(`select count(*) as rows from ${table}`);
  return row!.rows;
}

const BATCH = 500;

/** All rows of a table, in batches. Requires a transaction. */
export async function* readRows(
  transaction: Queryable,
  table: MovedTable,
  columns: readonly Column[],
): AsyncGenerator<readonly TextRow[]> {
  const texts = columns.map(({ name }) => `${name}::text`).join(', ');
  await transaction.query(
    `declare ${table}_moved no scroll cursor for select array[${texts}] as fields from ${table}`,
  );
  for (;;) {
    const rows = await transaction.query<{ fields: TextRow }>(`fetch ${BATCH} from ${table}_moved`);
    if (rows.length > 0) yield rows.map(({ fields }) => fields);
    if (rows.length < BATCH) break;
  }
  await transaction.query(`close ${table}_moved`);
}

export async function insertRows(
  transaction: Queryable,
  table: MovedTable,
  columns: readonly Column[],
  rows: readonly TextRow[],
): Promise<void> {
  const names = columns.map(({ name }) => name).join(', ');
  const places = columns.map((_column, index) => `$${index + 1}::text[]`).join(', ');
  const values = columns.map(({ type }, index) => `c${index}::${type}`).join(', ');
  const aliases = columns.map((_column, index) => `c${index}`).join(', ');
  await transaction.query(
    `insert into ${table} (${names}) select ${values} from unnest(${places}) as new (${aliases})`,
    columns.map((_column, index) => rows.map((row) => row[index] ?? null)),
  );
}

const MODULUS = 2n ** 256n;

/** Digest of rows independent of their order, which differs between databases: the sum of their SHA-256. */
export class RowDigest {
  #sum = 0n;
  #rows = 0;

  add(rows: readonly TextRow[]): void {
    for (const row of rows) {
      const digest = createHash('sha256').update(JSON.stringify(row)).digest('hex');
      this.#sum = (this.#sum + BigInt(`0x${digest}`)) % MODULUS;
    }
    this.#rows += rows.length;
  }

  get rows(): number {
    return this.#rows;
  }

  /** 64 hexadecimal digits. */
  get digest(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
