/** The operator's view of the queue, and the operations on it. */
import type { StageName } from '../../domain/stage.ts';
import type { Job } from '../model/job.ts';

export interface WorkerView {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  /** Maximum number of jobs at a time. */
  readonly concurrency: number;
  /** Jobs that it runs now. */
  readonly running: number;
  /** `draining`: claims no more jobs. `drained`: also runs none. `silent`: no heartbeat for 30 s. */
  readonly state: 'working' | 'draining' | 'drained' | 'silent';
  readonly startedAt: Date;
  readonly seenAt: Date;
}

export interface RunningView {
  readonly jobId: string;
  /** Null: claimed by an older version. */
  readonly workerId: string | null;
  readonly stage: StageName;
  readonly progressPercent: number;
  readonly attempt: number;
  readonly priority: number;
  readonly startedAt: Date;
}

export interface WaitingView {
  readonly jobId: string;
  readonly priority: number;
  readonly createdAt: Date;
}

export interface QueueOverview {
  /** Null: the queue is not paused. */
  readonly pausedAt: Date | null;
  readonly queued: number;
  readonly processing: number;
  readonly oldestQueuedSeconds: number | null;
  readonly workers: readonly WorkerView[];
  /** Longest running first. */
  readonly running: readonly RunningView[];
  /** In the order in which they will be claimed. */
  readonly next: readonly WaitingView[];
}

/** Throws `Failure`. All processes apply each change at once; it is stored, so processes that start later apply it too. */
export interface QueueSteering {
  /** `limit`: of the running and of the next jobs. */
  overview(limit: number): Promise<QueueOverview>;
  /** No job is claimed after it resolves; running jobs continue. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** The worker finishes its jobs and claims no more. Throws WORKER_NOT_FOUND. */
  drain(workerId: string): Promise<void>;
  /** Throws WORKER_NOT_FOUND. */
  resumeWorker(workerId: string): Promise<void>;
  /** 0..100, higher first. Throws JOB_NOT_FOUND, JOB_NOT_QUEUED. */
  setPriority(jobId: string, priority: number): Promise<Job>;
}
