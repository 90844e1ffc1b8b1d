import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { DiskReserve } from './http/server/disk-reserve.ts';
import type { EarlyListener } from './http/server/early-listener.ts';
import { limitedProbe, PROBES_AT_ONCE } from './http/server/limited-probe.ts';
import { pacedBody } from './http/server/paced-body.ts';
import type { Imports, ImportsParts } from './imports/open-imports.ts';
import { assertPlaces, type Basis, openBasis, openStorage, partialBlobs, settled } from './installation.ts';
import type { JobRefusal } from './jobs/lists/new-job-check.ts';
import type { Jobs } from './jobs/open-jobs.ts';
import { VERSION } from './package/version.ts';
import type { MediaEngine } from './pipeline/engine/engine.ts';
import { engineCheck } from './pipeline/engine/engine-check.ts';
import { sweepWorkspaces } from './pipeline/engine/workspace.ts';
import type { StageParts } from './pipeline/stages/stage-table.ts';
import type { Protection } from './sandbox/protection.ts';
import type { SavedStyleParts } from './saved-styles/database-saved-styles.ts';
import type { SavedStyleService } from './saved-styles/saved-style.ts';
import type { Config } from './settings/config.ts';
import type { BlobStore } from './storage/blob-store.ts';
import type { Style } from './style/model/schema.ts';
import { logWhileSlow } from './telemetry/slow-step.ts';
import type { Webhooks } from './webhooks/open-webhooks.ts';
import { writeSecretFile } from './webhooks/secret-file.ts';

/** A running service process. */
export interface Service {
  readonly config: Config;
  readonly logger: Logger;
  readonly blobs: BlobStore;
  readonly engine: MediaEngine;
  readonly jobs: Jobs;
  readonly webhooks: Webhooks;
  /** Starts to run jobs and to send webhooks in this process. */
  startWork(): Promise<void>;
  /** Starts the HTTP server; resolves with the address. */
  startHttp(): Promise<string>;
  /** Starts no new work; running jobs may finish within the grace time, others are handed over. */
  stop(): Promise<void>;
}

/**
 * Opens everything. Throws `ConfigError` if the data directory or the bucket is not writable, if another
 * service uses the data directory, or if a server cannot be reached. `earlyListener` is closed with the
 * service. A failed start closes everything that it opened, in the order of a stop.
 */
export async function openService(
  config: Config,
  logger: Logger,
  earlyListener: EarlyListener,
): Promise<Service> {
  await using opened = new AsyncDisposableStack();
  opened.defer(() => earlyListener.close());
  const service = await openParts(config, logger, earlyListener, opened);
  opened.move();
  return service;
}

/** `opened` receives everything that must be closed if a later step fails. */
async function openParts(
  initial: Config,
  logger: Logger,
  earlyListener: EarlyListener,
  opened: AsyncDisposableStack,
): Promise<Service> {
  const startedAt = new Date();
  const bucket = await logWhileSlow(logger, 'the storage', () => assertPlaces(initial));
  // Before any change: a second service on the same data directory is refused here. PostgreSQL starts while the other
  // modules load.
  const opening = openBasis(initial, logger);
  const reading = readRest();
  const basis = await opening;
  const { database, engine, telemetry } = basis;
  deferBasis(opened, basis);
  const { blobs, storage, config } = await openStorage(initial, logger, basis, bucket);
  const { createApp, assembleJobs } = await reading;
  const webhooks = await webhooksOf(config, logger, basis, earlyListener.address);
  opened.defer(() => webhooks.stop());
  if (config.DATABASE_URL === undefined) await writeSecretFile(config.DATA_DIR, webhooks.secrets);
  const mediaIsolation = await isolationOf(basis);
  const settings = { retentionDays: config.RETENTION_DAYS ?? null, ...memoryRefusal(config, engine) };
  const { jobEnded } = webhooks;
  const jobs = assembleJobs({ database, blobs, storage, logger, ...telemetry, jobEnded, settings });
  const media = { ...(await mediaParts(config, logger, engine, blobs)), mediaIsolation };
  opened.defer(() => endPreviews(media));
  const common = { config, logger, database, blobs, ...telemetry, ...media };
  const imports = await importsOf(common, jobs, webhooks);
  opened.defer(() => imports.stop());
  let draining = false;
  const parts = {
    ...common,
    partials: await partialBlobs(config, blobs),
    ...{ jobs: jobs.service, steering: jobs.steering, videos: jobs.videos, idempotency: jobs.idempotency },
    ...{ imports: imports.service, styles: await savedStylesOf(common, jobs) },
    webhooks: webhooks.service,
    webhookSecrets: webhooks.secrets,
    checkStorage: () => storage.assertUsable(),
    draining: () => draining,
    ...{ version: VERSION, startedAt },
  };
  opened.defer(() => jobs.stop(0));
  const queue = 'the tables of the queue, or other processes that start';
  const starting = startedBeside(opened, () => logWhileSlow(logger, queue, () => jobs.start()));
  const app = await createApp(parts, earlyListener);
  opened.defer(() => app.close());
  await starting;
  return {
    ...{ config, logger, blobs, engine, jobs, webhooks },
    async startWork() {
      const transcription = await transcriptionOf(config, webhooks);
      const { runStage, runPart } = await runnersOf(config, { engine, blobs, storage, transcription });
      await jobs.startWorker(runStage, { concurrency: config.WORKER_CONCURRENCY, runPart });
      await webhooks.startSender();
      // Only processes with an HTTP API accept uploads and apply their limits.
      if (config.ROLE !== 'worker') await imports.start();
    },
    startHttp: () => answering(app, earlyListener, logger, media.checkMediaEngine),
    async stop() {
      draining = true;
      await imports.stop();
      await jobs.stop(config.DRAIN_SECONDS * 1000);
      await app.close();
      await endPreviews(media);
      await earlyListener.close();
      await webhooks.stop();
      await closeBasis(basis);
    },
  };
}

async function answering(
  app: FastifyInstance,
  earlyListener: EarlyListener,
  logger: Logger,
  checkMediaEngine: () => Promise<unknown>,
): Promise<string> {
  await app.ready();
  earlyListener.open();
  logger.info(whereabouts(earlyListener.address), 'listening');
  // Not awaited: only the health endpoint waits for it.
  checkMediaEngine().catch(() => {});
  return earlyListener.address;
}

async function closeBasis({ database, telemetry }: Basis): Promise<void> {
  await database.close();
  await telemetry.tracing.stop();
}

/** On a failed start, waits for the trial of media processes, which uses the data directory. */
function deferBasis(opened: AsyncDisposableStack, basis: Basis): void {
  opened.defer(() => closeBasis(basis));
  opened.defer(() => settled(basis.mediaIsolation));
}

/** Work in parallel with other parts; a failed start waits for its end before it closes the parts that it uses. */
function startedBeside(opened: AsyncDisposableStack, work: () => Promise<void>): Promise<void> {
  const working = work();
  opened.defer(() => settled(working));
  return working;
}

/**
 * The protection of media processes, tested while the other parts opened. Then removes working folders of ended
 * processes, including that of the test.
 */
async function isolationOf({ mediaIsolation, engine }: Basis): Promise<Protection> {
  const found = await mediaIsolation;
  await sweepWorkspaces(engine.workRoot);
  return found;
}

/** Modules that are needed once database and storage are open, loaded while they open. */
async function readRest() {
  const [{ createApp }, { assembleJobs }] = await Promise.all([
    import('./http/app.ts'),
    import('./jobs/open-jobs.ts'),
    import('./imports/open-imports.ts'),
    import('./pipeline/previews/preview-service.ts'),
    import('./pipeline/previews/picture-service.ts'),
    import('./pipeline/previews/plan-service.ts'),
    import('./pipeline/previews/proxy-service.ts'),
    import('./saved-styles/database-saved-styles.ts'),
    import('./webhooks/open-webhooks.ts'),
  ]);
  return { createApp, assembleJobs };
}

/** Runs the stages and parts of a worker's jobs. */
async function runnersOf({ SEGMENT_SECONDS }: Config, parts: Omit<StageParts, 'segmentSeconds'>) {
  const { partRunner, stageRunner } = await import('./pipeline/stages/stage-table.ts');
  const all = { ...parts, segmentSeconds: SEGMENT_SECONDS };
  return { runStage: stageRunner(all), runPart: partRunner(all) };
}

/** The operator's transcription engine, to which the address rule of webhooks applies; undefined: none. */
async function transcriptionOf(config: Config, { networks }: Webhooks) {
  const { TRANSCRIPTION_URL: url, TRANSCRIPTION_MODEL: model, TRANSCRIPTION_API_KEY: apiKey } = config;
  if (url === undefined) return undefined;
  const { Transcriber } = await import('./transcription/transcriber.ts');
  return new Transcriber({ url, model, apiKey, networks: () => networks.current() });
}

function whereabouts(address: string) {
  const { hostname, port } = new URL(address);
  return { address, host: hostname, port: Number(port) };
}

/** Ends the children that wait for more work. */
async function endPreviews({ previews, plans }: Awaited<ReturnType<typeof mediaParts>>): Promise<void> {
  await Promise.all([previews[Symbol.asyncDispose](), plans[Symbol.asyncDispose]()]);
}

/** Services that create media within requests. */
async function mediaParts(config: Config, logger: Logger, engine: MediaEngine, blobs: BlobStore) {
  const { BlobPictureService } = await import('./pipeline/previews/picture-service.ts');
  const { BlobPlanService } = await import('./pipeline/previews/plan-service.ts');
  const { BlobPreviewService } = await import('./pipeline/previews/preview-service.ts');
  const { BlobProxyService } = await import('./pipeline/previews/proxy-service.ts');
  const { MAX_DURATION_SECONDS: maxDurationSeconds } = config;
  return {
    previews: new BlobPreviewService({ engine, blobs }),
    plans: new BlobPlanService({ engine, blobs }),
    pictures: new BlobPictureService({ engine, blobs }),
    proxies: new BlobProxyService({ blobs }),
    // Shared by uploads and imports.
    probe: limitedProbe(PROBES_AT_ONCE, (path, signal) =>
      engine.run('probe', { path, maxDurationSeconds }, { signal }),
    ),
    checkMediaEngine: engineCheck(engine, logger),
  };
}

/** Imports of videos, with the limits of uploads. */
async function importsOf(
  parts: Omit<ImportsParts, 'limited' | 'networks' | 'responses' | 'importEnded' | 'videos'>,
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
  return openImports({ ...parts, videos, networks, responses: idempotency, importEnded, limited });
}

async function savedStylesOf(
  { database, blobs }: Omit<SavedStyleParts, 'responses'>,
  { idempotency: responses }: Jobs,
): Promise<SavedStyleService> {
  const { DatabaseSavedStyles } = await import('./saved-styles/database-saved-styles.ts');
  return new DatabaseSavedStyles({ database, blobs, responses });
}

/** `address`: of this service. */
async function webhooksOf(
  config: Config,
  logger: Logger,
  { database, telemetry }: Basis,
  address: string,
): Promise<Webhooks> {
  const { openWebhooks } = await import('./webhooks/open-webhooks.ts');
  const { jobDetailResponse } = await import('./http/contract/job-response.ts');
  return openWebhooks({
    database,
    logger,
    ...telemetry,
    describeJob: (job) => jobDetailResponse(job, config.PUBLIC_BASE_URL ?? address),
    secrets: config.WEBHOOK_SECRETS,
    allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
  });
}

/** A process that runs no jobs does not know the memory of the workers: their first stage refuses a job instead. */
function memoryRefusal(config: Config, engine: MediaEngine): { readonly refusal?: JobRefusal } {
  if (config.WORKER_CONCURRENCY === 0) return {};
  const refusal: JobRefusal = ({ config: jobConfig, givenStyle }, source, template) =>
    engine.memoryRefusal({
      source,
      template,
      config: jobConfig,
      // The request's schema validated it.
      style: givenStyle as Style | null,
    });
  return { refusal };
}
