import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { NIL } from 'uuid';
import type { Queryable } from '../../database/database.ts';
import { oneAtATime } from '../../database/locks.ts';
import { type QueueDatabase, queueHandle } from '../../database/queue-database.ts';
import { QUEUE_NAME, QUEUE_SCHEMA, selectActiveEntries } from './queue-tables.ts';

/** pg-boss's minimum. An entry without a heartbeat for this long goes to another worker. */
const HEARTBEAT_SECONDS = 10;

/** Interval of the search for lost heartbeats. With the embedded database no other process exists whose worker could be lost. */
const MONITOR_SECONDS = { postgres: 1, pglite: 5 } as const;

/** pg-boss's maximum, and so the limit of a run. */
const MAX_RUN_SECONDS = 24 * 3600 - 1;

/** The jobs table decides about ends and retries; pg-boss must never stop retrying. */
const RETRIES = 1_000_000;

/** pg-boss knows one order, a 32-bit integer: priorities 0..100 take this many turns each. */
const TURNS = 20_000_000;
const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600;

/** For a new queue only: an existing queue keeps its settings. */
const SETTINGS = {
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: MAX_RUN_SECONDS,
  retryLimit: RETRIES,
  retentionSeconds: TEN_YEARS_SECONDS,
  deleteAfterSeconds: 600,
};

/** Creates or upgrades pg-boss's tables without starting to work. */
export async function prepareQueue(database: QueueDatabase, logger: Logger): Promise<void> {
  const queue = new JobQueue(database, logger);
  await queue.start();
  await queue.stop();
}

/** The queue of jobs. An entry has its job's id and no other content. pg-boss may deliver an entry twice; `claimJob` detects that. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #database: QueueDatabase;

  constructor(database: QueueDatabase, logger: Logger) {
    this.#database = database;
    const isEmbedded = database.kind === 'pglite';
    this.#boss = new PgBoss({
      ...database.queue,
      schema: QUEUE_SCHEMA,
      useListenNotify: true,
      schedule: false,
      monitorIntervalSeconds: MONITOR_SECONDS[database.kind],
      superviseIntervalSeconds: MONITOR_SECONDS[database.kind],
      // The embedded PostgreSQL has no autovacuum to monitor and cannot reindex concurrently.
      ...(isEmbedded ? { monitorVacuum: false, reindex: false } : {}),
    });
    this.#boss.on('error', (error) => logger.warn({ err: error }, 'queue error'));
    this.#boss.on('warning', (warning) => logger.warn({ warning }, 'queue warning'));
  }

  async start(): Promise<void> {
    // pg-boss checks for its tables before it takes its own lock: of several processes on an empty database all but one would fail.
    await oneAtATime(this.#database, 'queue', async () => {
      await this.#boss.start();
      // Creating an existing queue has no effect, but takes 25 ms.
      if ((await this.#boss.getQueue(QUEUE_NAME)) === null)
        await this.#boss.createQueue(QUEUE_NAME, SETTINGS);
    });
    await this.#warmCache();
    if (this.#database.kind === 'pglite') await this.#releaseAll();
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }

  /** Adds entries in the transaction that inserts the jobs. Order: higher priority, then lower turn, then older. */
  async add(
    transaction: Queryable,
    entries: readonly { readonly id: string; readonly priority: number; readonly turn: number }[],
  ): Promise<void> {
    const places = entries.map(({ id, priority, turn }) => ({
      id,
      priority: orderOf({ priority, turn }),
    }));
    await this.#boss.insert(QUEUE_NAME, places, { db: queueHandle(transaction) });
  }

  /** Changes the place of a queued job in the caller's transaction. No error when a worker has claimed it already. */
  async move(
    transaction: Queryable,
    { id, ...place }: { readonly id: string; readonly priority: number; readonly turn: number },
  ): Promise<void> {
    await this.#boss.update(QUEUE_NAME, undefined, {
      id,
      priority: orderOf(place),
      db: queueHandle(transaction),
    });
  }

  /** Removes entries in the transaction that ends the jobs. No error when there is none. */
  async remove(transaction: Queryable, jobIds: readonly string[]): Promise<void> {
    await this.#boss.deleteJob(QUEUE_NAME, [...jobIds], { db: queueHandle(transaction) });
  }

  /**
   * Delivers entries, at most `concurrency` at a time. An entry is finished when `run` resolves; when it throws, the entry goes to the
   * next worker at once.
   */
  async work(concurrency: number, run: (jobId: string) => Promise<void>): Promise<void> {
    for (let count = 0; count < concurrency; count++) {
      const options = {
        pollingIntervalSeconds: 1,
        notifyPollingIntervalSeconds: 1,
        heartbeatRefreshSeconds: 3,
      };
      const workerId: string = await this.#boss.work(QUEUE_NAME, options, async ([entry]) => {
        if (entry === undefined) return;
        await run(entry.id);
        // After a short job pg-boss would wait for its polling interval, even with entries in the queue.
        this.#boss.notifyWorker(workerId);
      });
    }
  }

  /** Delivers no new entries; delivered ones continue. */
  async stopWork(): Promise<void> {
    await this.#boss.offWork(QUEUE_NAME, { wait: false });
  }

  /**
   * pg-boss reads the settings of a queue at its first use, through its own connection. Within a transaction
   * on the only connection of an embedded database that would deadlock, so the first use is here. The cache
   * is refreshed later, but never emptied.
   */
  async #warmCache(): Promise<void> {
    await this.#boss.findJobs(QUEUE_NAME, { id: NIL });
  }

  /**
   * The lock on the embedded database's directory proves that all earlier workers have ended: their entries are released at once,
   * without waiting for missed heartbeats.
   */
  async #releaseAll(): Promise<void> {
    const entries = await selectActiveEntries(this.#database);
    if (entries.length === 0) return;
    await this.#boss.fail(QUEUE_NAME, entries, { message: 'the worker has ended' });
  }
}

/** Larger first. */
function orderOf({ priority, turn }: { readonly priority: number; readonly turn: number }): number {
  return priority * TURNS - Math.min(turn, TURNS - 1);
}
