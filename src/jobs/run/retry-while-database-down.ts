import { setTimeout as sleep } from 'node:timers/promises';
import { UnknownOutcome } from '../../database/outcome.ts';
import { isFailure } from '../../domain/errors.ts';

/** Interval of attempts while the database is down. */
const RETRY_DELAY_MS = 1000;
/** Limit of their duration. After it the queue gives the job to another worker, which continues at its last stage. */
const MAX_OUTAGE_MS = 10 * 60_000;

/**
 * Retries work while the database is down, so that an outage of moments does not lose an hour of rendering. Work with an unknown
 * outcome is repeated only after the database has answered that it was not committed.
 */
export async function retryWhileDatabaseDown<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  onRetry: () => void = () => {},
): Promise<T> {
  const deadlineMs = performance.now() + MAX_OUTAGE_MS;
  for (let uncertain: UnknownOutcome | null = null; ; ) {
    try {
      if (uncertain !== null && (await uncertain.isCommitted())) return uncertain.result as T;
      uncertain = null;
      return await work();
    } catch (error) {
      const isDown = isFailure(error, 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE');
      if (!isDown || performance.now() > deadlineMs) throw error;
      if (error instanceof UnknownOutcome) uncertain = error;
      onRetry();
      await sleep(RETRY_DELAY_MS, undefined, signal === undefined ? {} : { signal });
    }
  }
}
