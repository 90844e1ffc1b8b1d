import type { Quality } from '../../domain/job-choices.ts';
import type { PlanPreview } from '../../domain/plan-preview.ts';
import type { PlannedOutput, StoredPreview } from '../../domain/preview.ts';
import type { Warning } from '../../domain/stage.ts';
import { drawingSeconds, fileBytes, PLANNING_SECONDS } from '../../domain/work-estimate.ts';
import type { Job } from '../../jobs/model/job.ts';
import { errorResponse } from './job-response.ts';
import type { PREVIEW_KINDS } from './preview-operations.ts';

/** The videos of a preview, and the base of its addresses. */
export interface PreviewNames {
  readonly previewId: string;
  readonly videoId: string;
  readonly templateVideoId: string | null;
  /** Without a trailing slash. */
  readonly baseUrl: string;
}

/** Progress of the underlying work. */
export type Progress = Pick<Job, 'status' | 'progressPercent'> & { readonly error: object | null };

const DRAWN: Progress = { status: 'completed', progressPercent: 100, error: null };

/** `pace`: current time of jobs relative to their expected time. */
export function framesResponse(
  names: PreviewNames,
  { picture, quality }: StoredPreview,
  pace: number,
  more: readonly Warning[] = [],
) {
  const { width, height, moments, output, warnings } = picture;
  const named = moments.map(({ atSeconds, outputSeconds, ...rest }) => ({
    at_seconds: atSeconds,
    output_seconds: outputSeconds,
    ...rest,
  }));
  return {
    ...common(names, 'frames', DRAWN),
    picture: { width, height, moments: named },
    edit: null,
    plan: null,
    expected: output === undefined ? null : expectedOf(output, quality, pace),
    warnings: [...more, ...warnings],
  };
}

function expectedOf(output: PlannedOutput, quality: Quality, pace: number) {
  const seconds = PLANNING_SECONDS + drawingSeconds(output, output, { quality, comparison: false });
  return {
    width: output.width,
    height: output.height,
    duration_seconds: output.durationSeconds,
    frame_rate: output.frameRate,
    file_bytes: Math.round(fileBytes(output, output, quality)),
    rendering_seconds: seconds * pace,
  };
}

export function waitingResponse(names: PreviewNames, progress: Progress, warnings: readonly Warning[] = []) {
  return {
    ...common(names, 'frames', progress),
    picture: null,
    edit: null,
    plan: null,
    expected: null,
    warnings,
  };
}

/** A preview that is made on the queue of jobs. */
export type QueuedPreview = Job & { readonly product: { readonly kind: 'draft' | 'storyboard' | 'plan' } };

export function isQueuedPreview(job: Job | null): job is QueuedPreview {
  return ['draft', 'storyboard', 'plan'].includes(job?.product?.kind ?? '');
}

/** `plan`: of a plan that is completed. */
export function queuedResponse(job: QueuedPreview, baseUrl: string, plan: PlanPreview | null = null) {
  const names = { previewId: job.jobId, baseUrl, ...job };
  const publication = job.status === 'completed' ? job.publication : null;
  return {
    ...common(names, job.product.kind, progressOf(job)),
    picture: null,
    edit: plan?.edit ?? publication?.edit ?? null,
    plan: plan === null ? null : planFields(plan),
    expected: null,
    warnings: [...job.warnings, ...(plan?.warnings ?? [])],
  };
}

export function planResponse(names: PreviewNames, plan: PlanPreview, more: readonly Warning[] = []) {
  return {
    ...common(names, 'plan', DRAWN),
    picture: null,
    edit: plan.edit ?? null,
    plan: planFields(plan),
    expected: null,
    warnings: [...more, ...plan.warnings],
  };
}

function planFields({ timeline, loudnessGainDb, takes, music }: PlanPreview) {
  return {
    timeline,
    loudness_gain_db: loudnessGainDb,
    takes: takes.map(({ videoId, width, height, durationSeconds }) => ({
      ...{ video_id: videoId, width, height, duration_seconds: durationSeconds },
    })),
    music: music === null ? null : { video_id: music.videoId, duration_seconds: music.durationSeconds },
  };
}

export function progressOf(job: Job): Progress {
  const { status, progressPercent } = job;
  return { status, progressPercent, error: job.status === 'failed' ? errorResponse(job) : null };
}

function common(
  names: PreviewNames,
  kind: (typeof PREVIEW_KINDS)[number],
  { status, progressPercent, error }: Progress,
) {
  const url = `${names.baseUrl}/api/v1/previews/${names.previewId}`;
  return {
    preview_id: names.previewId,
    kind,
    status,
    progress_percent: progressPercent,
    video_id: names.videoId,
    template_video_id: names.templateVideoId,
    url,
    file_url: status === 'completed' && kind !== 'plan' ? `${url}/file` : null,
    error,
  };
}
