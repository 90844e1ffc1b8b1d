import { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { NIL } from 'uuid';
import type { Queryable } from '../../database/database.ts';
import { oneAtATime } from '../../database/locks.ts';
import { type QueueDatabase, queueHandle } from '../../database/queue-database.ts';
import { QUEUE_NAME, QUEUE_SCHEMA, selectActiveEntries } from './queue-tables.ts';

/** pg-boss's least. An entry whose worker has not been heard for this long is given to another. */
const HEARTBEAT_SECONDS = 10;

/** How often lost heartbeats are looked for. The embedded database has no other process whose worker could be lost. */
const MONITOR_SECONDS = { postgres: 1, pglite: 5 } as const;

/** pg-boss's most: no stage may run for so long. */
const LONGEST_RUN_SECONDS = 24 * 3600 - 1;

/** Ends and retries are decided by the jobs table; the queue shall never give up by itself. */
const RETRIES = 1_000_000;

/** pg-boss knows one order, a 32-bit integer: priorities 0..100 take this many turns each. */
const TURNS = 20_000_000;
const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600;

/** Of a queue when it is made: one that is there keeps those it has. */
const SETTINGS = {
  notify: true,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: LONGEST_RUN_SECONDS,
  retryLimit: RETRIES,
  retentionSeconds: TEN_YEARS_SECONDS,
  deleteAfterSeconds: 600,
};

/** Makes the queue's own tables, or brings them up to date, without working on it. */
export async function prepareQueue(database: QueueDatabase, logger: Logger): Promise<void> {
  const queue = new JobQueue(database, logger);
  await queue.start();
  await queue.stop();
}

/**
 * The queue of jobs: it delivers, it does not decide. An entry has its job's id and carries nothing else. It may
 * deliver an entry twice; taking a job (`claimJob`) sorts that out.
 */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #database: QueueDatabase;

  constructor(database: QueueDatabase, logger: Logger) {
    this.#database = database;
    const embedded = database.kind === 'pglite';
    this.#boss = new PgBoss({
      ...database.queue,
      schema: QUEUE_SCHEMA,
      useListenNotify: true,
      schedule: false,
      monitorIntervalSeconds: MONITOR_SECONDS[database.kind],
      superviseIntervalSeconds: MONITOR_SECONDS[database.kind],
      // An embedded PostgreSQL has no autovacuum to watch and cannot reindex concurrently.
      ...(embedded ? { monitorVacuum: false, reindex: false } : {}),
    });
    this.#boss.on('error', (error) => logger.warn({ err: error }, 'queue trouble'));
    this.#boss.on('warning', (warning) => logger.warn({ warning }, 'queue warning'));
  }

  async start(): Promise<void> {
    // pg-boss looks whether its tables are there before it takes a lock of its own: of several processes on an empty
    // database all but one would fail.
    await oneAtATime(this.#database, 'queue', async () => {
      await this.#boss.start();
      // To make what is there already does nothing, and takes a fortieth of a second.
      if ((await this.#boss.getQueue(QUEUE_NAME)) === null)
        await this.#boss.createQueue(QUEUE_NAME, SETTINGS);
    });
    await this.#warmCache();
    if (this.#database.kind === 'pglite') await this.#reviveAll();
  }

  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }

  /**
   * Within the transaction that makes the jobs' rows; an entry has its job's id. Higher priority first, then the earlier
   * turn, then older first.
   */
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

  /** Within the transaction that gives a queued job another place. No error when a worker has it by now. */
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

  /** Within the transaction that ends the jobs. No error when there is no entry. */
  async remove(transaction: Queryable, jobIds: readonly string[]): Promise<void> {
    await this.#boss.deleteJob(QUEUE_NAME, [...jobIds], { db: queueHandle(transaction) });
  }

  /**
   * Hands out entries, at most `concurrency` at a time. When `run` resolves its entry is done; when it throws, the
   * entry goes to the next worker at once.
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
        // After a short job pg-boss would wait for its polling interval to pass, whatever else is queued.
        this.#boss.notifyWorker(workerId);
      });
    }
  }

  /** No new entries; those handed out go on. */
  async stopWork(): Promise<void> {
    await this.#boss.offWork(QUEUE_NAME, { wait: false });
  }

  /**
   * pg-boss looks a queue's settings up at its first use, by a connection of its own. Within a transaction on the only
   * connection of an embedded database that would wait for ever, so the first use is here. (Its cache is refreshed, but
   * never emptied.)
   */
  async #warmCache(): Promise<void> {
    await this.#boss.findJobs(QUEUE_NAME, { id: NIL });
  }

  /**
   * The lock on the embedded database's directory proves that every worker from before is dead: their entries are
   * free at once, without waiting for a heartbeat to be missed.
   */
  async #reviveAll(): Promise<void> {
    const entries = await selectActiveEntries(this.#database);
    if (entries.length === 0) return;
    await this.#boss.fail(QUEUE_NAME, entries, { message: 'the worker is dead' });
  }
}

/** Larger first. */
function orderOf({ priority, turn }: { readonly priority: number; readonly turn: number }): number {
  return priority * TURNS - Math.min(turn, TURNS - 1);
}
