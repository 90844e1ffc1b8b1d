import { JOB_STATUSES, type JobStatus, type TerminalStatus } from './job.ts';

/**
 * All state transitions of a job (interface specification, "States and transitions"). There is none from `processing` to `queued`: a
 * job whose worker is lost stays `processing` and gets another attempt.
 */
export const MOVES = {
  queued: ['processing', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<JobStatus, readonly JobStatus[]>;

/** The states from which a job may move to `to`: the guard of each such statement. */
export function statusesBefore(to: JobStatus): JobStatus[] {
  return JOB_STATUSES.filter((from) => (MOVES[from] as readonly JobStatus[]).includes(to));
}

export const TERMINAL_STATUSES: readonly TerminalStatus[] = JOB_STATUSES.filter(
  (status): status is TerminalStatus => MOVES[status].length === 0,
);

export function isTerminal(status: JobStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly JobStatus[]).includes(status);
}
