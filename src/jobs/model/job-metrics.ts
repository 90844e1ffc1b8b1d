/** Metrics of the jobs of this process. */
import type { StageOutcome, StageWork } from '../../domain/stage.ts';
import type { Metrics, ProductKind } from '../../telemetry/metrics.ts';
import type { Job } from './job.ts';
import { jobFailureCode } from './job-failure.ts';

function productKindOf({ product }: Pick<Job, 'product'>): ProductKind {
  return product === null ? 'video' : product.kind;
}

export function countCreated(metrics: Metrics, job: Job): void {
  metrics.jobsCreated.inc({ making: productKindOf(job) });
}

/** Call in the process that ended the job, after the commit. */
export function countEnded(metrics: Metrics, job: Job): void {
  const code = job.status === 'failed' ? job.error.code : '';
  metrics.jobsEnded.inc({ making: productKindOf(job), outcome: job.status, code });
}

/** Duration of the source, or of all takes of an edit. */
export function footageSeconds({ source, edit }: Pick<StageWork, 'source' | 'edit'>): number {
  return (edit?.takes ?? [source]).reduce((sum, take) => sum + take.durationSeconds, 0);
}

/** `videoSeconds`: from `footageSeconds`. */
export function countCompleted(metrics: Metrics, job: Job, videoSeconds: number): void {
  if (job.status !== 'completed') return;
  const making = productKindOf(job);
  const seconds = (job.completedAt.getTime() - job.startedAt.getTime()) / 1000;
  metrics.jobSeconds.observe({ making }, seconds);
  metrics.jobRealTimeFactor.observe({ making }, factorOf(seconds, videoSeconds));
  metrics.videoSeconds.inc({ making }, videoSeconds);
}

/** Runs a stage with its retries and records its duration. */
export async function timedStage(
  metrics: Metrics,
  work: StageWork,
  run: () => Promise<StageOutcome>,
): Promise<StageOutcome> {
  const { stage, signal } = work;
  const startedMs = performance.now();
  const seconds = () => (performance.now() - startedMs) / 1000;
  try {
    const outcome = await run();
    metrics.stageSeconds.observe({ stage, outcome: 'done' }, seconds());
    metrics.stageRealTimeFactor.observe({ stage }, factorOf(seconds(), footageSeconds(work)));
    return outcome;
  } catch (error) {
    const outcome = signal.aborted && jobFailureCode(error) === null ? 'stopped' : 'failed';
    metrics.stageSeconds.observe({ stage, outcome }, seconds());
    throw error;
  }
}

/** An image, which has no duration, counts as one second of video. */
function factorOf(seconds: number, videoSeconds: number): number {
  return seconds / (videoSeconds > 0 ? videoSeconds : 1);
}
