import type { Job } from '../../jobs/model/job.ts';

/** Estimates for the moment of the response; see `JobService.outlook`. */
export interface Outlook {
  readonly queuePosition: number | null;
  readonly etaSeconds: number | null;
}

/**
 * A job as clients read it: JobResponse of the interface specification, then this service's additions.
 * `baseUrl` has no slash at its end.
 */
export function jobResponse(job: Job, baseUrl: string, outlook?: Outlook) {
  return {
    job_id: job.jobId,
    video_id: job.videoId,
    status: job.status,
    progress_percent: job.progressPercent,
    current_stage: job.status === 'processing' ? job.stage : null,
    created_at: job.createdAt.toISOString(),
    updated_at: job.updatedAt.toISOString(),
    started_at: job.status === 'queued' ? null : (job.startedAt?.toISOString() ?? null),
    completed_at: 'completedAt' in job ? job.completedAt.toISOString() : null,
    template_video_id: job.templateVideoId,
    source_filename: job.sourceFilename,
    template_filename: job.templateFilename,
    preset: job.preset,
    style_id: job.savedStyle?.styleId ?? null,
    style_name: job.savedStyle?.name ?? null,
    attempt: job.attempt,
    progress_updated_at: job.progressUpdatedAt.toISOString(),
    retry_of: job.retryOf,
    config: job.config,
    edit_request: job.edit,
    warnings: job.warnings,
    url: `${baseUrl}/api/v1/jobs/${job.jobId}`,
    frame: frameResponse(job, baseUrl),
    ...(outlook === undefined
      ? {}
      : { queue_position: outlook.queuePosition, eta_seconds: outlook.etaSeconds }),
  };
}

function frameResponse(job: Job, baseUrl: string) {
  if (job.status !== 'processing' || job.frame === null) return null;
  const { sequence, atSeconds } = job.frame;
  return {
    url: `${baseUrl}/api/v1/jobs/${job.jobId}/frame?sequence=${sequence}`,
    sequence,
    at_seconds: atSeconds,
  };
}

/** JobDetailResponse: the job and its result. */
export function jobDetailResponse(job: Job, baseUrl: string, outlook?: Outlook) {
  const completed = job.status === 'completed' ? job : null;
  const publication = completed?.publication ?? null;
  const jobUrl = `${baseUrl}/api/v1/jobs/${job.jobId}`;
  return {
    ...jobResponse(job, baseUrl, outlook),
    style_json: publication === null ? null : publication.style,
    summary: publication?.summary ?? null,
    edit: publication?.edit ?? null,
    output_video_url: publication === null ? null : `${jobUrl}/output`,
    error: job.status === 'failed' ? errorResponse(job) : null,
    processing_time_seconds:
      completed === null ? null : (completed.completedAt.getTime() - completed.startedAt.getTime()) / 1000,
    expires_at: completed?.expiresAt?.toISOString() ?? null,
    artifacts: (publication?.artifacts ?? []).map((artifact) => ({
      name: artifact.name,
      content_type: artifact.contentType,
      size_bytes: artifact.sizeBytes,
      url: `${jobUrl}/artifacts/${encodeURIComponent(artifact.name)}`,
    })),
  };
}

export function errorResponse({ error }: Job & { status: 'failed' }) {
  return {
    code: error.code,
    message: error.message,
    detail: error.detail,
    stage: error.stage,
    attempt: error.attempt,
    retryable: error.retryable,
    ...(error.fields === undefined ? {} : { fields: error.fields }),
    occurred_at: error.occurredAt.toISOString(),
  };
}

export type JobResponse = ReturnType<typeof jobResponse>;
export type JobDetailResponse = ReturnType<typeof jobDetailResponse>;
