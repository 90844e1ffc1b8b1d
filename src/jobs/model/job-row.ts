import type { Row } from '../../database/database.ts';
import type { EditOptions } from '../../domain/edit-options.ts';
import type { LiveFrame, Product, Publication, StageName, Warning } from '../../domain/stage.ts';
import type { Job, JobError, JobOrigin, JobStatus } from './job.ts';

/** A row of `jobs` as the database returns it. */
export interface JobRow extends Row {
  readonly job_id: string;
  readonly video_id: string;
  readonly template_video_id: string | null;
  readonly given_style: unknown;
  readonly config: Record<string, unknown>;
  readonly edit: EditOptions | null;
  readonly webhook_url: string | null;
  readonly retry_of: string | null;
  readonly priority: number;
  readonly client: string;
  readonly warnings: readonly Warning[];
  readonly status: JobStatus;
  readonly stage: StageName | null;
  readonly progress_percent: number;
  readonly attempt: number;
  readonly product: Product | null;
  readonly frame: LiveFrame | null;
  readonly source_filename: string | null;
  readonly template_filename: string | null;
  readonly preset: string | null;
  readonly style_id: string | null;
  readonly style_name: string | null;
  readonly origin: JobOrigin | null;
  readonly workers_lost: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly progress_updated_at: Date;
  readonly started_at: Date | null;
  readonly completed_at: Date | null;
  readonly publication: Publication | null;
  readonly expires_at: Date | null;
  readonly error: (Omit<JobError, 'occurredAt'> & { readonly occurredAt: string }) | null;
}

/** The table's check constraints guarantee the non-null assertions below. */
export function jobOf(row: JobRow): Job {
  const common = {
    jobId: row.job_id,
    videoId: row.video_id,
    templateVideoId: row.template_video_id,
    givenStyle: row.given_style,
    config: row.config,
    edit: row.edit,
    webhookUrl: row.webhook_url,
    retryOf: row.retry_of,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    progressUpdatedAt: row.progress_updated_at,
    progressPercent: row.progress_percent,
    warnings: row.warnings,
    attempt: row.attempt,
    product: row.product,
    sourceFilename: row.source_filename,
    templateFilename: row.template_filename,
    preset: row.preset,
    savedStyle: row.style_id === null ? null : { styleId: row.style_id, name: row.style_name ?? '' },
    origin: row.origin,
  };
  const { status } = row;
  switch (status) {
    case 'queued':
      return { ...common, status };
    case 'processing':
      return { ...common, status, stage: row.stage!, startedAt: row.started_at!, frame: row.frame };
    case 'completed':
      return {
        ...common,
        status,
        startedAt: row.started_at!,
        completedAt: row.completed_at!,
        publication: row.publication,
        expiresAt: row.expires_at,
      };
    case 'failed':
      return {
        ...common,
        status,
        startedAt: row.started_at,
        completedAt: row.completed_at!,
        error: { ...row.error!, occurredAt: new Date(row.error!.occurredAt) },
      };
    case 'cancelled':
      return { ...common, status, startedAt: row.started_at, completedAt: row.completed_at! };
  }
}
