/**
 * A long output in segments: their cost compared with drawing it at once, on one worker, one and two of them
 * at a time; and the time with more workers, whose parts only wait here, because a machine of two cores
 * cannot run more. Linux only; PostgreSQL is started from a development package.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { migrate } from '../src/database/migrations.ts';
import { openPostgres } from '../src/database/postgres.ts';
import { DEFAULT_JOB_CONFIG } from '../src/domain/job-config.ts';
import {
  type DoPart,
  type RunStage,
  type SharedParts,
  STAGE_NAMES,
  type VideoReference,
} from '../src/domain/stage.ts';
import { assembleJobs } from '../src/jobs/open-jobs.ts';
import { outlineOf } from '../src/media/read/outline.ts';
import { MediaEngine } from '../src/pipeline/engine/engine.ts';
import { stageRunner } from '../src/pipeline/stages/stage-table.ts';
import { seededRandom } from '../src/signal/seeded-random.ts';
import { median } from '../src/signal/statistics.ts';
import { openFileStore } from '../src/storage/file-store.ts';
import { StorageWatch } from '../src/storage/storage-watch.ts';
import { aJob, aPublication, aVideo } from '../test/support/jobs.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { type Cost, measureCost } from './lib/cost.ts';
import { longClip } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';

const USAGE =
  'node bench/segments.ts [SOURCE] [--segment 10] [--runs 3] [--parts 41] [--part-ms 500] [--no-save]';
const SILENT = pino({ level: 'silent' });
const WORKERS = [1, 2, 4, 8];
/** Cost of joining as a share of the time of all parts, from the first half. */
const JOIN_SHARE = 0.02;

/** Parts done here alone, so many at a time. */
function doneHere(atOnce: number): SharedParts {
  return {
    async all(_plan: string, count: number, doPart: DoPart, onProgress) {
      const results: unknown[] = new Array(count);
      let next = 0;
      const { signal } = new AbortController();
      const lane = async () => {
        for (let part = next++; part < count; part = next++)
          results[part] = await doPart(part, { signal, onProgress });
      };
      await Promise.all(Array.from({ length: atOnce }, lane));
      return results;
    },
    forget: async () => {},
  };
}

async function measureReal(path: string, segmentSeconds: number, runs: number) {
  const folder = await mkdtemp(join(tmpdir(), 'styledna-bench-'));
  try {
    const blobs = await openFileStore(join(folder, 'blobs'));
    const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 300 });
    await engine.prepare();
    const storage = new StorageWatch({ logger: SILENT, check: () => blobs.check() });
    const runStage = stageRunner({ engine, blobs, storage, segmentSeconds });
    await blobs.put('videos/source', createReadStream(path));
    const { width, height } = (await outlineOf(path)).video!;
    const source: VideoReference = {
      ...{ videoId: 'source', sha256: 'ab'.repeat(32), blobKey: 'videos/source', filename: 'source' },
      ...{ durationSeconds: 3600, width, height },
    };
    const work = {
      ...{ jobId: 'job', attempt: 1, product: null, source, template: null, style: null },
      ...{ config: DEFAULT_JOB_CONFIG, signal: new AbortController().signal, onProgress: () => {} },
    };
    for (const stage of STAGE_NAMES) await runStage({ ...work, stage });
    const variants = {
      'at once': undefined,
      'in segments': doneHere(1),
      'in segments, two at a time': doneHere(2),
    };
    const costs = new Map<string, Cost[]>(Object.keys(variants).map((way) => [way, []]));
    for (let run = 0; run < runs; run++) {
      for (const [way, parts] of Object.entries(variants)) {
        const { cost } = await measureCost(() =>
          runStage({ ...work, stage: 'rendering', ...(parts === undefined ? {} : { parts }) }),
        );
        costs.get(way)!.push(cost);
      }
    }
    return [...costs].map(([way, all]) => ({
      way,
      cpuSeconds: median(all.map(({ cpuSeconds }) => cpuSeconds)),
      wallSeconds: median(all.map(({ wallSeconds }) => wallSeconds)),
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Seconds of a job with this many parts and workers. */
async function measureShared(url: string, workers: number, parts: number, partMs: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'styledna-bench-'));
  const random = seededRandom(1);
  // Durations of parts vary: from 0.7 to 1.3 of the mean. The sound is first and counts as two.
  const durations = Array.from(
    { length: parts },
    (_, part) => partMs * (part === 0 ? 2 : 0.7 + 0.6 * random()),
  );
  const total = durations.reduce((sum, ms) => sum + ms, 0);
  const doPart: DoPart = async (part, { signal }) => {
    await sleep(durations[part], undefined, { signal });
    return part;
  };
  const runStage: RunStage = async ({ jobId, attempt, stage, parts: shared, onProgress }) => {
    if (stage !== 'rendering') return { warnings: [] };
    await shared!.all('a plan', parts, doPart, onProgress);
    await sleep(total * JOIN_SHARE);
    await shared!.forget();
    return { warnings: [], publication: aPublication(jobId, attempt) };
  };
  const services = await Promise.all(
    Array.from({ length: workers }, async () => {
      const database = await openPostgres(url);
      await migrate(database);
      const blobs = await openFileStore(join(folder, 'blobs'));
      const storage = new StorageWatch({ logger: SILENT, check: () => blobs.check() });
      const jobs = assembleJobs({ database, blobs, storage, logger: SILENT, jobEnded: async () => {} });
      await jobs.start();
      return { database, jobs };
    }),
  );
  const { jobs } = services[0];
  const video = aVideo();
  await jobs.videos.insert(video, null);
  const runPart = async (work: Parameters<DoPart>[1], { part }: { readonly part: number }) =>
    doPart(part, work);
  for (const service of services) await service.jobs.startWorker(runStage, { concurrency: 1, runPart });
  const startedMs = performance.now();
  const { jobId } = await jobs.service.create(aJob(video.videoId), null);
  for (;;) {
    const job = await jobs.service.waitForEnd(jobId, 60_000, new AbortController().signal);
    if (job?.status === 'completed') break;
  }
  const seconds = (performance.now() - startedMs) / 1000;
  for (const service of services) {
    await service.jobs.stop(0);
    await service.database.close();
  }
  await rm(folder, { recursive: true, force: true });
  return seconds;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    segment: { type: 'string', default: '10' },
    runs: { type: 'string', default: '3' },
    parts: { type: 'string', default: '41' },
    'part-ms': { type: 'string', default: '500' },
    'no-save': { type: 'boolean', default: false },
  },
});
if (positionals.length > 1) throw new Error(USAGE);
const conditions = currentConditions();
const real = await measureReal(
  positionals[0] ?? (await longClip()),
  Number(values.segment),
  Number(values.runs),
);
const whole = real[0];
const ratio = (value: number, of: number) => (value / of).toFixed(2);
console.log(
  table(
    ['drawn', 'CPU s', 'wall s', 'CPU / at once', 'wall / at once'],
    real.map(({ way, cpuSeconds, wallSeconds }) => [
      ...[way, cpuSeconds.toFixed(1), wallSeconds.toFixed(1)],
      ...[ratio(cpuSeconds, whole.cpuSeconds), ratio(wallSeconds, whole.wallSeconds)],
    ]),
  ),
);
const shared: { workers: number; seconds: number }[] = [];
for (const workers of WORKERS) {
  await using server = await startPostgres();
  shared.push({
    workers,
    seconds: await measureShared(server.url, workers, Number(values.parts), Number(values['part-ms'])),
  });
}
const alone = shared[0].seconds;
console.log(
  table(
    ['workers', 's', 'of linear'],
    shared.map(({ workers, seconds }) => [
      ...[String(workers), seconds.toFixed(1), ratio(alone / seconds, workers)],
    ]),
  ),
);
console.log(conditionsInWords(conditions));
if (!values['no-save']) saveResult('segments', { conditions, real, shared });
