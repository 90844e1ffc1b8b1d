import type { Delivered } from '../support/receiver.ts';

const TERMINAL = ['completed', 'failed', 'cancelled'];

/** A job that was acknowledged to a client. */
export interface KnownJob {
  readonly jobId: string;
  readonly hasWebhook: boolean;
  /** How a client saw it end, as soon as one did. */
  end: string | null;
  isDeleted: boolean;
}

/** Data acknowledged to clients and receivers, and all contradictions. */
export class Ledger {
  readonly jobs = new Map<string, KnownJob>();
  readonly videos = new Set<string>();
  /** Video ids whose deletion was requested; a lost answer leaves both outcomes open. */
  readonly removing = new Set<string>();
  readonly wrong: string[] = [];
  /** How often each thing was done or seen. */
  readonly counts = new Map<string, number>();
  readonly accepted = new Map<string, Delivered[]>();

  count(what: string): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  created(jobId: string, hasWebhook: boolean): KnownJob {
    const known = this.jobs.get(jobId) ?? { jobId, hasWebhook, end: null, isDeleted: false };
    this.jobs.set(jobId, known);
    return known;
  }

  /** Terminal is for ever. */
  saw(jobId: string, status: string): void {
    const job = this.jobs.get(jobId);
    if (job === undefined) return;
    if (job.end !== null && job.end !== status)
      this.wrong.push(`job ${jobId} was ${job.end} and is ${status}`);
    if (TERMINAL.includes(status)) job.end = status;
  }

  /** A delivery that the receiver took. */
  took(delivered: Delivered): void {
    const jobId = delivered.body.data.job_id as string;
    this.accepted.set(jobId, [...(this.accepted.get(jobId) ?? []), delivered]);
    this.saw(jobId, delivered.body.data.status);
  }
}
