/**
 * Capacity of the database for jobs whose stages end at once: jobs created and done a second by 1, 2 and 4
 * workers, and the server's cost of each, to estimate a fleet (`docs/scaling.md`). Meanwhile an API node is
 * polled for its health and creates jobs; afterwards, with idle workers, the time until a job is claimed.
 * PostgreSQL is started from a development package with `fsync=off`, which excludes the disk's time. Linux
 * only.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { migrate } from '../../src/database/migrations.ts';
import { openPostgres } from '../../src/database/postgres.ts';
import { claimJob, writeProgress } from '../../src/jobs/model/job-store.ts';
import { assembleJobs } from '../../src/jobs/open-jobs.ts';
import { childrenOf } from '../../src/sandbox/processes.ts';
import { quantile } from '../../src/signal/statistics.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch } from '../../src/storage/storage-watch.ts';
import { aJob, aVideo } from '../../test/support/jobs.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { processCpuSeconds } from '../lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from '../lib/report.ts';
import { serve, stop } from '../lib/served.ts';

const STUB = fileURLToPath(new URL('../lib/stub-worker.ts', import.meta.url));
const WORKERS = [1, 2, 4];
/** Jobs at a time of each: enough that none waits for the others' answers. */
const CONCURRENCY = 4;
const CREATORS = 32;
const PROGRESSES = 4_000;
const ASK_EVERY_MS = 25;
const PICK_UPS = 100;

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '10000' }, 'no-save': { type: 'boolean', default: false } },
});
const JOBS = Number(values.jobs);
const logger = pino({ level: 'silent' });

interface Figures {
  readonly workers: number;
  readonly createdPerSecond: number;
  readonly donePerSecond: number;
  /** CPU of the server, in milliseconds. */
  readonly createMs: number;
  readonly doMs: number;
  readonly progressMs: number;
  /** Milliseconds of an API node's answers while the queue is worked off. */
  readonly healthP99Ms: number;
  readonly createP99Ms: number;
  /** From a job's creation to its first stage, workers being idle. */
  readonly pickUpP95Ms: number;
}

/** Polls until `over`, one request after the other. */
async function answerTimes(over: AbortSignal, ask: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  while (!over.aborted) {
    const startedMs = performance.now();
    await ask();
    times.push(performance.now() - startedMs);
    await sleep(ASK_EVERY_MS);
  }
  return times;
}

/** An API node on this database, and requests to it. */
async function openNode(url: string, folder: string, videoId: string) {
  const node = await serve(join(folder, 'node'), { DATABASE_URL: url, ROLE: 'api' });
  const ask = async (path: string, init: RequestInit, status: number) => {
    const answer = await fetch(`${node.baseUrl}${path}`, init);
    const { data } = (await answer.json()) as { data: { job_id: string } };
    if (answer.status !== status) throw new Error(`${path} was answered ${answer.status}`);
    return data;
  };
  const body = JSON.stringify({ video_id: videoId });
  const headers = { 'content-type': 'application/json' };
  return {
    health: async () => void (await ask('/api/v1/health', {}, 200)),
    create: async () => (await ask('/api/v1/jobs', { method: 'POST', headers, body }, 201)).job_id,
    stop: () => stop(node),
  };
}

async function measure(workers: number): Promise<Figures> {
  await using server = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'styledna-bench-'));
  const database = await openPostgres(server.url);
  await migrate(database);
  const blobs = await openFileStore(folder);
  const storage = new StorageWatch({ logger, check: () => blobs.check() });
  const settings = { maxQueued: JOBS + 1 };
  const jobs = assembleJobs({ database, blobs, storage, logger, jobEnded: async () => {}, settings });
  await jobs.start();
  const video = aVideo();
  await jobs.videos.insert(video, null);
  const serverCpu = await cpuOfServer(database);
  const timed = async (count: number, work: () => Promise<unknown>) => {
    const [cpu, startedMs] = [serverCpu(), performance.now()];
    await work();
    const seconds = (performance.now() - startedMs) / 1000;
    return { perSecond: count / seconds, serverMs: ((serverCpu() - cpu) * 1000) / count };
  };
  const atOnce = (count: number, work: () => Promise<unknown>) => {
    let left = count;
    const lane = async () => {
      while (left-- > 0) await work();
    };
    return Promise.all(Array.from({ length: CREATORS }, lane));
  };
  const running = await jobs.service.create(aJob(video.videoId), null);
  const { job } = (await claimJob(database, running.jobId))!;
  const progress = await timed(PROGRESSES, () =>
    atOnce(PROGRESSES, () => writeProgress(database, job.jobId, job.attempt, { percent: 50, frame: null })),
  );
  const created = await timed(JOBS, () => atOnce(JOBS, () => jobs.service.create(aJob(video.videoId), null)));
  const node = await openNode(server.url, folder, video.videoId);
  const stubs = Array.from({ length: workers }, () => fork(STUB, [server.url, String(CONCURRENCY)]));
  const completed = async (least: number) => {
    for (;;) {
      const [row] = await database.query<{ jobs: number }>(
        `select count(*) as jobs from jobs where status = 'completed'`,
      );
      if (row!.jobs >= least) return;
      await sleep(50);
    }
  };
  // Their starts are not measured.
  const warm = JOBS / 5;
  await completed(warm);
  const over = new AbortController();
  const asking = [node.health, async () => void (await node.create())].map((ask) =>
    answerTimes(over.signal, ask),
  );
  const done = await timed(JOBS - warm, () => completed(JOBS));
  over.abort();
  const [health, create] = await Promise.all(asking);
  const [{ jobs: all }] = (await database.query<{ jobs: number }>('select count(*) as jobs from jobs')) as [
    { jobs: number },
  ];
  // The one whose progress was written is nobody's.
  await completed(all - 1);
  const alone: string[] = [];
  for (let one = 0; one < PICK_UPS; one++) {
    alone.push(await node.create());
    await sleep(ASK_EVERY_MS);
  }
  await completed(all - 1 + PICK_UPS);
  const pickUps = await database.query<{ ms: number }>(
    `select extract(epoch from started_at - created_at)::float8 * 1000 as ms from jobs where job_id = any($1)`,
    [alone],
  );
  await node.stop();
  for (const stub of stubs) {
    stub.kill('SIGTERM');
    await once(stub, 'exit');
  }
  await jobs.stop(0);
  await database.close();
  rmSync(folder, { recursive: true, force: true });
  return {
    workers,
    createdPerSecond: created.perSecond,
    donePerSecond: done.perSecond,
    createMs: created.serverMs,
    doMs: done.serverMs,
    progressMs: progress.serverMs,
    healthP99Ms: quantile(health!, 0.99),
    createP99Ms: quantile(create!, 0.99),
    pickUpP95Ms: quantile(
      pickUps.map(({ ms }) => ms),
      0.95,
    ),
  };
}

/** CPU seconds of all the server's processes; those that have ended are in the first one's account. */
async function cpuOfServer(database: Awaited<ReturnType<typeof openPostgres>>): Promise<() => number> {
  const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const stat = readFileSync(`/proc/${row!.pid}/stat`, 'utf8');
  const first = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return () =>
    [first, ...childrenOf(first)].reduce((sum, pid) => {
      try {
        return sum + processCpuSeconds(pid);
      } catch {
        return sum;
      }
    }, 0);
}

const conditions = currentConditions();
const figures: Figures[] = [];
for (const workers of WORKERS) figures.push(await measure(workers));
console.log(
  table(
    [
      ...['workers', 'created /s', 'done /s', 'server ms: create', 'do', 'progress'],
      ...['health p99 ms', 'create p99 ms', 'pick-up p95 ms'],
    ],
    figures.map((one) => [
      ...[String(one.workers), one.createdPerSecond.toFixed(0), one.donePerSecond.toFixed(0)],
      ...[one.createMs, one.doMs, one.progressMs].map((ms) => ms.toFixed(2)),
      ...[one.healthP99Ms, one.createP99Ms, one.pickUpP95Ms].map((ms) => ms.toFixed(0)),
    ]),
  ),
);
console.log(conditionsInWords(conditions));
if (!values['no-save']) saveResult('queue', { conditions, figures });
