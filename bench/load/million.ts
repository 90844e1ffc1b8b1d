/**
 * Whether lists, counts, claims and sweeps stay flat as jobs grow: the same operations on two databases, one a hundred times
 * the other, with PostgreSQL's own account of each. `node bench/load/million.ts [--jobs 1000000] [--explain]`
 */
import { parseArgs } from 'node:util';
import { PgBoss } from 'pg-boss';
import pino from 'pino';
import { NIL, v7 as newId } from 'uuid';
import { LARGE_TABLES, type Queryable, type Row } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrations.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { deleteOldKeys } from '../../src/idempotency/store.ts';
import { countQueued, listJobs, queueFigures, queuePosition } from '../../src/jobs/lists/job-lists.ts';
import { claimJob, deleteJob } from '../../src/jobs/model/job-store.ts';
import { nextTurns } from '../../src/jobs/queue/fair-queue.ts';
import { JobQueue } from '../../src/jobs/queue/queue.ts';
import { selectNext, selectWorkers } from '../../src/jobs/steering/steering-store.ts';
import { median, quantile } from '../../src/signal/statistics.ts';
import { deleteEndedProducts, expireResults, selectDueVideos } from '../../src/videos/retention-store.ts';
import { isVideoInUse, listVideos } from '../../src/videos/video-store.ts';
import { deleteOrphans, dropUnconfirmed, leaseDue, nextDueMs } from '../../src/webhooks/delivery-store.ts';
import { openPool, startPostgres } from '../../test/support/postgres.ts';
import { conditionsInWords, currentConditions, saveResult, table } from '../lib/report.ts';
import { fill, jobOf, POPULAR_TEMPLATE, videoOf } from './fill.ts';

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '1000000' }, explain: { type: 'boolean', default: false } },
});
const LARGE = Number(values.jobs);
const SMALL = LARGE / 100;
const QUEUED_SHARE = 0.1;
const TIMES = 15;

type Operation = (db: Queryable, jobs: number) => Promise<unknown>;
const LIST = { filter: {}, page: 1, pageSize: 10 };

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'jobs: first page': (db) => listJobs(db, LIST),
  'jobs: middle, by cursor': (db, jobs) => listJobs(db, { ...LIST, cursor: cursorAt(jobs / 2) }),
  'jobs: middle, by page': (db, jobs) => listJobs(db, { ...LIST, page: Math.floor(jobs / 20) }),
  'jobs: last page': (db, jobs) => listJobs(db, { ...LIST, page: Math.ceil(jobs / 10) }),
  'jobs: failed, first page': (db) => listJobs(db, { ...LIST, filter: { status: ['failed'] } }),
  'jobs: failed and cancelled, middle': (db, jobs) =>
    listJobs(db, { ...LIST, filter: { status: ['failed', 'cancelled'] }, page: Math.floor(jobs / 1000) }),
  'jobs: two states, first page': (db) => listJobs(db, { ...LIST, filter: { status: ['failed', 'queued'] } }),
  'jobs: of a video': (db, jobs) =>
    listJobs(db, { ...LIST, filter: { videoId: videoOf(Math.floor(jobs / 20)) } }),
  'jobs: of a template of half of them': (db) =>
    listJobs(db, { ...LIST, filter: { templateVideoId: POPULAR_TEMPLATE } }),
  'jobs: by part of a name': (db) => listJobs(db, { ...LIST, filter: { text: 'day-77' } }),
  'videos: first page': (db) => listVideos(db, LIST, new Date()),
  'videos: middle, by page': (db, jobs) =>
    listVideos(db, { ...LIST, page: Math.floor(jobs / 200) }, new Date()),
  'videos: images, first page': (db) => listVideos(db, { ...LIST, filter: { kind: 'image' } }, new Date()),
  'figures for health and metrics': (db) => queueFigures(db),
  'queue full?': (db) => countQueued(db),
  'position of the last in the queue': (db, jobs) => queuePosition(db, jobOf(jobs - 1)),
  'next of the queue, for operators': (db) => selectNext(db, 20),
  'workers, for operators': (db) => selectWorkers(db),
  'turn of a new job': (db) => nextTurns(db, [{ client: 'client-7', priority: 50 }]),
  'template in use?': (db) => isVideoInUse(db, POPULAR_TEMPLATE),
  'take a job': (db, jobs) => claimJob(db, jobOf(jobs - 1)),
  'delete a job': (db) => deleteJob(db, jobOf(5)),
  'retention: videos due': (db) => selectDueVideos(db, new Date(), newId(), 100),
  'retention: results due': (db) => expireResults(db, new Date(), 100),
  'retention: products due': (db) => deleteEndedProducts(db, new Date(), 100),
  'webhooks: take due': (db) => leaseDue(db, newId(), 16),
  'webhooks: unheard': (db) => dropUnconfirmed(db, newId(), []),
  'webhooks: free what was not heard of': (db) => dropUnconfirmed(db, newId(), []),
  'webhooks: next due': (db) => nextDueMs(db),
  'webhooks: orphans, 500 of them': (db) => deleteOrphans(db, NIL, 500),
  'idempotency: sweep': (db) => deleteOldKeys(db, 86_400),
};

const cursorAt = (number: number) =>
  Buffer.from(`${Date.now() - 400 * 86_400_000 + number * 30_000} ${jobOf(number)}`).toString('base64url');

interface Measured {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Pages of 8 KiB that its statements touched. */
  readonly pages: number;
  readonly plans: readonly string[];
}

/** Each try is rolled back, so that the next one finds the same rows. */
async function measure(database: QueueDatabase, operation: Operation, jobs: number): Promise<Measured> {
  const took: number[] = [];
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  for (let time = -1; time < TIMES; time++) {
    await undone(database, async (transaction) => {
      const db: Queryable = {
        query: (sql, parameters = []) => {
          if (time < 0) statements.push({ sql, parameters: [...parameters] });
          return transaction.query(sql, parameters);
        },
      };
      const startedMs = performance.now();
      await operation(db, jobs);
      if (time >= 0) took.push(performance.now() - startedMs);
    });
  }
  const plans: string[] = [];
  let pages = 0;
  for (const { sql, parameters } of statements) {
    await undone(database, async (transaction) => {
      const lines = await transaction.query<Row & { 'QUERY PLAN': string }>(
        `explain (analyze, buffers, costs off, timing off) ${sql}`,
        parameters,
      );
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      plans.push(plan);
      const [, hit = '0', read = '0'] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? [];
      pages += Number(hit) + Number(read);
    });
  }
  return { p50Ms: median(took), p95Ms: quantile(took, 0.95), pages, plans };
}

async function undone(
  database: QueueDatabase,
  work: (transaction: Queryable) => Promise<void>,
): Promise<void> {
  const enough = new Error('enough');
  await database
    .transaction(async (transaction) => {
      await work(transaction);
      throw enough;
    }, LARGE_TABLES)
    .catch((error) => {
      if (error !== enough) throw error;
    });
}

/** pg-boss's own work: fetching, and its maintenance each second. */
async function measureQueue(database: QueueDatabase): Promise<Measured[]> {
  const boss = new PgBoss({ ...database.queue, schema: 'queue', supervise: false, schedule: false });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  const measured: Measured[] = [];
  for (const work of [() => boss.fetch('jobs'), () => boss.supervise('jobs')]) {
    const took: number[] = [];
    const before = await pagesTouched(database);
    for (let time = 0; time < TIMES; time++) {
      const startedMs = performance.now();
      await work();
      took.push(performance.now() - startedMs);
    }
    const pages = Math.round(((await pagesTouched(database)) - before) / TIMES);
    measured.push({ p50Ms: median(took), p95Ms: quantile(took, 0.95), pages, plans: [] });
  }
  await boss.stop({ graceful: false });
  return measured;
}

async function pagesTouched(database: QueueDatabase): Promise<number> {
  await database.query('select pg_stat_force_next_flush()');
  const [row] = await database.query<{ pages: number }>(
    `select (blks_hit + blks_read)::bigint as pages from pg_stat_database where datname = current_database()`,
  );
  return row!.pages;
}

const QUEUE_WORK = ['queue: fetch one', 'queue: what it looks after each second'];

async function measureAll(jobs: number): Promise<ReadonlyMap<string, Measured>> {
  await using server = await startPostgres();
  const database = await openPostgres(server.url);
  await migrate(database);
  const queue = new JobQueue(database, pino({ level: 'silent' }));
  await queue.start();
  const startedMs = performance.now();
  const filling = { jobs, queued: Math.round(jobs * QUEUED_SHARE) };
  // The service's own pool has a shorter timeout than these statements need.
  const pool = openPool(server.url);
  await fill(
    { query: async (sql, parameters) => (await pool.query(sql, parameters as unknown[])).rows },
    filling,
  );
  await pool.end();
  console.error(`${jobs} jobs filled in ${Math.round((performance.now() - startedMs) / 1000)} s`);
  const measured = new Map<string, Measured>();
  for (const [name, operation] of Object.entries(OPERATIONS))
    measured.set(name, await measure(database, operation, jobs));
  await queue.stop();
  const ofQueue = await measureQueue(database);
  for (const [index, name] of QUEUE_WORK.entries()) measured.set(name, ofQueue[index]);
  await database.close();
  return measured;
}

const conditions = currentConditions();
const small = await measureAll(SMALL);
const large = await measureAll(LARGE);
const rows = [...large].map(([name, { p50Ms, p95Ms, pages }]) => {
  const before = small.get(name)!;
  return {
    operation: name,
    smallMs: before.p50Ms,
    largeMs: p50Ms,
    largeP95Ms: p95Ms,
    smallPages: before.pages,
    largePages: pages,
  };
});
console.log(conditionsInWords(conditions));
console.log(
  table(
    ['', `${SMALL} jobs, ms`, `${LARGE} jobs, ms`, 'p95', 'pages', 'pages'],
    rows.map((row) => [
      row.operation,
      row.smallMs.toFixed(1),
      row.largeMs.toFixed(1),
      row.largeP95Ms.toFixed(1),
      String(row.smallPages),
      String(row.largePages),
    ]),
  ),
);
if (values.explain) for (const [name, { plans }] of large) console.log(`\n${name}\n${plans.join('\n--\n')}`);
console.log(saveResult('million', { conditions, jobs: LARGE, rows }));
