/** Jobs as other modules see them. Each state has only the fields that apply to it. */
import type { Listing, ListRequest } from '../../database/listing.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import type { FieldError, JobErrorCode } from '../../domain/errors.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type {
  LiveFrame,
  Product,
  Publication,
  StageName,
  VideoReference,
  Warning,
} from '../../domain/stage.ts';
import type { IdempotencyKey, StoredResponse } from '../../idempotency/idempotency.ts';
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
  /** Left out: the error is about no field. */
  readonly fields?: readonly FieldError[];
  readonly occurredAt: Date;
}

/** The request that created a job. Its worker adds it to its log and continues its trace. */
export interface JobOrigin {
  readonly requestId: string;
  readonly trace: TraceContext | null;
}

/** A saved style, as it was named when the job was created. */
export interface NamedStyle {
  readonly styleId: string;
  readonly name: string;
}

interface JobCommon {
  readonly jobId: string;
  readonly videoId: string;
  readonly templateVideoId: string | null;
  /** StyleJSON supplied by the client instead of a template. */
  readonly givenStyle: unknown;
  /** Validated, with defaults applied. */
  readonly config: Record<string, unknown>;
  /** Result of `wholeEdit`; null: a styled video of the source alone. */
  readonly edit: EditOptions | null;
  readonly webhookUrl: string | null;
  readonly retryOf: string | null;
  readonly createdAt: Date;
  /** Changes with the status only. */
  readonly updatedAt: Date;
  readonly progressUpdatedAt: Date;
  readonly progressPercent: number;
  readonly warnings: readonly Warning[];
  /** Number of workers that have claimed the job. */
  readonly attempt: number;
  /** Null: a styled video. */
  readonly product: Product | null;
  /** File names of the videos when the job was created; null: created by an older version, or no template. */
  readonly sourceFilename: string | null;
  readonly templateFilename: string | null;
  /** Name of the requested preset; null: none. */
  readonly preset: string | null;
  /** The saved style that `givenStyle` is a copy of; null: none. */
  readonly savedStyle: NamedStyle | null;
  /** Null: created by an older version, or not by a request. */
  readonly origin: JobOrigin | null;
}

export type Job = JobCommon &
  (
    | { readonly status: 'queued' }
    | {
        readonly status: 'processing';
        readonly stage: StageName;
        readonly startedAt: Date;
        /** The newest rendered frame; null: none. */
        readonly frame: LiveFrame | null;
      }
    | {
        readonly status: 'completed';
        readonly startedAt: Date;
        readonly completedAt: Date;
        /** Null after retention has removed the result. */
        readonly publication: Publication | null;
        /** Null: unlimited retention. */
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
  readonly config: JobConfig;
  /** Default: a styled video of the source alone. */
  readonly edit?: EditOptions | null;
  readonly webhookUrl: string | null;
  readonly warnings: readonly Warning[];
  /** 0..100, higher first. */
  readonly priority: number;
  /** Client for fair scheduling; any text. */
  readonly client: string;
  /** Default: a styled video. */
  readonly product?: Product | null;
  readonly preset?: string | null;
  readonly savedStyle?: NamedStyle | null;
  readonly origin?: JobOrigin | null;
}

export interface JobFilter {
  readonly status?: readonly JobStatus[];
  readonly videoId?: string;
  readonly templateVideoId?: string;
  /** Id of a saved style, which may have been deleted. */
  readonly styleId?: string;
  /** Name of a preset. */
  readonly preset?: string;
  /** Part of the source's or the template's file name, case-insensitive. */
  readonly text?: string;
}

export interface QueueFigures {
  readonly queued: number;
  readonly processing: number;
  readonly oldestQueuedSeconds: number | null;
  /** Whether an operator has paused the queue. */
  readonly isPaused: boolean;
  /** Workers with a heartbeat within the last 30 s that claim jobs. */
  readonly workers: number;
  /** Workers with a heartbeat that are draining. */
  readonly drainingWorkers: number;
  /** Workers without a heartbeat for 30 s to 1 h. */
  readonly silentWorkers: number;
  /** Sum of the concurrency of workers that claim jobs. */
  readonly slots: number;
  readonly pendingWebhooks: number;
}

/** Operations on jobs for HTTP and the command line. Throws `Failure`. */
export interface JobService {
  /**
   * Stores the job, its queue entry and the answer for the idempotency key in one transaction. `answer` builds the stored answer from
   * the job. Throws VIDEO_NOT_FOUND, TEMPLATE_VIDEO_NOT_FOUND, VIDEO_EXPIRED, VALIDATION_ERROR, QUEUE_FULL.
   */
  create(
    request: NewJob,
    idempotency: { readonly key: IdempotencyKey; readonly response: (job: Job) => StoredResponse } | null,
  ): Promise<Job>;
  get(jobId: string): Promise<Job | null>;
  list(request: ListRequest<JobFilter>): Promise<Listing<Job>>;
  /** Throws JOB_NOT_FOUND, JOB_NOT_CANCELLABLE. A job that is already cancelled is returned unchanged. */
  cancel(jobId: string): Promise<Job>;
  /** Creates a new job with `retryOf`. Throws JOB_NOT_FOUND, JOB_NOT_RETRYABLE, VIDEO_EXPIRED. */
  retry(jobId: string, origin?: JobOrigin | null): Promise<Job>;
  /** Removes a terminal job and its files. Throws JOB_NOT_FOUND, JOB_NOT_TERMINAL. */
  remove(jobId: string): Promise<void>;
  /** Resolves with the job as soon as it is terminal, or with its current state after `waitMs`. Null when it does not exist. */
  waitForEnd(jobId: string, waitMs: number, signal: AbortSignal): Promise<Job | null>;
  /** Yields the job now and at each change of status or progress, ending after the terminal state. */
  watch(jobId: string, signal: AbortSignal): AsyncIterable<Job>;
  /** Position in the queue from 1, and seconds left; each null when it does not apply or is not known. */
  outlook(job: Job): Promise<{ readonly queuePosition: number | null; readonly etaSeconds: number | null }>;
  /** Ratio of real to expected duration of the jobs of the last hour; 1: none ended. */
  pace(): Promise<number>;
  figures(): Promise<QueueFigures>;
  /** Drafts, storyboards, analyses, comparisons and proxies, which `get` and `list` do not return. */
  readonly products: ProductService;
}

/** Products of a single video that each video needs once. */
export type VideoProduct = 'analysis' | 'proxy';

/** Products are created by `create` like jobs; cancel, wait and remove accept their ids. */
export interface ProductService {
  get(jobId: string): Promise<Job | null>;
  /** The newest analysis or proxy of a video, or of the part of it that counts, in any state. */
  latest(kind: VideoProduct, video: Pick<VideoReference, 'videoId' | 'range'>): Promise<Job | null>;
  /** A product of an equal request that has not ended; null: there is none. */
  equal(request: NewJob): Promise<Job | null>;
  /** The newest comparison of a job's output with its source, in any state. */
  latestComparison(videoId: string, jobId: string): Promise<Job | null>;
}
