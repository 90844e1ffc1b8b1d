import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Failure, isFailure } from '../domain/errors.ts';

export interface StorageWatchParts {
  readonly logger: Logger;
  /** Throws when the storage cannot be used now. */
  readonly check: () => Promise<void>;
  /** Called when work is about to be done again. */
  readonly onRetry?: () => void;
  readonly settings?: Partial<typeof DEFAULTS>;
}

const DEFAULTS = {
  /** A finding is reused for this long. */
  cacheMs: 1_000,
  /** A storage that says nothing for so long is away; health answers after as long. */
  timeoutMs: 3_000,
  /** While the storage is down, waiting work checks again after each of these in turn, then repeats the last. */
  pollDelaysMs: [500, 1_000, 2_000, 5_000] as readonly number[],
  /**
   * Work that waits for its storage gives up after this long. The longest outages of large object stores that became known
   * lasted some 15 hours, most of them below four; and the queue ends a run after 24: this leaves the work half of it.
   */
  maxOutageMs: 12 * 3_600_000,
  /**
   * The waits between tries when work fails for its storage although that answers: an overload, a connection that broke, a
   * damaged sector. The last of them never pass, and must not hold a worker for long.
   */
  retryDelaysMs: [500, 2_000, 8_000, 30_000, 60_000] as readonly number[],
};

interface Finding {
  readonly atMs: number;
  /** Null: it can be used. */
  readonly failure: Failure | null;
}

/** Finds out whether the storage of this process can be used. It checks on request only, so it costs nothing while nobody calls it. */
export class StorageWatch {
  readonly #logger: Logger;
  readonly #check: () => Promise<void>;
  readonly #onRetry: () => void;
  readonly #settings: typeof DEFAULTS;
  #checking: Promise<Finding> | null = null;
  #latest: Finding = { atMs: Number.NEGATIVE_INFINITY, failure: null };
  #downSinceMs: number | null = null;
  /** When it was last found to be usable again. */
  #downUntilMs = Number.NEGATIVE_INFINITY;

  constructor({ logger, check, onRetry = () => {}, settings }: StorageWatchParts) {
    this.#logger = logger;
    this.#check = check;
    this.#onRetry = onRetry;
    this.#settings = { ...DEFAULTS, ...settings };
  }

  /** Throws SERVICE_UNAVAILABLE, INSUFFICIENT_STORAGE. A finding of the last second is reused. */
  async assertUsable(): Promise<void> {
    const { failure } = await this.#findingSince(performance.now() - this.#settings.cacheMs);
    if (failure !== null) throw failure;
  }

  /** Whether it can be used before `longestMs` have passed. Throws the signal's reason. */
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
   * Attributes an error of work to the storage where that may have caused it: a media process cannot distinguish a damaged video from a
   * damaged disk. Returns the storage's failure when it is down now or was at any time since `sinceMs`, the start of the work; else the
   * error unchanged.
   */
  async attributeToStorage(error: unknown, sinceMs = Number.POSITIVE_INFINITY): Promise<unknown> {
    if (isFailure(error, 'SERVICE_UNAVAILABLE')) return error;
    const finding = await this.#findingSince(performance.now());
    const detail = isDown(finding)
      ? finding.failure!.detail
      : 'The storage of the service was away meanwhile';
    return isDown(finding) || this.#downUntilMs >= sinceMs
      ? new Failure('SERVICE_UNAVAILABLE', detail, { retryAfterSeconds: 5, cause: error })
      : error;
  }

  /**
   * Does the work, and when it fails because the storage cannot be used, waits until it can and does it again. Throws
   * STORAGE_UNAVAILABLE when that lasts too long or comes again and again, the signal's reason, any other failure of the
   * work.
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
          if (delayMs === undefined) throw gaveUp(`after ${tries} tries`, error);
          await unlessAborted(sleep(delayMs, undefined, { signal }), signal);
        } else if (!(await this.isUsableWithin(deadlineMs - performance.now(), signal))) {
          throw gaveUp(`for ${maxOutageMs / 3_600_000} hours`, error);
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
    const silent = new AbortController();
    const silence = sleep(timeoutMs, null, { ref: false, signal: silent.signal }).catch(() => null);
    // A check that hangs goes on: one more would hang beside it, and each holds a thread.
    const finding = await Promise.race([this.#checking, silence]);
    silent.abort();
    return (
      finding ??
      this.#record(
        new Failure(
          'SERVICE_UNAVAILABLE',
          `The storage of the service says nothing for ${timeoutMs / 1000} s`,
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
    const down = isDown(this.#latest);
    if (down && this.#downSinceMs === null) {
      this.#downSinceMs = performance.now();
      this.#logger.warn({ err: failure }, 'the storage cannot be used: work waits for it');
    } else if (!down && this.#downSinceMs !== null) {
      const awayMs = Math.round(performance.now() - this.#downSinceMs);
      this.#downSinceMs = null;
      this.#downUntilMs = performance.now();
      this.#logger.info({ awayMs }, 'the storage can be used again');
    }
    return this.#latest;
  }
}

/** Work whose disk is full fails and says so: it is its own files that fill it, as often as not. */
function isDown({ failure }: Finding): boolean {
  return failure !== null && failure.code !== 'INSUFFICIENT_STORAGE';
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('SERVICE_UNAVAILABLE', 'The storage of the service cannot be used', { cause: error });
}

function gaveUp(when: string, cause: unknown): Failure {
  const detail = `The storage of the service could not be used ${when}. Create the job again when it can.`;
  return new Failure('STORAGE_UNAVAILABLE', detail, { cause });
}

/** Node's timers throw an error of their own. */
async function unlessAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  await waiting.catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}
