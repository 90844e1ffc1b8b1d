import type { ReceivedQueue, ReceivedQueueJob } from '../received/received-queue.ts';

/** The queue as text for a terminal. */
export function queueText(queue: ReceivedQueue, now: Date): string {
  const since = queue.paused_at === null ? '' : ` since ${queue.paused_at}`;
  const oldest =
    queue.oldest_queued_seconds === null ? '' : `, the oldest for ${duration(queue.oldest_queued_seconds)}`;
  const ago = (time: string) => duration((now.getTime() - Date.parse(time)) / 1000);
  return [
    `${queue.paused ? `Paused${since}` : 'Running'}: ${queue.queued} queued${oldest}, ${queue.processing} processing`,
    ...section('Workers', queue.workers, (worker) => [
      worker.worker_id,
      worker.state,
      `${worker.running} of ${worker.concurrency}`,
      `${worker.host} ${worker.pid}`,
      `seen ${ago(worker.seen_at)} ago`,
    ]),
    ...section('Running', queue.running, (job) => [
      job.job_id,
      job.current_stage ?? '',
      `${Math.floor(job.progress_percent)} %`,
      `priority ${job.priority}`,
      `for ${ago(job.started_at)}`,
      job.attempt > 1 ? `attempt ${job.attempt}` : '',
    ]),
    ...section('Next', queue.next, (job) => [
      job.job_id,
      `priority ${job.priority}`,
      `for ${ago(job.created_at)}`,
    ]),
  ].join('\n');
}

export function jobText({ job_id, status, retry_of, queue_position }: ReceivedQueueJob): string {
  const place = queue_position == null ? '' : `, number ${queue_position} of the queue`;
  return `${job_id} is ${status}${place}${retry_of == null ? '' : `; a retry of ${retry_of}`}`;
}

function section<T>(title: string, items: readonly T[], cells: (item: T) => readonly string[]): string[] {
  if (items.length === 0) return [];
  const rows = items.map(cells);
  const widths = rows[0].map((_cell, column) => Math.max(...rows.map((row) => row[column].length)));
  return [
    '',
    title,
    ...rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`.trimEnd()),
  ];
}

/** Shows the two largest units. */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
