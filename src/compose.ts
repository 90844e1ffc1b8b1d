/** Config → services: the only file that chooses implementations. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { migrate } from './database/migrations.ts';
import type { QueueDatabase } from './database/queue-database.ts';
import type { Door } from './http/server/door.ts';
import type { HttpParts } from './http/server/parts.ts';
import type { JobConfig } from './job-config.ts';
import type { JobRefusal } from './jobs/job-intake.ts';
import type { Jobs } from './jobs/open-jobs.ts';
import { agreeOnStore, type PlaceNames } from './jobs/store-agreement.ts';
import { packageCacheRoots } from './pipeline/code-cache.ts';
import { MediaEngine } from './pipeline/engine.ts';
import { assertWorkable, sweepWorkspaces } from './pipeline/workspace.ts';
import type { Protection } from './sandbox/protection.ts';
import type { BlobStore } from './storage/blob-store.ts';
import { openFileStore } from './storage/file-store.ts';
import { removeLeftBehind } from './storage/left-behind.ts';
import { assertDataDirUsable } from './storage/start-check.ts';
import { StorageWatch } from './storage/storage-watch.ts';
import { assertMarked } from './storage/store-mark.ts';
import type { Style } from './style/model/schema.ts';
import { VERSION } from './version.ts';
import type { Webhooks, WebhooksParts } from './webhooks/open-webhooks.ts';
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
  /** Answers at its door from now on; resolves with the address. Throws where it was given none. */
  startHttp(): Promise<string>;
  /** No new work; what runs may finish within the grace time, the rest is handed over. */
  stop(): Promise<void>;
}

const MEDIA_CHECK_MS = 60_000;

export function openEngine(config: Config, blamed?: (error: unknown) => Promise<unknown>): MediaEngine {
  return new MediaEngine({
    ...(blamed === undefined ? {} : { blamed }),
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
 * it cannot be opened; null: nowhere.
 */
export async function openService(config: Config, logger: Logger, door: Door | null): Promise<Service> {
  try {
    return await openParts(config, logger, door);
  } catch (error) {
    await door?.close();
    throw error;
  }
}

async function openParts(config: Config, logger: Logger, door: Door | null): Promise<Service> {
  const startedAt = new Date();
  const bucket = await assertPlaces(config);
  const reading = readRest(door !== null);
  // Before anything is changed: a second service on the same data directory is refused here.
  const basis = await openBasis(config, logger);
  const { database, engine, mediaIsolation } = basis;
  const { blobs, storage } = await openStorage(config, logger, basis, bucket);
  await sweepWorkspaces(engine.workRoot);
  const address = door?.address ?? `http://${config.HOST}:${config.PORT}`;
  const modules = await reading;
  const webhooks = await webhooksOf(config, logger, database, (job) =>
    modules.jobDetailResponse(job, config.PUBLIC_BASE_URL ?? address),
  );
  const jobs = await modules.openJobs({
    database,
    blobs,
    storage,
    logger,
    jobEnded: webhooks.jobEnded,
    settings: { retentionDays: config.RETENTION_DAYS ?? null, ...memoryRefusal(config, engine) },
  });
  let draining = false;
  const desks = {
    jobs: jobs.desk,
    videos: jobs.videos,
    idempotency: jobs.idempotency,
    webhooks: webhooks.desk,
    webhookSecrets: webhooks.secrets,
    previews: new modules.BlobPreviewDesk({ engine, blobs }),
    pictures: new modules.BlobPictureDesk({ engine, blobs }),
  };
  const parts: HttpParts = {
    ...{ config, logger, database, blobs, mediaIsolation, startedAt, ...desks },
    ...mediaOf(config, engine),
    checkStorage: () => storage.assertUsable(),
    draining: () => draining,
    version: VERSION,
  };
  const app = await modules.createApp?.(parts, door!);
  return {
    config,
    logger,
    blobs,
    engine,
    jobs,
    webhooks,
    async startWork() {
      const { stageRunner } = await import('./pipeline/stage-table.ts');
      const runStage = stageRunner({ engine, blobs, storage });
      await jobs.startWorker(runStage, { concurrency: config.WORKER_CONCURRENCY });
      await webhooks.startSender();
    },
    async startHttp() {
      if (app === undefined || door === null) throw new Error('it was opened without a door');
      await app.ready();
      door.open();
      logger.info(whereabouts(address), 'listening');
      return address;
    },
    async stop() {
      draining = true;
      await jobs.stop(config.DRAIN_SECONDS * 1000);
      await app?.close();
      await door?.close();
      await webhooks.stop();
      await database.close();
    },
  };
}

function whereabouts(address: string) {
  const { hostname, port } = new URL(address);
  return { address, host: hostname, port: Number(port) };
}

function mediaOf(config: Config, engine: MediaEngine): Pick<HttpParts, 'probe' | 'checkMediaEngine'> {
  const limits = { maxDurationSeconds: config.MAX_DURATION_SECONDS };
  return {
    probe: (path, signal) => engine.run('probe', { path, ...limits }, { signal }),
    checkMediaEngine: cachedCheck(engine),
  };
}

/** What is needed when database and storage are open, read while they open. */
async function readRest(withHttp: boolean) {
  const http = withHttp ? import('./http/app.ts') : null;
  const rooms = [
    import('./jobs/open-jobs.ts'),
    import('./http/contract/job-response.ts'),
    import('./pipeline/preview-desk.ts'),
    import('./pipeline/picture-desk.ts'),
    import('./webhooks/open-webhooks.ts'),
  ] as const;
  const [{ openJobs }, { jobDetailResponse }, { BlobPreviewDesk }, { BlobPictureDesk }, { openWebhooks }] =
    await Promise.all(rooms);
  const createApp = (await http)?.createApp;
  return { createApp, openJobs, jobDetailResponse, BlobPreviewDesk, BlobPictureDesk, openWebhooks };
}

async function webhooksOf(
  config: Config,
  logger: Logger,
  database: QueueDatabase,
  describeJob: WebhooksParts['describeJob'],
): Promise<Webhooks> {
  const { openWebhooks } = await import('./webhooks/open-webhooks.ts');
  const webhooks = await openWebhooks({
    database,
    logger,
    describeJob,
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
  const engine = openEngine(config, async (error) => storage?.blamed(error) ?? error);
  const [opened, found] = await Promise.allSettled([openDatabase(config), prepared(engine, logger)]);
  if (opened.status === 'rejected') throw opened.reason;
  if (found.status === 'rejected') {
    await opened.value.close();
    throw found.reason;
  }
  return {
    database: opened.value,
    engine,
    mediaIsolation: found.value,
    storageOpened: (watch: StorageWatch) => {
      storage = watch;
    },
  };
}

type Basis = Awaited<ReturnType<typeof openBasis>>;

/** The files, once it is sure that they are this database's, which is closed where they are not. */
async function openStorage(config: Config, logger: Logger, basis: Basis, bucket: BlobStore | null) {
  try {
    return await agreedStorage(config, logger, basis, bucket);
  } catch (error) {
    await basis.database.close();
    throw error;
  }
}

/** With who knows whether they can be used. */
async function agreedStorage(
  config: Config,
  logger: Logger,
  { database, engine, storageOpened }: Basis,
  bucket: BlobStore | null,
) {
  const blobs = bucket ?? (await openFileStore(join(config.DATA_DIR, 'blobs')));
  const names = placeNames(config);
  await agreeOnStore(database, blobs, names);
  logger.info(names, 'database and storage');
  const storage = new StorageWatch({
    logger,
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

/** The database with its tables. Throws `DirectoryLockedError` when another process has the embedded one open. */
export async function openDatabase({ DATABASE_URL, DATA_DIR }: Config): Promise<QueueDatabase> {
  const database =
    DATABASE_URL === undefined
      ? await (await import('./database/pglite.ts')).openPglite(join(DATA_DIR, 'database'))
      : await (await import('./database/postgres.ts')).openPostgres(DATABASE_URL);
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
  const { openS3Store } = await import('./storage/s3-store.ts');
  const { assertBucketUsable } = await import('./storage/bucket-check.ts');
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
