/** Config → services: the only file that chooses implementations. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { meteredDatabase } from './database/metered-database.ts';
import { migrate } from './database/migrations.ts';
import { openPglite } from './database/pglite.ts';
import { openPostgres } from './database/postgres.ts';
import type { QueueDatabase } from './database/queue-database.ts';
import { createApp } from './http/app.ts';
import { jobDetailResponse } from './http/contract/job-response.ts';
import type { JobConfig } from './job-config.ts';
import type { JobRefusal } from './jobs/job-intake.ts';
import { type Jobs, openJobs } from './jobs/open-jobs.ts';
import { agreeOnStore, type PlaceNames } from './jobs/store-agreement.ts';
import { packageCacheRoots } from './pipeline/code-cache.ts';
import { type EngineSettings, MediaEngine } from './pipeline/engine.ts';
import { BlobPictureDesk } from './pipeline/picture-desk.ts';
import { BlobPreviewDesk } from './pipeline/preview-desk.ts';
import { stageRunner } from './pipeline/stage-table.ts';
import { assertWorkable, sweepWorkspaces } from './pipeline/workspace.ts';
import type { Protection } from './sandbox/protection.ts';
import type { BlobStore } from './storage/blob-store.ts';
import { openFileStore } from './storage/file-store.ts';
import { removeLeftBehind } from './storage/left-behind.ts';
import { meteredStore } from './storage/metered-store.ts';
import { openS3Store } from './storage/s3-store.ts';
import { assertBucketUsable, assertDataDirUsable } from './storage/start-check.ts';
import { StorageWatch } from './storage/storage-watch.ts';
import { assertMarked } from './storage/store-mark.ts';
import type { Style } from './style/model/schema.ts';
import { Metrics } from './telemetry/metrics.ts';
import { NO_TRACING, type Tracing } from './telemetry/tracing.ts';
import { tracingSettings } from './tracing-settings.ts';
import { VERSION } from './version.ts';
import { openWebhooks, type Webhooks } from './webhooks/open-webhooks.ts';
import { keepSecretFile } from './webhooks/secret-file.ts';

/** What a running process of ours is made of. */
export interface Service {
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

export function openEngine(
  config: Config,
  more: Pick<EngineSettings, 'blamed' | 'metrics' | 'tracing'> = {},
): MediaEngine {
  return new MediaEngine({
    ...more,
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
export async function openService(config: Config, logger: Logger): Promise<Service> {
  const startedAt = new Date();
  const bucket = await assertPlaces(config);
  // Before anything is changed: a second service on the same data directory is refused here.
  const basis = await openBasis(config, logger);
  const { database, engine, mediaIsolation, telemetry } = basis;
  const { blobs, storage } = await openStorageOrClose(config, logger, basis, bucket);
  await sweepWorkspaces(engine.workRoot);
  let address = `http://${config.HOST}:${config.PORT}`;
  const webhooks = await webhooksOf(config, logger, basis, () => address);
  const jobs = await openJobs({
    database,
    blobs,
    storage,
    logger,
    jobEnded: webhooks.jobEnded,
    ...telemetry,
    settings: { retentionDays: config.RETENTION_DAYS ?? null, ...memoryRefusal(config, engine) },
  });
  let draining = false;
  const app = await createApp({
    config,
    logger,
    database,
    blobs,
    jobs: jobs.desk,
    steering: jobs.steering,
    videos: jobs.videos,
    idempotency: jobs.idempotency,
    webhooks: webhooks.desk,
    ...telemetry,
    webhookSecrets: webhooks.secrets,
    previews: new BlobPreviewDesk({ engine, blobs }),
    pictures: new BlobPictureDesk({ engine, blobs }),
    probe: proberOf(config, engine),
    checkStorage: () => storage.assertUsable(),
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
      const runStage = stageRunner({ engine, blobs, storage });
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
      await telemetry.tracing.stop();
    },
  };
}

function proberOf({ MAX_DURATION_SECONDS: maxDurationSeconds }: Config, engine: MediaEngine) {
  return (path: string, signal: AbortSignal) => engine.run('probe', { path, maxDurationSeconds }, { signal });
}

/** `address`: where this service listens, once it does. */
async function webhooksOf(
  config: Config,
  logger: Logger,
  { database, telemetry }: Basis,
  address: () => string,
): Promise<Webhooks> {
  const webhooks = await openWebhooks({
    database,
    logger,
    ...telemetry,
    describeJob: (job) => jobDetailResponse(job, config.PUBLIC_BASE_URL ?? address()),
    secrets: config.WEBHOOK_SECRETS,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
  });
  if (config.DATABASE_URL === undefined) await keepSecretFile(config.DATA_DIR, webhooks.secrets);
  return webhooks;
}

/** A process that does no work of its own knows nothing of the memory of those that do: their first stage refuses then. */
function memoryRefusal(config: Config, engine: MediaEngine): { readonly refusal?: JobRefusal } {
  if (config.WORKER_CONCURRENCY === 0) return {};
  const refusal: JobRefusal = ({ config: given, givenStyle }, source, template) =>
    engine.memoryRefusal({
      source,
      template,
      // What a new job's config and style are: their schemas gave them.
      config: given as JobConfig,
      style: givenStyle as Style | null,
    });
  return { refusal };
}

/** The database, and an engine that knows how it may start its children: each takes a moment, so both at once. */
async function openBasis(config: Config, logger: Logger) {
  let storage: StorageWatch | undefined;
  const metrics = new Metrics(VERSION);
  const tracing = await openTracing(config, logger);
  const blamed = async (error: unknown) => storage?.blamed(error) ?? error;
  const engine = openEngine(config, { blamed, metrics, tracing });
  const [opened, found] = await Promise.allSettled([openDatabase(config), prepared(engine, logger)]);
  if (opened.status === 'rejected') throw opened.reason;
  if (found.status === 'rejected') {
    await opened.value.close();
    throw found.reason;
  }
  return {
    database: meteredDatabase(opened.value, metrics),
    engine,
    telemetry: { metrics, tracing },
    mediaIsolation: found.value,
    storageOpened: (watch: StorageWatch) => {
      storage = watch;
    },
  };
}

/** Its packages are loaded only where traces are wanted. */
async function openTracing(config: Config, logger: Logger): Promise<Tracing> {
  const settings = tracingSettings(config);
  if (settings === null) return NO_TRACING;
  const { openTelemetryTracing } = await import('./telemetry/open-telemetry.ts');
  return openTelemetryTracing(settings, VERSION, logger);
}

type Basis = Awaited<ReturnType<typeof openBasis>>;

async function openStorageOrClose(...[config, logger, basis, bucket]: Parameters<typeof openStorage>) {
  return openStorage(config, logger, basis, bucket).catch(async (error) => {
    await basis.database.close();
    throw error;
  });
}

/** The files, once it is sure that they are this database's, and who knows whether they can be used. */
async function openStorage(
  config: Config,
  logger: Logger,
  { database, engine, telemetry: { metrics }, storageOpened }: Basis,
  bucket: BlobStore | null,
) {
  const blobs = meteredStore(bucket ?? (await openFileStore(join(config.DATA_DIR, 'blobs'))), metrics);
  const names = placeNames(config);
  await agreeOnStore(database, blobs, names);
  logger.info(names, 'database and storage');
  const storage = new StorageWatch({
    logger,
    onRetry: () => metrics.storageRetries.inc(),
    async check() {
      await assertMarked(blobs);
      await blobs.check();
      await assertWorkable(engine.workRoot);
      await removeLeftBehind();
    },
  });
  storageOpened(storage);
  return { blobs, storage };
}

/** What media processes are kept from, told to the log as well. */
async function prepared(engine: MediaEngine, logger: Logger): Promise<Protection> {
  const mediaIsolation = await engine.prepare();
  if (Object.values(mediaIsolation).every(Boolean))
    logger.info({ mediaIsolation }, 'media processes are confined');
  else logger.warn({ mediaIsolation }, 'media processes are not wholly confined');
  return mediaIsolation;
}

/** Database and files without a service: to move them. Throws what `openService` throws. */
export async function openInstallation(config: Config, logger: Logger) {
  const bucket = await assertPlaces(config);
  const database = await openDatabase(config);
  try {
    const blobs = bucket ?? (await openFileStore(join(config.DATA_DIR, 'blobs')));
    const names = placeNames(config);
    await agreeOnStore(database, blobs, names);
    logger.info(names, 'database and storage');
    return { database, blobs };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The database with its tables. Throws `DirectoryLockedError` when another process has the embedded one open. */
export async function openDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<QueueDatabase> {
  const database =
    DATABASE_URL === undefined
      ? await openPglite(join(DATA_DIR, 'database'))
      : await openPostgres(DATABASE_URL);
  await migrate(database);
  return database;
}

/** Where the data lie, in words, without users and passwords. */
function placeNames({ DATABASE_URL, DATA_DIR, s3 }: Config): PlaceNames {
  const url = DATABASE_URL === undefined ? null : new URL(DATABASE_URL);
  return {
    database:
      url === null
        ? `the embedded database in ${join(DATA_DIR, 'database')}`
        : `PostgreSQL at ${url.host}, database ${url.pathname.slice(1)}`,
    storage:
      s3 === null
        ? `the folder ${join(DATA_DIR, 'blobs')} on ${hostname()}`
        : `the bucket "${s3.bucket}" at ${s3.endpoint ?? `Amazon S3 in ${s3.region}`}`,
  };
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
