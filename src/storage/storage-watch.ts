import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Failure, isFailure } from '../domain/errors.ts';

export interface StorageWatchParts {
  readonly logger: Logger;
  /** Throws when the storage cannot be used now. */
  readonly check: () => Promise<void>;
  /** Called before work is retried. */
  readonly onRetry?: () => void;
  readonly settings?: Partial<typeof DEFAULTS>;
}

const DEFAULTS = {
  /** A finding is reused for this long. */
  cacheMs: 1_000,
  /**
   * A storage that does not answer for this long counts as down; it also bounds the answer of the health
   * check.
   */
  timeoutMs: 3_000,
  /**
   * While the storage is down, waiting work checks again after each of these delays, then repeats the last.
   */
  pollDelaysMs: [500, 1_000, 2_000, 5_000] as readonly number[],
  /**
   * Waiting work fails after this time. The longest known outages of large object stores were about 15 hours,
   * most below four. The queue ends a run after 24 hours, which leaves half of them to the work.
   */
  maxOutageMs: 12 * 3_600_000,
  /**
   * Delays between attempts if work fails because of a storage that answers: an overload, a broken
   * connection, a damaged sector. A damaged sector never recovers, and must not occupy a worker.
   */
  retryDelaysMs: [500, 2_000, 8_000, 30_000, 60_000] as readonly number[],
};

interface Finding {
  readonly atMs: number;
  /** Null: the storage can be used. */
  readonly failure: Failure | null;
}

/**
 * Checks whether the storage of this process can be used. It checks only on request, so it costs nothing
 * without callers.
 */
export class StorageWatch {
  readonly #logger: Logger;
  readonly #check: () => Promise<void>;
  readonly #onRetry: () => void;
  readonly #settings: typeof DEFAULTS;
  #checking: Promise<Finding> | null = null;
  #latest: Finding = { atMs: Number.NEGATIVE_INFINITY, failure: null };
  #downSinceMs: number | null = null;
  /** Time at which the storage was last found to be usable again. */
  #downUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ logger, check, onRetry = () => {}, settings }: StorageWatchParts) {
    this.#logger = logger;
    this.#check = check;
    this.#onRetry = onRetry;
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /** Throws SERVICE_UNAVAILABLE, INSUFFICIENT_STORAGE. A result of the last second is reused. */
  async assertUsable(): Promise<void> {
    const { failure } = await this.#findingSince(performance.now() - this.#settings.cacheMs);
    if (failure !== null) throw failure;
  }

  /** Whether the storage can be used before `longestMs` have passed. Throws the signal's reason. */
  async isUsableWithin(longestMs: number, signal: AbortSignal): Promise<boolean> {
    const deadlineMs = performance.now() + longestMs;
    const delays = [...this.#settings.pollDelaysMs];
    for (;;) {
      signal.throwIfAborted();
      const { failure } = await this.#findingSince(performance.now() - this.#settings.cacheMs);
      if (failure === null) return true;
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) return false;
      const delayMs = delays.length > 1 ? delays.shift()! : delays[0];
      await unlessAborted(sleep(Math.min(delayMs, leftMs), undefined, { signal }), signal);
    }
  }

  /**
   * Attributes an error of work to the storage if the storage may have caused it: a media process cannot
   * distinguish a damaged video from a damaged disk. Returns the storage's failure if it is down now or was
   * down at any time since `sinceMs`, the start of the work. Otherwise returns the error unchanged.
   */
  async attributeToStorage(error: unknown, sinceMs = Number.POSITIVE_INFINITY): Promise<unknown> {
    if (isFailure(error, 'SERVICE_UNAVAILABLE')) return error;
    const finding = await this.#findingSince(performance.now());
    const detail = isDown(finding)
      ? finding.failure!.detail
      : 'The storage of the service was unavailable meanwhile';
    return isDown(finding) || this.#downUntilMs >= sinceMs
      ? new Failure('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 5, cause: error })
      : error;
  }

  /**
   * Does the work. When it fails because the storage cannot be used, waits until it can and does the work
   * again. Throws STORAGE_UNAVAILABLE after a long outage or too many tries, the signal's reason, and other
   * failures of the work.
   */
  async retryWhileStorageDown<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const { maxOutageMs, retryDelaysMs } = this.#settings;
    const deadlineMs = performance.now() + maxOutageMs;
    for (let tries = 0; ; ) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || !isFailure(error, 'SERVICE_UNAVAILABLE')) throw error;
        const found = await this.#findingSince(performance.now());
        if (!isDown(found)) {
          const delayMs = retryDelaysMs[tries++];
          if (delayMs === undefined) throw storageUnavailable(`after ${tries} tries`, error);
          await unlessAborted(sleep(delayMs, undefined, { signal }), signal);
        } else if (!(await this.isUsableWithin(deadlineMs - performance.now(), signal))) {
          throw storageUnavailable(`for ${maxOutageMs / 3_600_000} hours`, error);
        }
        this.#onRetry();
      }
    }
  }

  /** Returns a finding of `sinceMs` or later; concurrent callers share one check. */
  async #findingSince(sinceMs: number): Promise<Finding> {
    if (this.#latest.atMs >= sinceMs) return this.#latest;
    const { timeoutMs } = this.#settings;
    this.#checking ??= this.#runCheck().finally(() => {
      this.#checking = null;
    });
    const timer = new AbortController();
    const timeout = sleep(timeoutMs, null, { ref: false, signal: timer.signal }).catch(() => null);
    // A check that hangs continues: a second one would also hang, and each blocks a thread.
    const finding = await Promise.race([this.#checking, timeout]);
    timer.abort();
    return (
      finding ??
      this.#record(
        new Failure(
          'SERVICE_UNAVAILABLE',
          `The storage of the service has not answered for ${timeoutMs / 1000} s`,
        ),
      )
    );
  }

  async #runCheck(): Promise<Finding> {
    const startedMs = performance.now();
    return this.#check().then(
      () => this.#record(null, startedMs),
      (error: unknown) => this.#record(asFailure(error), startedMs),
    );
  }

  #record(failure: Failure | null, atMs = performance.now()): Finding {
    this.#latest = { atMs, failure };
    const isDownNow = isDown(this.#latest);
    if (isDownNow && this.#downSinceMs === null) {
      this.#downSinceMs = performance.now();
      this.#logger.warn({ err: failure }, 'the storage cannot be used: work waits for it');
    } else if (!isDownNow && this.#downSinceMs !== null) {
      const awayMs = Math.round(performance.now() - this.#downSinceMs);
      this.#downSinceMs = null;
      this.#downUntilMs = performance.now();
      this.#logger.info({ awayMs }, 'the storage can be used again');
    }
    return this.#latest;
  }
}

/** A full disk does not count as down: the work itself often fills it, so it fails with this error. */
function isDown({ failure }: Finding): boolean {
  return failure !== null && failure.code !== 'INSUFFICIENT_STORAGE';
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('SERVICE_UNAVAILABLE', 'The storage of the service cannot be used', { cause: error });
}

function storageUnavailable(when: string, cause: unknown): Failure {
  const detail = `The storage of the service could not be used ${when}. Create the job again when the storage is available.`;
  return new Failure('STORAGE_UNAVAILABLE', detail, { cause });
}

/** Node's timers throw their own error; this throws the signal's reason. */
async function unlessAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  await waiting.catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}
