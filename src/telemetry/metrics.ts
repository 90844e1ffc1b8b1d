import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { JOB_ERRORS } from '../domain/errors.ts';
import { STAGE_NAMES } from '../domain/stage.ts';

/** Seconds. A cached stage of a short clip takes milliseconds, rendering hours of 4K takes hours. */
const WORK_SECONDS = [0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 4 * 3600];
const WAIT_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 4 * 3600, 24 * 3600];
/** Seconds of work for a second of video: whole jobs need .3 to 10 on two cores (bench/FIGURES.md). */
const REAL_TIME_FACTORS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32];
const REQUEST_SECONDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 60];
const STATEMENT_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 8];

/** The product of a job; the styled video by default. */
export type ProductKind = 'video' | 'analysis' | 'draft' | 'storyboard' | 'plan' | 'comparison' | 'proxy';
const PRODUCT_KINDS: readonly ProductKind[] = [
  'video',
  'analysis',
  'draft',
  'storyboard',
  'plan',
  'comparison',
  'proxy',
];

/** Kinds of leases that processes hold, apart from jobs. */
export type Leased = 'upload' | 'import' | 'part';
const LEASED: readonly Leased[] = ['upload', 'import', 'part'];
const IMPORT_OUTCOMES = ['imported', 'again', 'failed', 'stopped'];

/**
 * Metrics of this process for Prometheus: counters and histograms, which a fleet sums. Metrics that all
 * processes on a database share are named `styledna_cluster_…` and added by processes that can read them; of
 * these take the maximum. Label values are few: own names, codes, statuses and routes, but never an id, an
 * address or a client's text.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly jobsCreated = this.#counter('jobs_created_total', 'Jobs created', ['making']);
  readonly jobsEnded = this.#counter(
    'jobs_ended_total',
    'Jobs that ended, by outcome; code: the error of failed jobs, else empty',
    ['making', 'outcome', 'code'],
  );
  readonly jobsTaken = this.#counter('jobs_taken_total', 'Jobs that a worker of this process claimed', []);
  readonly jobTakeovers = this.#counter(
    'job_takeovers_total',
    'Claimed jobs whose previous worker was lost or handed them over',
    ['why'],
  );
  readonly jobWaitSeconds = this.#histogram(
    'job_wait_seconds',
    'From a job’s creation to its first worker',
    [],
    WAIT_SECONDS,
  );
  readonly jobSeconds = this.#histogram(
    'job_processing_seconds',
    'From a job’s first worker to its completion',
    ['making'],
    WORK_SECONDS,
  );
  readonly jobRealTimeFactor = this.#histogram(
    'job_real_time_factor',
    'Seconds of processing of completed jobs for each second of their source',
    ['making'],
    REAL_TIME_FACTORS,
  );
  readonly videoSeconds = this.#counter(
    'job_video_seconds_total',
    'Seconds of the sources of completed jobs',
    ['making'],
  );
  readonly stageSeconds = this.#histogram(
    'stage_seconds',
    'Time of one stage of one attempt; done, failed or stopped (cancelled, lost, handed over)',
    ['stage', 'outcome'],
    WORK_SECONDS,
  );
  readonly stageRealTimeFactor = this.#histogram(
    'stage_real_time_factor',
    'Seconds of a completed stage for each second of its source',
    ['stage'],
    REAL_TIME_FACTORS,
  );
  readonly stageRetries = this.#counter('stage_retries_total', 'Stages repeated after a failure', [
    'stage',
    'code',
  ]);
  readonly mediaTaskSeconds = this.#histogram(
    'media_task_seconds',
    'Time of one media process, with its wait for memory; code: empty on success',
    ['task', 'code'],
    WORK_SECONDS,
  );
  readonly mediaTasks = this.#gauge('media_tasks', 'Media processes that run or wait for memory', []);

  readonly importTries = this.#counter(
    'import_tries_total',
    'Tries to fetch a video from its address: imported, again (later), failed (for good), stopped (lost, removed or handed over)',
    ['outcome'],
  );
  readonly importsFailed = this.#counter('imports_failed_total', 'Imports that ended without a video', [
    'code',
  ]);
  readonly importSeconds = this.#histogram(
    'import_seconds',
    'From the begin of the successful try to the video',
    [],
    WORK_SECONDS,
  );
  readonly importBytes = this.#counter('import_bytes_total', 'Bytes downloaded by imports', []);

  readonly leases = this.#gauge('leases', 'Uploads, imports and parts of jobs that this process holds', [
    'of',
  ]);
  readonly leasesLost = this.#counter(
    'leases_lost_total',
    'Leases lost before their work was done: another process holds them, or they were deleted',
    ['of'],
  );
  readonly leaseTakeovers = this.#counter(
    'lease_takeovers_total',
    'Leases taken over from a process that did not renew them in time',
    ['of'],
  );

  readonly webhookTries = this.#counter('webhook_tries_total', 'Tries to deliver a webhook, by outcome', [
    'outcome',
  ]);
  readonly webhooksEnded = this.#counter('webhooks_ended_total', 'Webhooks that were delivered or given up', [
    'event',
    'state',
  ]);
  readonly webhookSecretsDiffer = this.#gauge(
    'webhook_secrets_differ',
    '1 while this process shares no webhook secret with the process on its database that started last',
    [],
  );
  readonly webhookSeconds = this.#histogram('webhook_try_seconds', 'Time of one try', [], REQUEST_SECONDS);

  readonly databaseSeconds = this.#histogram(
    'database_statement_seconds',
    'Time of one statement, with its wait for a connection',
    [],
    STATEMENT_SECONDS,
  );
  readonly databaseErrors = this.#counter(
    'database_errors_total',
    'Statements and transactions that failed: unavailable, full, unknown_outcome, or the class of SQLSTATE',
    ['kind'],
  );
  readonly databaseRetries = this.#counter(
    'database_retries_total',
    'Work repeated because the database was unavailable',
    [],
  );
  readonly storageSeconds = this.#histogram(
    'storage_operation_seconds',
    'Time to store a blob, to find it, or to open it for reading',
    ['operation'],
    REQUEST_SECONDS,
  );
  readonly storageErrors = this.#counter('storage_errors_total', 'Failed operations of the blob store', [
    'operation',
    'code',
  ]);
  readonly storageRetries = this.#counter(
    'storage_retries_total',
    'Work repeated because the storage was unavailable or failed',
    [],
  );
  readonly storageBytes = this.#counter('storage_bytes_total', 'Bytes read from and written to blobs', [
    'direction',
  ]);

  readonly httpSeconds = this.#histogram(
    'http_request_duration_seconds',
    'Time from a request’s head to the end of its answer',
    ['method', 'route', 'status'],
    REQUEST_SECONDS,
  );
  readonly httpRequests = this.#gauge('http_requests_in_flight', 'Active requests', []);
  readonly httpBytes = this.#counter(
    'http_bytes_total',
    'Bytes on the connections of clients, heads included',
    ['direction'],
  );

  constructor(version: string) {
    collectDefaultMetrics({ register: this.registry });
    this.#gauge('build_info', 'Always 1', ['version']).set({ version }, 1);
    this.#beginAtZero();
  }

  /** A counter that appears with its first event has no rate for it, so the important ones start at zero. */
  #beginAtZero(): void {
    for (const making of PRODUCT_KINDS) {
      this.jobsCreated.inc({ making }, 0);
      this.videoSeconds.inc({ making }, 0);
      this.jobSeconds.zero({ making });
      this.jobRealTimeFactor.zero({ making });
      for (const outcome of ['completed', 'cancelled']) this.jobsEnded.inc({ making, outcome, code: '' }, 0);
      for (const code of Object.keys(JOB_ERRORS)) this.jobsEnded.inc({ making, outcome: 'failed', code }, 0);
    }
    for (const why of ['lost', 'handed_over']) this.jobTakeovers.inc({ why }, 0);
    for (const of of LEASED) {
      this.leases.set({ of }, 0);
      this.leasesLost.inc({ of }, 0);
      this.leaseTakeovers.inc({ of }, 0);
    }
    for (const outcome of IMPORT_OUTCOMES) this.importTries.inc({ outcome }, 0);
    for (const stage of STAGE_NAMES) {
      this.stageSeconds.zero({ stage, outcome: 'done' });
      this.stageRealTimeFactor.zero({ stage });
    }
    for (const outcome of ['delivered', 'refused', 'unanswered']) this.webhookTries.inc({ outcome }, 0);
    for (const event of ['job.completed', 'job.failed', 'job.cancelled']) {
      for (const state of ['delivered', 'failed']) this.webhooksEnded.inc({ event, state }, 0);
    }
    for (const kind of ['unavailable', 'full', 'unknown_outcome']) this.databaseErrors.inc({ kind }, 0);
    for (const direction of ['in', 'out']) this.httpBytes.inc({ direction }, 0);
    for (const direction of ['read', 'written']) this.storageBytes.inc({ direction }, 0);
  }

  #counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({
      name: `styledna_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }

  #gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({
      name: `styledna_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
    });
  }

  #histogram<L extends string>(
    name: string,
    help: string,
    labelNames: readonly L[],
    buckets: number[],
  ): Histogram<L> {
    return new Histogram({
      name: `styledna_${name}`,
      help,
      labelNames: [...labelNames],
      buckets,
      registers: [this.registry],
    });
  }
}
