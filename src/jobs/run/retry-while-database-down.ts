import { setTimeout as sleep } from 'node:timers/promises';
import { UnknownOutcome } from '../../database/outcome.ts';
import { isFailure } from '../../domain/errors.ts';

/** While the database is away, an end that is due is tried again this often … */
const RETRY_DELAY_MS = 1000;
/** … for this long. After that the queue gives the job to another worker, which starts at its last stage. */
const MAX_OUTAGE_MS = 10 * 60_000;

/**
 * An hour's rendering shall not be lost because the database is away for a moment. What may have been done already is not
 * done again before the database has said that it was not.
 */
export async function retryWhileDatabaseDown<T>(
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
  onRetry: () => void = () => {},
): Promise<T> {
  const deadlineMs = performance.now() + MAX_OUTAGE_MS;
  for (let unless: UnknownOutcome | null = null; ; ) {
    try {
      if (unless !== null && (await unless.isCommitted())) return unless.result as T;
      unless = null;
      return await work();
    } catch (error) {
      const away = isFailure(error, 'SERVICE_UNAVAILABLE', 'INSUFFICIENT_STORAGE');
      if (!away || performance.now() > deadlineMs) throw error;
      if (error instanceof UnknownOutcome) unless = error;
      onRetry();
      await sleep(RETRY_DELAY_MS, undefined, signal === undefined ? {} : { signal });
    }
  }
}
