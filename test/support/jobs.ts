import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { v7 as newId } from 'uuid';
import { migrate } from '../../src/database/migrations.ts';
import { openPglite } from '../../src/database/pglite.ts';
import type { QueueDatabase } from '../../src/database/queue-database.ts';
import { DEFAULT_JOB_CONFIG, type JobConfig } from '../../src/domain/job-config.ts';
import type { Publication, RunStage, StageWork } from '../../src/domain/stage.ts';
import { jobDetailResponse } from '../../src/http/contract/job-response.ts';
import type { NewJob } from '../../src/jobs/model/job.ts';
import { assembleJobs, type Jobs, type JobsParts } from '../../src/jobs/open-jobs.ts';
import type { BlobStore } from '../../src/storage/blob-store.ts';
import { openFileStore } from '../../src/storage/file-store.ts';
import { StorageWatch, type StorageWatchParts } from '../../src/storage/storage-watch.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import type { Video } from '../../src/videos/video.ts';
import { openWebhooks, type Webhooks, type WebhooksParts } from '../../src/webhooks/open-webhooks.ts';
import { seedCluster } from './cluster.ts';
import { deleteEntries } from './queue-entries.ts';

export interface TemporaryDirectory extends Disposable {
  readonly path: string;
}

export function temporaryDirectory(): TemporaryDirectory {
  const path = mkdtempSync(join(tmpdir(), 'styledna-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Jobs, videos and webhooks as the service puts them together, over a real database and a real file store. */
export interface JobsService extends AsyncDisposable {
  readonly database: QueueDatabase;
  readonly blobs: BlobStore;
  readonly storage: StorageWatch;
  readonly jobs: Jobs;
  readonly webhooks: Webhooks;
  readonly metrics: Metrics;
}

export interface ServiceOptions {
  /** Default: an unused embedded one, emptied. A passed one is closed with the service. */
  readonly database?: QueueDatabase;
  /** Of several services, one after the other: it is emptied first, and stays open. */
  readonly shared?: QueueDatabase;
  readonly settings?: JobsParts['settings'];
  readonly webhooks?: Partial<WebhooksParts>;
  readonly jobEnded?: JobsParts['jobEnded'];
  readonly storage?: Partial<StorageWatchParts>;
}

export const SILENT = pino({ level: 'silent' });

export async function openService(options: ServiceOptions = {}): Promise<JobsService> {
  const directory = temporaryDirectory();
  const configured = options.shared ?? options.database;
  const own = configured === undefined ? await takeEmbedded() : null;
  const database = configured ?? own!.database;
  await migrate(database);
  if (options.database === undefined) await emptyDatabase(database);
  const blobs = await openFileStore(join(directory.path, 'blobs'));
  const metrics = new Metrics('0.0.0-test');
  const webhooks = await openWebhooks({
    database,
    metrics,
    logger: SILENT,
    describeJob: (job) => jobDetailResponse(job, 'http://service.test'),
    secrets: [],
    allowedNetworks: ['127.0.0.0/8'],
    ...options.webhooks,
  });
  const jobEnded = options.jobEnded ?? webhooks.jobEnded;
  const settings = { retryDelaysMs: [10, 10], ...options.settings };
  const storage = new StorageWatch({ logger: SILENT, check: () => blobs.check(), ...options.storage });
  const jobs = assembleJobs({ database, blobs, storage, logger: SILENT, metrics, jobEnded, settings });
  await jobs.start();
  return {
    database,
    blobs,
    storage,
    jobs,
    webhooks,
    metrics,
    async [Symbol.asyncDispose]() {
      await jobs.stop(0);
      await webhooks.stop();
      await options.database?.close();
      if (own !== null) giveBack(own);
      directory[Symbol.dispose]();
    },
  };
}

interface Embedded {
  readonly database: QueueDatabase;
  readonly directory: TemporaryDirectory;
}

/**
 * Those that services of this process had and gave back, and what will close each: to open one takes half a second of computing, to
 * empty one nothing.
 */
const idle: { readonly embedded: Embedded; readonly closing: NodeJS.Timeout }[] = [];
/** Between the tests of a file. One that is open keeps the process alive for PostgreSQL's idle statistics, ten seconds from its last query. */
const KEPT_MS = 500;

function giveBack(embedded: Embedded): void {
  const closing = setTimeout(async () => {
    idle.splice(
      idle.findIndex((one) => one.embedded === embedded),
      1,
    );
    await embedded.database.close();
    embedded.directory[Symbol.dispose]();
  }, KEPT_MS);
  idle.push({ embedded, closing });
}

async function takeEmbedded(): Promise<Embedded> {
  const free = idle.pop();
  if (free !== undefined) {
    clearTimeout(free.closing);
    return free.embedded;
  }
  const directory = temporaryDirectory();
  return { database: await openSeeded(directory.path), directory };
}

/** An embedded database that several services of a test file use one after the other. */
export async function openShared(): Promise<AsyncDisposable & { readonly shared: QueueDatabase }> {
  const embedded = await takeEmbedded();
  return {
    shared: embedded.database,
    async [Symbol.asyncDispose]() {
      giveBack(embedded);
    },
  };
}

async function emptyDatabase(database: QueueDatabase): Promise<void> {
  for (const table of [
    'styles',
    'jobs',
    'videos',
    'idempotency_keys',
    'workers',
    'webhook_deliveries',
    'webhook_secrets',
    'uploads',
    'imports',
    'maintenance',
  ]) {
    await database.query(`delete from ${table}`);
  }
  await database.query(`delete from shared_settings where name <> 'database_id'`);
  await deleteEntries(database);
}

async function openSeeded(directory: string): Promise<QueueDatabase> {
  await seedCluster(directory);
  return openPglite(directory);
}

export function aVideo(changes: Partial<Video> = {}): Video {
  const videoId = newId();
  return {
    videoId,
    sha256: 'ab'.repeat(32),
    blobKey: `videos/${videoId}`,
    filename: 'clip.mp4',
    sizeBytes: 3_000_000_000,
    contentType: 'video/mp4',
    container: 'mp4',
    durationSeconds: 12.5,
    width: 1920,
    height: 1080,
    rotation: 90,
    frameRate: 29.97,
    videoCodec: 'h264',
    audioCodec: null,
    warnings: [{ code: 'TEMPLATE_SHORT', message: 'short' }],
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    expiresAt: null,
    ...changes,
  };
}

type JobChanges = Partial<Omit<NewJob, 'config'>> & { readonly config?: Partial<JobConfig> };

export function aJob(videoId: string, { config, ...changes }: JobChanges = {}): NewJob {
  return {
    videoId,
    templateVideoId: null,
    givenStyle: null,
    config: { ...DEFAULT_JOB_CONFIG, ...config },
    webhookUrl: null,
    warnings: [],
    priority: 50,
    client: 'somebody',
    ...changes,
  };
}

/** A stored video, and a job for it. */
export async function newJob({ jobs }: JobsService, changes: JobChanges = {}) {
  const video = aVideo();
  await jobs.videos.insert(video, null);
  return jobs.service.create(aJob(video.videoId, changes), null);
}

export function aPublication(jobId: string, attempt: number): Publication {
  const output = {
    name: 'output.mp4',
    blobKey: `jobs/${jobId}/${attempt}/output.mp4`,
    contentType: 'video/mp4',
    sizeBytes: 9,
    sha256: 'cd'.repeat(32),
  };
  return { style: { version: '1.0.0' }, output, artifacts: [{ ...output, name: 'grade.cube' }] };
}

/** Stages that end at once, unless `stage` does something else first. The last one publishes. */
export function stagesThat(stage: (work: StageWork) => Promise<void> | void = () => {}): RunStage {
  return async (work) => {
    await stage(work);
    return work.stage === 'rendering'
      ? { warnings: [], publication: aPublication(work.jobId, work.attempt) }
      : { warnings: [] };
  };
}

/** Resolves when the signal aborts, by throwing its reason, as a stage does. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
