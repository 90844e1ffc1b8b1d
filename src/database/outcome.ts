import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { Failure } from '../domain/errors.ts';

/** Identifies a running transaction in PostgreSQL. */
export interface TransactionIdentity {
  /** xid8, as text. */
  readonly xid: string;
  /** The server process that runs it. */
  readonly pid: number;
}

/**
 * The COMMIT was sent and its outcome is unknown. Nothing may be deleted, repeated or undone because of it.
 * Callers that must continue call `isCommitted` until it answers; others leave the state unchanged.
 */
export class UnknownOutcome extends Failure {
  /** Throws SERVICE_UNAVAILABLE while the database does not answer. */
  readonly isCommitted: () => Promise<boolean>;
  /** The result of the transaction's work; valid only when it is committed. */
  readonly result: unknown;

  constructor(isCommitted: () => Promise<boolean>, result: unknown, cause: unknown) {
    super(
      'SERVICE_UNAVAILABLE',
      'The database did not confirm whether the change was stored. Check the state before you repeat the request, or repeat it with the same Idempotency-Key.',
      { retryAfterSeconds: 5, cause },
    );
    this.isCommitted = isCommitted;
    this.result = result;
  }
}

/** Begins a transaction and reads its identity in the same round trip. */
export async function beginIdentified(client: pg.PoolClient): Promise<TransactionIdentity> {
  // The server answers several statements in one text with several results, which the driver's types do not
  // describe.
  const results = (await client.query(
    'begin; select pg_current_xact_id()::text as xid, pg_backend_pid() as pid',
  )) as unknown as readonly pg.QueryResult<TransactionIdentity>[];
  return results[1].rows[0];
}

/** A commit that is pending for longer may never finish. */
const IN_PROGRESS_MS = 1_000;
/** Limit for a terminated transaction to end. */
const ENDING_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** PostgreSQL's `invalid_parameter_value`: the server has never assigned such a high id. */
const UNKNOWN_XID = '22023';

/**
 * Reads the outcome of a transaction whose connection broke at its COMMIT (`pg_xact_status`: PostgreSQL documentation, "Transaction ID
 * and Snapshot Information Functions"). A transaction that is still in progress is terminated, because its COMMIT may never have
 * arrived. Throws while the server does not answer.
 */
export async function isCommitted(pool: pg.Pool, identity: TransactionIdentity): Promise<boolean> {
  const startedMs = performance.now();
  for (let isTerminated = false; ; await sleep(POLL_INTERVAL_MS)) {
    const status = await statusOf(pool, identity.xid);
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    const passedMs = performance.now() - startedMs;
    if (status === null || passedMs > IN_PROGRESS_MS + ENDING_MS) {
      throw new Failure('SERVICE_UNAVAILABLE', 'The database does not know the outcome of a transaction.');
    }
    if (isTerminated || passedMs < IN_PROGRESS_MS) continue;
    isTerminated = true;
    await endTransaction(pool, identity);
  }
}

/** Null when the transaction is older than the server remembers. */
async function statusOf(pool: pg.Pool, xid: string): Promise<'committed' | 'aborted' | 'in progress' | null> {
  try {
    const { rows } = await pool.query('select pg_xact_status($1::xid8) as status', [xid]);
    return rows[0].status;
  } catch (error) {
    // A server that replaced a failed one does not know a transaction that was not replicated to it.
    if ((error as { code?: string }).code === UNKNOWN_XID) return 'aborted';
    throw error;
  }
}

/** A pid is reused, so the query also matches the transaction id. */
async function endTransaction(pool: pg.Pool, { xid, pid }: TransactionIdentity): Promise<void> {
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1 and backend_xid = ($2::xid8)::xid',
    [pid, xid],
  );
}
