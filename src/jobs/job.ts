/** Jobs as the rest of the house sees them. A state carries only what is true in it. */
import type { JobErrorCode } from '../errors.ts';
import type { Publication, StageName, VideoReference, Warning } from '../stage.ts';

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
}

export type Job = JobCommon &
  (
    | { readonly status: 'queued' }
    | { readonly status: 'processing'; readonly stage: StageName; readonly startedAt: Date }
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
}

/** Replays of a request. `requestHash` covers method, path and body. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: string;
}

/** What a request answered, kept for a replay of the same key. */
export interface StoredAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What `begin` found out about an idempotency key. */
export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'running' }
  | { readonly state: 'other_request' }
  | { readonly state: 'answered'; readonly answer: StoredAnswer };

export interface JobFilter {
  readonly status?: JobStatus;
  readonly videoId?: string;
  readonly templateVideoId?: string;
}

/** Either a page number or the job after which to go on (keyset). Newest first. */
export interface ListRequest<F> {
  readonly filter: F;
  readonly page: number;
  readonly pageSize: number;
  /** Opaque, as an earlier answer gave it; overrides `page`. */
  readonly cursor?: string;
}

export interface Listing<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

export interface QueueFigures {
  readonly queued: number;
  readonly processing: number;
  readonly oldestQueuedSeconds: number | null;
  /** Workers with a heartbeat within the last 30 s. */
  readonly workers: number;
}

/** The front desk of the jobs: what HTTP and the command line may ask. Throws `Failure`. */
export interface JobDesk {
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
  retry(jobId: string): Promise<Job>;
  /** A terminal job and its files. Throws JOB_NOT_FOUND, JOB_NOT_TERMINAL. */
  remove(jobId: string): Promise<void>;
  /** Resolves with the job as soon as it is terminal, or as it stands after `waitMs`. Null when there is none. */
  waitForEnd(jobId: string, waitMs: number, signal: AbortSignal): Promise<Job | null>;
  /** The job now, then at every change of status or progress, ending after the terminal one. */
  watch(jobId: string, signal: AbortSignal): AsyncIterable<Job>;
  /** Place in the queue from 1, and seconds left; each null when it has no meaning or is not known. */
  outlook(job: Job): Promise<{ readonly queuePosition: number | null; readonly etaSeconds: number | null }>;
  figures(): Promise<QueueFigures>;
}

/** What probing found out about an uploaded video. */
export interface VideoProbe {
  readonly contentType: string;
  readonly container: string;
  readonly durationSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  readonly frameRate: number;
  readonly videoCodec: string;
  readonly audioCodec: string | null;
  readonly warnings: readonly Warning[];
}

export interface Video extends VideoReference, VideoProbe {
  /** For display only, sanitised. */
  readonly filename: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export type VideoState =
  | { readonly state: 'unknown' }
  | { readonly state: 'expired'; readonly expiredAt: Date }
  | { readonly state: 'present'; readonly video: Video };

export interface VideoDesk {
  /** The row of a video whose blob is already stored; with the key's answer, in one transaction. */
  insert(
    video: Video,
    idempotency: { readonly key: IdempotencyKey; readonly answer: StoredAnswer } | null,
  ): Promise<void>;
  get(videoId: string): Promise<VideoState>;
  list(request: ListRequest<Record<never, never>>): Promise<Listing<Video>>;
  /**
   * Changes what belongs to a video while no job can take it. Throws VIDEO_NOT_FOUND, VIDEO_EXPIRED, VIDEO_IN_USE, what
   * `change` throws.
   */
  change(videoId: string, change: (video: Video) => Promise<void>): Promise<void>;
  /** The row, its blob and its captions. Throws VIDEO_NOT_FOUND, VIDEO_EXPIRED, VIDEO_IN_USE. */
  remove(videoId: string): Promise<void>;
}

/** Idempotency keys, kept for 24 h. */
export interface IdempotencyDesk {
  /** Claims the key for this request if it is new (or its claim is stale). */
  begin(key: IdempotencyKey): Promise<IdempotencyState>;
  /** Gives a claimed key up, when the request failed and may be tried again. */
  release(key: IdempotencyKey): Promise<void>;
}

export interface WebhookDelivery {
  readonly webhookId: string;
  readonly event: string;
  readonly url: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly attempts: readonly {
    readonly attemptedAt: Date;
    readonly statusCode: number | null;
    readonly error: string | null;
    readonly durationMs: number;
  }[];
}

export interface WebhookDesk {
  /** Throws WEBHOOK_URL_FORBIDDEN for what is refused by its literal form. */
  vet(url: string): void;
  /** Throws JOB_NOT_FOUND. */
  list(jobId: string): Promise<readonly WebhookDelivery[]>;
  /** Sends the same bytes under the same id again. Throws JOB_NOT_FOUND, WEBHOOK_NOT_FOUND. */
  redeliver(jobId: string, webhookId: string): Promise<WebhookDelivery>;
}
