import type { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { DiskReserve } from './http/server/disk-reserve.ts';
import type { Door } from './http/server/door.ts';
import { limitedProbe, PROBES_AT_ONCE } from './http/server/limited-probe.ts';
import { pacedBody } from './http/server/paced-body.ts';
import type { Imports, ImportsParts } from './imports/open-imports.ts';
import { assertPlaces, type Basis, openBasis, openStorageOrClose, partialBlobs } from './installation.ts';
import type { JobConfig } from './job-config.ts';
import type { JobRefusal } from './jobs/job-intake.ts';
import type { Jobs } from './jobs/open-jobs.ts';
import type { MediaEngine } from './pipeline/engine.ts';
import type { StageParts } from './pipeline/stage-table.ts';
import { sweepWorkspaces } from './pipeline/workspace.ts';
import type { Protection } from './sandbox/protection.ts';
import type { BlobStore } from './storage/blob-store.ts';
import type { Style } from './style/model/schema.ts';
import { toldWhileSlow } from './telemetry/slow-step.ts';
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
  const bucket = await toldWhileSlow(logger, 'the storage', () => assertPlaces(given));
  // Before anything is changed: a second service on the same data directory is refused here. PostgreSQL starts while the rest is read.
  const opening = openBasis(given, logger);
  const reading = readRest();
  const basis = await opening;
  const { database, engine, telemetry } = basis;
  const { blobs, storage, config } = await openStorageOrClose(given, logger, basis, bucket);
  const { createApp, assembleJobs } = await reading;
  const webhooks = await webhooksOf(config, logger, basis, door.address);
  const mediaIsolation = await isolationOrClose(basis, webhooks);
  const jobs = assembleJobs({
    ...{ database, blobs, storage, logger, ...telemetry },
    jobEnded: webhooks.jobEnded,
    settings: { retentionDays: config.RETENTION_DAYS ?? null, ...memoryRefusal(config, engine) },
  });
  const media = { ...(await mediaParts(config, engine, blobs)), mediaIsolation };
  const common = { config, logger, database, blobs, ...telemetry, ...media };
  const imports = await importsOf(common, jobs, webhooks);
  let draining = false;
  const parts = {
    ...common,
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
  const queue = 'the tables of the queue, or other processes that start';
  const [, app] = await Promise.all([
    toldWhileSlow(logger, queue, () => jobs.start()),
    createApp(parts, door),
  ]);
  return {
    ...{ config, logger, blobs, engine, jobs, webhooks },
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
      await media.previews[Symbol.asyncDispose]();
      await door.close();
      await webhooks.stop();
      await database.close();
      await telemetry.tracing.stop();
    },
  };
}

/**
 * What media processes are kept from, found out while the rest was opened; that is closed again where it is not what it must be.
 * Afterwards working folders of processes that are gone are removed: it needed one itself, which is gone by now.
 */
async function isolationOrClose(
  { mediaIsolation, database, engine }: Basis,
  webhooks: Webhooks,
): Promise<Protection> {
  try {
    const found = await mediaIsolation;
    await sweepWorkspaces(engine.workRoot);
    return found;
  } catch (error) {
    await webhooks.stop();
    await database.close();
    throw error;
  }
}

/** What is needed when database and storage are open, read while they open. */
async function readRest() {
  const [{ createApp }, { assembleJobs }] = await Promise.all([
    import('./http/app.ts'),
    import('./jobs/open-jobs.ts'),
    import('./imports/open-imports.ts'),
    import('./pipeline/preview-desk.ts'),
    import('./pipeline/picture-desk.ts'),
    import('./webhooks/open-webhooks.ts'),
  ]);
  return { createApp, assembleJobs };
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
async function mediaParts(config: Config, engine: MediaEngine, blobs: BlobStore) {
  const { BlobPictureDesk } = await import('./pipeline/picture-desk.ts');
  const { BlobPreviewDesk } = await import('./pipeline/preview-desk.ts');
  const { MAX_DURATION_SECONDS: maxDurationSeconds } = config;
  return {
    previews: new BlobPreviewDesk({ engine, blobs }),
    pictures: new BlobPictureDesk({ engine, blobs }),
    // Of uploads and imports together.
    probe: limitedProbe(PROBES_AT_ONCE, (path, signal) =>
      engine.run('probe', { path, maxDurationSeconds }, { signal }),
    ),
    checkMediaEngine: cachedCheck(engine),
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
