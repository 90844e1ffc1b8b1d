import { isFailure } from '../domain/errors.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Queryable, Row } from './database.ts';
import { UnknownOutcome } from './outcome.ts';
import type { QueueDatabase } from './queue-database.ts';

/** Counts the statements and failures of a database. */
export function meteredDatabase(database: QueueDatabase, metrics: Metrics): QueueDatabase {
  const run = meteredQueryable(database, metrics);
  const { backend, db } = database.queue;
  return {
    kind: database.kind,
    query: run.query,
    transaction: (work, options) =>
      database
        .transaction((transaction) => work(meteredQueryable(transaction, metrics)), options)
        .catch((error) => {
          // Its statements have been counted one by one.
          if (error instanceof UnknownOutcome) metrics.databaseErrors.inc({ kind: 'unknown_outcome' });
          throw error;
        }),
    listen: (channel, onPayload) => database.listen(channel, onPayload),
    check: () => metered(metrics, () => database.check()),
    close: () => database.close(),
    queue: {
      backend,
      db: { ...db, executeSql: (text, values) => metered(metrics, () => db.executeSql(text, values)) },
    },
  };
}

function meteredQueryable(db: Queryable, metrics: Metrics): Queryable {
  return {
    query: <R extends Row>(sql: string, parameters?: readonly unknown[]) =>
      metered(metrics, () => db.query<R>(sql, parameters)),
  };
}

async function metered<T>(metrics: Metrics, statement: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    return await statement();
  } catch (error) {
    metrics.databaseErrors.inc({ kind: kindOf(error) });
    throw error;
  } finally {
    metrics.databaseSeconds.observe((performance.now() - startedMs) / 1000);
  }
}

/**
 * Few distinct values. SQLSTATE's first two characters are its class: PostgreSQL documentation, appendix A.
 */
function kindOf(error: unknown): string {
  if (isFailure(error, 'SERVICE_UNAVAILABLE')) return 'unavailable';
  if (isFailure(error, 'INSUFFICIENT_STORAGE')) return 'full';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[0-9A-Z]{5}$/.test(code) ? `sqlstate_${code.slice(0, 2)}` : 'other';
}
