/** Jobs as the other rooms see them. A state carries only what is true in it. */
import type { Listing, ListRequest } from '../../database/listing.ts';
import type { JobErrorCode } from '../../domain/errors.ts';
import type { LiveFrame, Product, Publication, StageName, Warning } from '../../domain/stage.ts';
import type { IdempotencyKey, StoredAnswer } from '../../idempotency/idempotency.ts';
import type { TraceContext } from '../../telemetry/trace-context.ts';

export const JOB_STATUSES = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];
export type TerminalStatus = Extract<JobStatus, 'completed' | 'failed' | 'cancelled'>;

export interface JobError {
  readonly code: JobErrorCode;
  readonly message: string;
  readonly detail: string;
  readonly stage: StageName | null;
  readonly attempt: number;
  readonly retryable: boolean;
  readonly occurredAt: Date;
}

/** The request that a job came of: whoever works on it says so in its log, and goes on in the same trace. */
export interface JobOrigin {
  readonly requestId: string;
  readonly trace: TraceContext | null;
}

interface JobCommon {
  readonly jobId: string;
  readonly videoId: string;
  readonly templateVideoId: string | null;
  /** StyleJSON given by the client instead of a template. */
  readonly givenStyle: unknown;
  /** Validated and completed by defaults. */
  readonly config: Record<string, unknown>;
  readonly webhookUrl: string | null;
  readonly retryOf: string | null;
  readonly createdAt: Date;
  /** Moves with the status only. */
  readonly updatedAt: Date;
  readonly progressUpdatedAt: Date;
  readonly progressPercent: number;
  readonly warnings: readonly Warning[];
  /** 0 until a worker takes it; +1 for each worker that does. */
  readonly attempt: number;
  /** Null: the styled video. */
  readonly product: Product | null;
  /** Of the videos, as they were called when the job was made; null: of an older version, or no template. */
  readonly sourceFilename: string | null;
  readonly templateFilename: string | null;
  /** Name of the preset whose style was asked for; null: none. */
  readonly preset: string | null;
  /** Null: of an older version, or not created by a request. */
  readonly origin: JobOrigin | null;
}

export type Job = JobCommon &
  (
    | { readonly status: 'queued' }
    | {
        readonly status: 'processing';
        readonly stage: StageName;
        readonly startedAt: Date;
        /** The newest frame of what is being drawn; null: none. */
        readonly frame: LiveFrame | null;
      }
    | {
        readonly status: 'completed';
        readonly startedAt: Date;
        readonly completedAt: Date;
        /** Null once retention has removed the result. */
        readonly publication: Publication | null;
        /** Null: the result is kept. */
        readonly expiresAt: Date | null;
      }
    | {
        readonly status: 'failed';
        readonly startedAt: Date | null;
        readonly completedAt: Date;
        readonly error: JobError;
      }
    | { readonly status: 'cancelled'; readonly startedAt: Date | null; readonly completedAt: Date }
  );

export interface NewJob {
  readonly videoId: string;
  readonly templateVideoId: string | null;
  readonly givenStyle: unknown;
  readonly config: Record<string, unknown>;
  readonly webhookUrl: string | null;
  readonly warnings: readonly Warning[];
  /** 0..100, higher first. */
  readonly priority: number;
  /** Whose job it is: clients take turns. Any text. */
  readonly client: string;
  /** Left out: the styled video. */
  readonly product?: Product | null;
  readonly preset?: string | null;
  readonly origin?: JobOrigin | null;
}

export interface JobFilter {
  readonly status?: readonly JobStatus[];
  readonly videoId?: string;
  readonly templateVideoId?: string;
  /** Name of a preset. */
  readonly preset?: string;
  /** Part of the source's or the template's file name, in any case. */
  readonly text?: string;
}

export interface QueueFigures {
  readonly queued: number;
  readonly processing: number;
  readonly oldestQueuedSeconds: number | null;
  /** An operator paused it: nothing is taken. */
  readonly isPaused: boolean;
  /** Workers with a heartbeat within the last 30 s that take jobs. */
  readonly workers: number;
  /** With one, but told to take nothing more. */
  readonly drainingWorkers: number;
  /** Without one since, within the last hour. */
  readonly silentWorkers: number;
  /** Jobs that those with a heartbeat can do at a time. */
  readonly slots: number;
  readonly pendingWebhooks: number;
}

/** The front desk of the jobs: what HTTP and the command line may ask. Throws `Failure`. */
export interface JobService {
  /**
   * One transaction: the job, its place in the queue, the key's answer. `answer` makes the stored answer from the job.
   * Throws VIDEO_NOT_FOUND, TEMPLATE_VIDEO_NOT_FOUND, VIDEO_EXPIRED, QUEUE_FULL.
   */
  create(
    request: NewJob,
    idempotency: { readonly key: IdempotencyKey; readonly answer: (job: Job) => StoredAnswer } | null,
  ): Promise<Job>;
  get(jobId: string): Promise<Job | null>;
  list(request: ListRequest<JobFilter>): Promise<Listing<Job>>;
  /** Throws JOB_NOT_FOUND, JOB_NOT_CANCELLABLE; a cancelled job is returned as it is. */
  cancel(jobId: string): Promise<Job>;
  /** A new job with `retryOf`. Throws JOB_NOT_FOUND, JOB_NOT_RETRYABLE, VIDEO_EXPIRED. */
  retry(jobId: string, origin?: JobOrigin | null): Promise<Job>;
  /** A terminal job and its files. Throws JOB_NOT_FOUND, JOB_NOT_TERMINAL. */
  remove(jobId: string): Promise<void>;
  /** Resolves with the job as soon as it is terminal, or as it stands after `waitMs`. Null when there is none. */
  waitForEnd(jobId: string, waitMs: number, signal: AbortSignal): Promise<Job | null>;
  /** The job now, then at every change of status or progress, ending after the terminal one. */
  watch(jobId: string, signal: AbortSignal): AsyncIterable<Job>;
  /** Place in the queue from 1, and seconds left; each null when it has no meaning or is not known. */
  outlook(job: Job): Promise<{ readonly queuePosition: number | null; readonly etaSeconds: number | null }>;
  figures(): Promise<QueueFigures>;
  /** What is made in place of a video: `get` and `list` know nothing of it. */
  readonly products: ProductService;
}

/** Made by `create` like any job; cancelled, waited for and removed by its id. */
export interface ProductService {
  get(jobId: string): Promise<Job | null>;
  /** The newest analysis of a video, whatever became of it. */
  latestAnalysis(videoId: string): Promise<Job | null>;
}
