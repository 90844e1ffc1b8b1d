/** Config → services: the only file that chooses implementations. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { migrate } from './database/migrations.ts';
import { openPglite } from './database/pglite.ts';
import { openPostgres } from './database/postgres.ts';
import type { QueueDatabase } from './database/queue-database.ts';
import { createApp } from './http/app.ts';
import { type Jobs, openJobs } from './jobs/open-jobs.ts';
import type { Protection } from './media/child-protection.ts';
import { packageCacheRoots } from './pipeline/code-cache.ts';
import { MediaEngine } from './pipeline/engine.ts';
import { Results } from './pipeline/results.ts';
import { stageRunner } from './pipeline/stage-table.ts';
import { sweepWorkspaces } from './pipeline/workspace.ts';
import type { BlobStore } from './storage/blob-store.ts';
import { openFileStore } from './storage/file-store.ts';
import { openS3Store } from './storage/s3-store.ts';
import { assertBucketUsable, assertDataDirUsable } from './storage/start-check.ts';
import { VERSION } from './version.ts';
import { isLoopbackHost } from './webhooks/address-guard.ts';
import { openWebhooks, type Webhooks } from './webhooks/open-webhooks.ts';

/** What a running process of ours is made of. */
export interface House {
  readonly config: Config;
  readonly logger: Logger;
  readonly blobs: BlobStore;
  readonly engine: MediaEngine;
  readonly jobs: Jobs;
  readonly webhooks: Webhooks;
  /** Starts to take jobs and to send webhooks in this process. */
  startWork(): Promise<void>;
  /** Listens; resolves with the address. */
  startHttp(): Promise<string>;
  /** No new work; what runs may finish within the grace time, the rest is handed over. */
  stop(): Promise<void>;
}

const MEDIA_CHECK_MS = 60_000;

export function openEngine(config: Config): MediaEngine {
  return new MediaEngine({
    workRoot: join(config.DATA_DIR, 'work'),
    idleSeconds: config.STAGE_IDLE_SECONDS,
    memoryBytes: config.CHILD_MEMORY_BYTES,
    isolation: config.MEDIA_ISOLATION,
    cacheRoots: [...packageCacheRoots(), join(config.DATA_DIR, 'code-cache')],
  });
}

/**
 * Opens everything. Throws `ConfigError` when the data directory or the bucket cannot be written, and when another
 * service holds the data directory, or a server cannot be reached.
 */
export async function openHouse(config: Config, logger: Logger): Promise<House> {
  const startedAt = new Date();
  const bucket = await assertPlaces(config);
  // Before anything is changed: a second service on the same data directory is refused here.
  const { database, engine, mediaIsolation } = await openBasis(config, logger);
  const blobs = bucket ?? (await openFileStore(join(config.DATA_DIR, 'blobs')));
  await sweepWorkspaces(engine.workRoot);
  let address = `http://${config.HOST}:${config.PORT}`;
  const webhooks = await openWebhooks({
    database,
    logger,
    baseUrl: () => config.PUBLIC_BASE_URL ?? address,
    secrets: config.WEBHOOK_SECRETS,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
    listensOnLoopback: isLoopbackHost(config.HOST),
  });
  const jobs = await openJobs({
    database,
    blobs,
    logger,
    jobEnded: webhooks.jobEnded,
    settings: { retentionDays: config.RETENTION_DAYS ?? null },
  });
  const results = new Results(blobs);
  let draining = false;
  const app = await createApp({
    config,
    logger,
    database,
    blobs,
    jobs: jobs.desk,
    videos: jobs.videos,
    idempotency: jobs.idempotency,
    webhooks: webhooks.desk,
    probe: (path, signal) =>
      engine.run('probe', { path, maxDurationSeconds: config.MAX_DURATION_SECONDS }, { signal }),
    checkMediaEngine: cachedCheck(engine),
    mediaIsolation,
    draining: () => draining,
    version: VERSION,
    startedAt,
  });
  return {
    config,
    logger,
    blobs,
    engine,
    jobs,
    webhooks,
    async startWork() {
      const runStage = stageRunner({ engine, blobs, results });
      await jobs.startWorker(runStage, { concurrency: config.WORKER_CONCURRENCY });
      await webhooks.startSender();
    },
    async startHttp() {
      address = await app.listen({ host: config.HOST, port: config.PORT });
      const { hostname, port } = new URL(address);
      logger.info({ address, host: hostname, port: Number(port) }, 'listening');
      return address;
    },
    async stop() {
      draining = true;
      await jobs.stop(config.DRAIN_SECONDS * 1000);
      await app.close();
      await webhooks.stop();
      await database.close();
    },
  };
}

/** The database, and an engine that knows how it may start its children: each takes a moment, so both at once. */
async function openBasis(config: Config, logger: Logger) {
  const engine = openEngine(config);
  const [opened, found] = await Promise.allSettled([openDatabase(config), prepared(engine, logger)]);
  if (opened.status === 'rejected') throw opened.reason;
  if (found.status === 'rejected') {
    await opened.value.close();
    throw found.reason;
  }
  return { database: opened.value, engine, mediaIsolation: found.value };
}

/** What media processes are kept from, told to the log as well. */
async function prepared(engine: MediaEngine, logger: Logger): Promise<Protection> {
  const mediaIsolation = await engine.prepare();
  if (Object.values(mediaIsolation).every(Boolean))
    logger.info({ mediaIsolation }, 'media processes are confined');
  else logger.warn({ mediaIsolation }, 'media processes are not wholly confined');
  return mediaIsolation;
}

async function openDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<QueueDatabase> {
  const database =
    DATABASE_URL === undefined
      ? await openPglite(join(DATA_DIR, 'database'))
      : await openPostgres(DATABASE_URL);
  await migrate(database);
  return database;
}

/** Before a database is opened, which takes longer: the data directory, and the bucket where there is one. */
async function assertPlaces({ s3, DATA_DIR }: Config): Promise<BlobStore | null> {
  await assertDataDirUsable(DATA_DIR);
  if (s3 === null) return null;
  const store = await openS3Store(s3, join(DATA_DIR, 'work'));
  await assertBucketUsable(store, s3);
  return store;
}

/** Starts a child now and then, to see that it can be done; remembers the answer for a minute. */
function cachedCheck(engine: MediaEngine): () => Promise<void> {
  let last: { readonly at: number; readonly answer: Promise<void> } | undefined;
  return () => {
    if (last === undefined || Date.now() - last.at > MEDIA_CHECK_MS) {
      const answer = engine.run('ping', null, { signal: AbortSignal.timeout(10_000) }).then(() => {});
      last = { at: Date.now(), answer };
      answer.catch(() => {
        last = undefined;
      });
    }
    return last.answer;
  };
}
