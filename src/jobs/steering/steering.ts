/** What an operator sees of the queue, and does to it. */
import type { StageName } from '../../domain/stage.ts';
import type { Job } from '../model/job.ts';

export interface WorkerView {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  /** Jobs at a time. */
  readonly concurrency: number;
  /** Jobs that it has now. */
  readonly running: number;
  /** `draining`: takes nothing more. `drained`: and has nothing left. `silent`: not heard for 30 s. */
  readonly state: 'working' | 'draining' | 'drained' | 'silent';
  readonly startedAt: Date;
  readonly seenAt: Date;
}

export interface RunningView {
  readonly jobId: string;
  /** Null: taken by an older version. */
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
  /** Null: jobs are taken. */
  readonly pausedAt: Date | null;
  readonly queued: number;
  readonly processing: number;
  readonly oldestQueuedSeconds: number | null;
  readonly workers: readonly WorkerView[];
  /** The longest running first. */
  readonly running: readonly RunningView[];
  /** In the order in which they will be taken. */
  readonly next: readonly WaitingView[];
}

/** Throws `Failure`. Every order is heard by all processes at once, and kept: a process that starts later obeys it too. */
export interface QueueSteering {
  /** `limit`: of the running and of the next jobs. */
  overview(limit: number): Promise<QueueOverview>;
  /** Nothing is taken any more once it resolves; what runs goes on. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** The worker finishes what it has and takes nothing more. Throws WORKER_NOT_FOUND. */
  drain(workerId: string): Promise<void>;
  /** Throws WORKER_NOT_FOUND. */
  resumeWorker(workerId: string): Promise<void>;
  /** 0..100, higher first. Throws JOB_NOT_FOUND, JOB_NOT_QUEUED. */
  setPriority(jobId: string, priority: number): Promise<Job>;
}
