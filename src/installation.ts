/** The parts of an installation: its database, its files, and the media engine. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { meteredDatabase } from './database/metered-database.ts';
import { assertMigrated, migrate } from './database/migrations.ts';
import { openPglite } from './database/pglite.ts';
import type { QueueDatabase } from './database/queue-database.ts';
import { startError } from './database/start-check.ts';
import { agreeOnStore, type PlaceNames } from './jobs/store-agreement.ts';
import { agreeOnPublicUrl } from './jobs/url-agreement.ts';
import { VERSION } from './package/version.ts';
import { packageCacheRoots } from './pipeline/engine/code-cache.ts';
import { type EngineSettings, MediaEngine } from './pipeline/engine/engine.ts';
import { assertWorkable } from './pipeline/engine/workspace.ts';
import type { Protection } from './sandbox/protection.ts';
import type { Config } from './settings/config.ts';
import { tracingSettings } from './settings/tracing-settings.ts';
import type { BlobStore } from './storage/blob-store.ts';
import { openCachedStore } from './storage/cached-store.ts';
import { retryDeferredRemovals } from './storage/deferred-removals.ts';
import { openFileStore } from './storage/file-store.ts';
import { meteredStore } from './storage/metered-store.ts';
import type { PartialBlobs } from './storage/partial-blobs.ts';
import { PartialFiles } from './storage/partial-files.ts';
import { assertDataDirUsable } from './storage/start-check.ts';
import { StorageWatch } from './storage/storage-watch.ts';
import { assertMarked } from './storage/store-mark.ts';
import { logWhileSlow } from './telemetry/slow-step.ts';
import { NO_TRACING, type Tracing } from './telemetry/tracing.ts';

export function openEngine(
  config: Config,
  more: Pick<EngineSettings, 'causeOf' | 'metrics' | 'tracing'> = {},
): MediaEngine {
  return new MediaEngine({
    ...more,
    workRoot: join(config.DATA_DIR, 'work'),
    idleSeconds: config.STAGE_IDLE_SECONDS,
    memoryBytes: config.CHILD_MEMORY_BYTES,
    isolation: config.MEDIA_ISOLATION,
    encoder: config.ENCODER,
    cacheRoots: [...packageCacheRoots(), join(config.DATA_DIR, 'code-cache')],
  });
}

/**
 * The database, and an engine that finds out how it may start its children. That takes a tenth of a second,
 * mostly of waiting, in which the rest opens. `mediaIsolation` resolves with the result. It rejects if media
 * processes cannot be confined as required.
 */
export async function openBasis(config: Config, logger: Logger) {
  // First, because an embedded database starts on its own thread while the other modules load.
  const database = logWhileSlow(logger, 'the database, or another process that migrates it', () =>
    openDatabase(config),
  );
  await using opened = new AsyncDisposableStack();
  opened.defer(() =>
    database.then(
      (one) => one.close(),
      () => {},
    ),
  );
  const parts = await engineParts(config, logger);
  opened.defer(() => parts.telemetry.tracing.stop());
  // Its process works in the data directory, which is free again afterwards.
  opened.defer(() => settled(parts.mediaIsolation));
  const basis = { ...parts, database: meteredDatabase(await database, parts.telemetry.metrics) };
  opened.move();
  return basis;
}

/** Resolves when the work has ended, however. */
export async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}

async function engineParts(config: Config, logger: Logger) {
  let storage: StorageWatch | undefined;
  const { Metrics } = await import('./telemetry/metrics.ts');
  const metrics = new Metrics(VERSION);
  const tracing = await openTracing(config, logger);
  const causeOf = async (error: unknown) => storage?.attributeToStorage(error) ?? error;
  const engine = openEngine(config, { causeOf, metrics, tracing });
  const mediaIsolation = logWhileSlow(logger, 'a first media process', () =>
    prepared(config, engine, logger),
  );
  // It may reject before anybody waits for it.
  mediaIsolation.catch(() => {});
  return {
    engine,
    telemetry: { metrics, tracing },
    mediaIsolation,
    storageOpened: (watch: StorageWatch) => {
      storage = watch;
    },
  };
}

/** Tracing's packages are loaded only if traces are enabled. */
async function openTracing(config: Config, logger: Logger): Promise<Tracing> {
  const settings = tracingSettings(config);
  if (settings === null) return NO_TRACING;
  const { openTelemetryTracing } = await import('./telemetry/open-telemetry.ts');
  return openTelemetryTracing(settings, VERSION, logger);
}

export type Basis = Awaited<ReturnType<typeof openBasis>>;

/** The storage, after the check that it belongs to this database; the watch on it; and the agreed settings. */
export async function openStorage(
  config: Config,
  logger: Logger,
  { database, engine, telemetry: { metrics }, storageOpened }: Basis,
  bucket: BlobStore | null,
) {
  const blobs = meteredStore(bucket ?? (await openFileStore(join(config.DATA_DIR, 'blobs'))), metrics);
  const names = placeNames(config);
  await logWhileSlow(logger, 'database and storage, or other processes that start', () =>
    agreeOnStore(database, blobs, names),
  );
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
      await retryDeferredRemovals();
    },
  });
  storageOpened(storage);
  return { blobs, storage, config: { ...config, PUBLIC_BASE_URL } };
}

/** In the same place as the blobs, so that any process that reads those can continue an upload. */
export async function partialBlobs({ s3, DATA_DIR }: Config, blobs: BlobStore): Promise<PartialBlobs> {
  if (s3 === null) return new PartialFiles(join(DATA_DIR, 'uploads'), blobs);
  const { S3PartialBlobs } = await import('./storage/s3-partial-blobs.ts');
  return new S3PartialBlobs(s3, blobs);
}

/** Tests the protection of media processes and logs it. */
async function prepared(config: Config, engine: MediaEngine, logger: Logger): Promise<Protection> {
  const mediaIsolation = await engine.prepare();
  if (Object.values(mediaIsolation).every(Boolean))
    logger.info({ mediaIsolation }, 'media processes are confined');
  else logger.warn({ mediaIsolation }, 'media processes are not wholly confined');
  const { codeCacheFailure } = engine;
  if (codeCacheFailure !== null)
    logger.warn(
      { err: codeCacheFailure },
      'media processes start slowly: their code could not be compiled in advance',
    );
  if (config.ENCODER !== 'software' && config.ROLE !== 'api' && config.WORKER_CONCURRENCY > 0) {
    const { encoder, refusal } = await engine.encoder();
    if (refusal === null) logger.info({ encoder }, 'a hardware encoder passed its trial');
    else logger.warn({ wanted: config.ENCODER }, refusal);
  }
  return mediaIsolation;
}

/** Database and files without a service, to export or import them. Throws what `openService` throws. */
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

/**
 * The migrated database. Throws `ConfigError` for tables that this version must not migrate, and what `connectDatabase`
 * throws.
 */
export async function openDatabase(config: Config): Promise<QueueDatabase> {
  const database = await connectDatabase(config);
  try {
    if (config.MIGRATE_AT_START) await migrate(database);
    else await assertMigrated(database);
  } catch (error) {
    await database.close();
    throw startErrorOf(config, error);
  }
  return database;
}

/** The database as it is. Throws `DirectoryLockedError` when another process has the embedded one open. */
export async function connectDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<QueueDatabase> {
  if (DATABASE_URL !== undefined) return (await import('./database/postgres.ts')).openPostgres(DATABASE_URL);
  return openPglite(join(DATA_DIR, 'database'));
}

/** The error of the first use of the database, with its location and a hint. */
export function startErrorOf(config: Config, error: unknown): unknown {
  return config.DATABASE_URL === undefined ? error : startError(error, placeNames(config).database);
}

/** Locations of the data as text, without users and passwords. */
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
export async function assertPlaces({ s3, DATA_DIR, CACHE_BYTES }: Config): Promise<BlobStore | null> {
  await assertDataDirUsable(DATA_DIR);
  if (s3 === null) return null;
  const { openS3Store } = await import('./storage/s3-store.ts');
  const { assertBucketUsable } = await import('./storage/bucket-check.ts');
  const store = await openS3Store(s3, join(DATA_DIR, 'work'));
  await assertBucketUsable(store, s3);
  return CACHE_BYTES === 0 ? store : openCachedStore(store, join(DATA_DIR, 'cache'), CACHE_BYTES);
}
