/** Config → services: the only file that chooses implementations. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { meteredDatabase } from './database/metered-database.ts';
import { assertMigrated, migrate } from './database/migrations.ts';
import type { QueueDatabase } from './database/queue-database.ts';
import { DiskReserve } from './http/server/disk-reserve.ts';
import type { Door } from './http/server/door.ts';
import { pacedBody } from './http/server/paced-body.ts';
import type { Imports, ImportsParts } from './imports/open-imports.ts';
import type { JobConfig } from './job-config.ts';
import type { JobRefusal } from './jobs/job-intake.ts';
import type { Jobs } from './jobs/open-jobs.ts';
import { agreeOnStore, type PlaceNames } from './jobs/store-agreement.ts';
import { agreeOnPublicUrl } from './jobs/url-agreement.ts';
import { packageCacheRoots } from './pipeline/code-cache.ts';
import { type EngineSettings, MediaEngine } from './pipeline/engine.ts';
import type { StageParts } from './pipeline/stage-table.ts';
import { assertWorkable, sweepWorkspaces } from './pipeline/workspace.ts';
import type { Protection } from './sandbox/protection.ts';
import type { BlobStore } from './storage/blob-store.ts';
import { openCachedStore } from './storage/cached-store.ts';
import { openFileStore } from './storage/file-store.ts';
import { removeLeftBehind } from './storage/left-behind.ts';
import { meteredStore } from './storage/metered-store.ts';
import type { PartialBlobs } from './storage/partial-blobs.ts';
import { PartialFiles } from './storage/partial-files.ts';
import { assertDataDirUsable } from './storage/start-check.ts';
import { StorageWatch } from './storage/storage-watch.ts';
import { assertMarked } from './storage/store-mark.ts';
import type { Style } from './style/model/schema.ts';
import { Metrics } from './telemetry/metrics.ts';
import { NO_TRACING, type Tracing } from './telemetry/tracing.ts';
import { tracingSettings } from './tracing-settings.ts';
import { VERSION } from './version.ts';
import type { Webhooks } from './webhooks/open-webhooks.ts';
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
  /** Answers at its door from now on; resolves with the address. */
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
 * service holds the data directory, or a server cannot be reached. `door`: where it is to answer, closed with it, and when
 * it cannot be opened.
 */
export async function openService(config: Config, logger: Logger, door: Door): Promise<Service> {
  try {
    return await openParts(config, logger, door);
  } catch (error) {
    await door.close();
    throw error;
  }
}

async function openParts(given: Config, logger: Logger, door: Door): Promise<Service> {
  const startedAt = new Date();
  const bucket = await assertPlaces(given);
  const reading = readRest();
  // Before anything is changed: a second service on the same data directory is refused here.
  const basis = await openBasis(given, logger);
  const { database, engine, telemetry } = basis;
  const { blobs, storage, config } = await openStorageOrClose(given, logger, basis, bucket);
  await sweepWorkspaces(engine.workRoot);
  const { createApp, openJobs } = await reading;
  const webhooks = await webhooksOf(config, logger, basis, door.address);
  const jobs = await openJobs({
    database,
    blobs,
    storage,
    logger,
    jobEnded: webhooks.jobEnded,
    ...telemetry,
    settings: { retentionDays: config.RETENTION_DAYS ?? null, ...memoryRefusal(config, engine) },
  });
  const media = await mediaParts(config, basis, blobs);
  const imports = await importsOf({ config, logger, database, blobs, ...media }, jobs, webhooks);
  let draining = false;
  const parts = {
    ...{ config, logger, database, blobs, ...telemetry, ...media },
    partials: await partialBlobs(config, blobs),
    jobs: jobs.desk,
    steering: jobs.steering,
    videos: jobs.videos,
    imports: imports.desk,
    idempotency: jobs.idempotency,
    webhooks: webhooks.desk,
    webhookSecrets: webhooks.secrets,
    checkStorage: () => storage.assertUsable(),
    draining: () => draining,
    ...{ version: VERSION, startedAt },
  };
  const app = await createApp(parts, door);
  return {
    config,
    logger,
    blobs,
    engine,
    jobs,
    webhooks,
    async startWork() {
      const { runStage, runPart } = await runnersOf(config, { engine, blobs, storage });
      await jobs.startWorker(runStage, { concurrency: config.WORKER_CONCURRENCY, runPart });
      await webhooks.startSender();
      // Who takes uploads, with their limits.
      if (config.ROLE !== 'worker') await imports.start();
    },
    async startHttp() {
      await app.ready();
      door.open();
      logger.info(whereabouts(door.address), 'listening');
      return door.address;
    },
    async stop() {
      draining = true;
      await imports.stop();
      await jobs.stop(config.DRAIN_SECONDS * 1000);
      await app.close();
      await door.close();
      await webhooks.stop();
      await database.close();
      await telemetry.tracing.stop();
    },
  };
}

/** What is needed when database and storage are open, read while they open. */
async function readRest() {
  const [{ createApp }, { openJobs }] = await Promise.all([
    import('./http/app.ts'),
    import('./jobs/open-jobs.ts'),
    import('./imports/open-imports.ts'),
    import('./pipeline/preview-desk.ts'),
    import('./pipeline/picture-desk.ts'),
    import('./webhooks/open-webhooks.ts'),
  ]);
  return { createApp, openJobs };
}

/** What a worker does. */
async function runnersOf({ SEGMENT_SECONDS }: Config, parts: Omit<StageParts, 'segmentSeconds'>) {
  const { partRunner, stageRunner } = await import('./pipeline/stage-table.ts');
  const all = { ...parts, segmentSeconds: SEGMENT_SECONDS };
  return { runStage: stageRunner(all), runPart: partRunner(all) };
}

function whereabouts(address: string) {
  const { hostname, port } = new URL(address);
  return { address, host: hostname, port: Number(port) };
}

/** What is made of media within requests. */
async function mediaParts(config: Config, { engine, mediaIsolation }: Basis, blobs: BlobStore) {
  const { BlobPictureDesk } = await import('./pipeline/picture-desk.ts');
  const { BlobPreviewDesk } = await import('./pipeline/preview-desk.ts');
  const { MAX_DURATION_SECONDS: maxDurationSeconds } = config;
  return {
    previews: new BlobPreviewDesk({ engine, blobs }),
    pictures: new BlobPictureDesk({ engine, blobs }),
    probe: (path: string, signal: AbortSignal) =>
      engine.run('probe', { path, maxDurationSeconds }, { signal }),
    checkMediaEngine: cachedCheck(engine),
    mediaIsolation,
  };
}

/** Videos that are fetched, within the limits of those that are sent. */
async function importsOf(
  parts: Omit<ImportsParts, 'limited' | 'networks' | 'answers' | 'importEnded' | 'videos'>,
  { videos, idempotency, importEnded }: Jobs,
  { networks }: Webhooks,
): Promise<Imports> {
  const { openImports } = await import('./imports/open-imports.ts');
  const { config } = parts;
  const reserve = new DiskReserve(config);
  const pace = {
    idleSeconds: config.UPLOAD_IDLE_SECONDS,
    minBytesPerSecond: config.UPLOAD_LEAST_BYTES_PER_SECOND,
  };
  const limited = (body: Readable) => reserve.guard(pacedBody(body, pace));
  return openImports({ ...parts, videos, networks, answers: idempotency, importEnded, limited });
}

/** `address`: where this service listens. */
async function webhooksOf(
  config: Config,
  logger: Logger,
  { database, telemetry }: Basis,
  address: string,
): Promise<Webhooks> {
  const { openWebhooks } = await import('./webhooks/open-webhooks.ts');
  const { jobDetailResponse } = await import('./http/contract/job-response.ts');
  const webhooks = await openWebhooks({
    database,
    logger,
    ...telemetry,
    describeJob: (job) => jobDetailResponse(job, config.PUBLIC_BASE_URL ?? address),
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

/** The files, once it is sure that they are this database's, who knows whether they can be used, and what was agreed on. */
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
  const PUBLIC_BASE_URL = await agreeOnPublicUrl(database, config.PUBLIC_BASE_URL);
  if (config.ROLE === 'worker' && PUBLIC_BASE_URL === undefined)
    logger.warn('PUBLIC_BASE_URL is set for no process: addresses in webhooks lead to this worker');
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
  return { blobs, storage, config: { ...config, PUBLIC_BASE_URL } };
}

/** Beside the blobs, so that any process that reads those can go on with an upload. */
async function partialBlobs({ s3, DATA_DIR }: Config, blobs: BlobStore): Promise<PartialBlobs> {
  if (s3 === null) return new PartialFiles(join(DATA_DIR, 'uploads'), blobs);
  const { S3PartialBlobs } = await import('./storage/s3-partial-blobs.ts');
  return new S3PartialBlobs(s3, blobs);
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

/** The database with its tables. Throws `ConfigError` for tables it may not bring up to date, and what `connectDatabase` throws. */
export async function openDatabase(config: Config): Promise<QueueDatabase> {
  const database = await connectDatabase(config);
  try {
    if (config.MIGRATE_AT_START) await migrate(database);
    else await assertMigrated(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** The database as it is. Throws `DirectoryLockedError` when another process has the embedded one open. */
export async function connectDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<QueueDatabase> {
  if (DATABASE_URL !== undefined) return (await import('./database/postgres.ts')).openPostgres(DATABASE_URL);
  return (await import('./database/pglite.ts')).openPglite(join(DATA_DIR, 'database'));
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
async function assertPlaces({ s3, DATA_DIR, CACHE_BYTES }: Config): Promise<BlobStore | null> {
  await assertDataDirUsable(DATA_DIR);
  if (s3 === null) return null;
  const { openS3Store } = await import('./storage/s3-store.ts');
  const { assertBucketUsable } = await import('./storage/bucket-check.ts');
  const store = await openS3Store(s3, join(DATA_DIR, 'work'));
  await assertBucketUsable(store, s3);
  return CACHE_BYTES === 0 ? store : openCachedStore(store, join(DATA_DIR, 'cache'), CACHE_BYTES);
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
