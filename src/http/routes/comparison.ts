import { Failure } from '../../domain/errors.ts';
import { DEFAULT_JOB_CONFIG } from '../../domain/job-config.ts';
import type { Artifact } from '../../domain/stage.ts';
import type { Job, JobService, NewJob } from '../../jobs/model/job.ts';
import { isTerminal } from '../../jobs/model/moves.ts';
import { outputTimelineBlobKey } from '../../storage/blob-names.ts';
import type * as operations from '../contract/comparison-operations.ts';
import type { Handler } from '../contract/operation.ts';
import { progressOf } from '../contract/preview-response.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { jobFileName } from '../server/file-name.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { originOf } from '../server/request-trace.ts';
import { sendStoredFile } from '../server/stored-file.ts';
import { POLL } from './analysis.ts';
import { fairQueueClient } from './job-creation.ts';
import { isYes, publicationOf } from './job-files.ts';
import { mustGet } from './jobs.ts';

const FILE = 'comparison.mp4';
/** After everything that somebody waits for. */
const LOWEST_PRIORITY = 0;

export function createComparison(context: HttpContext): Handler<typeof operations.createComparison> {
  const { parts, reserve } = context;
  return async ({ params, request }) => {
    refuseWhenDraining(parts);
    const job = await mustGet(parts.jobs, params.job_id);
    const base = baseUrl(parts, request);
    if (ownFile(job) !== null) return { data: madeWithJob(job, base) };
    const latest = await latestOf(parts.jobs, job);
    if (latest !== null && isUsable(latest)) {
      const isThere = latest.status === 'completed';
      return { data: comparisonOf(job, latest, base), ...(isThere ? {} : { accepted: true, headers: POLL }) };
    }
    // An edit from many takes has no single source to compare with.
    if (job.edit !== null) throw notFound(job);
    if ((await parts.blobs.head(outputTimelineBlobKey(job.jobId, job.attempt))) === null) throw notFound(job);
    await reserve.assertFree(0);
    const by = { client: fairQueueClient(request, {}), origin: originOf(request) };
    const made = await parts.jobs.create(productOf(job, by), null);
    return { data: comparisonOf(job, made, base), accepted: true, headers: POLL };
  };
}

export function getComparison({ parts }: HttpContext): Handler<typeof operations.getComparison> {
  return async ({ params, request }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    const base = baseUrl(parts, request);
    if (ownFile(job) !== null) return { data: madeWithJob(job, base) };
    const latest = await latestOf(parts.jobs, job);
    if (latest === null) throw notFound(job);
    return { data: comparisonOf(job, latest, base) };
  };
}

export function getComparisonFile(context: HttpContext): Handler<typeof operations.getComparisonFile> {
  const { parts } = context;
  return async ({ params, query, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    const artifact = ownFile(job) ?? fileOf(await latestOf(parts.jobs, job));
    if (artifact === null) throw notFound(job);
    const file = { artifact, fileName: jobFileName(job, FILE), sha256: null };
    await sendStoredFile(context, file, isYes(query.download), request, reply);
    return undefined;
  };
}

/** The comparison that was rendered with the job. Throws what `publicationOf` throws. */
function ownFile(job: Job): Artifact | null {
  return publicationOf(job).artifacts.find(({ name }) => name === FILE) ?? null;
}

function latestOf(jobs: JobService, { videoId, jobId }: Job): Promise<Job | null> {
  return jobs.products.latestComparison(videoId, jobId);
}

function fileOf(product: Job | null): Artifact | null {
  return product?.status === 'completed' ? (product.publication?.output ?? null) : null;
}

/** Running or completed; one that failed, or whose file is gone, can be made again. */
function isUsable(product: Job): boolean {
  return !isTerminal(product.status) || fileOf(product) !== null;
}

/** The comparison reads files of the job only: template and config are not needed. */
function productOf(
  { jobId, attempt, videoId }: Job,
  { client, origin }: Pick<NewJob, 'client' | 'origin'>,
): NewJob {
  return {
    ...{ videoId, templateVideoId: null, givenStyle: null, webhookUrl: null, warnings: [] },
    config: { ...DEFAULT_JOB_CONFIG, comparison: true },
    priority: LOWEST_PRIORITY,
    client,
    origin: origin ?? null,
    product: { kind: 'comparison', jobId, attempt },
  };
}

function madeWithJob({ jobId }: Job, base: string) {
  const fileUrl = `${base}/api/v1/jobs/${jobId}/comparison/file`;
  return {
    job_id: jobId,
    status: 'completed' as const,
    progress_percent: 100,
    file_url: fileUrl,
    error: null,
  };
}

function comparisonOf(job: Job, product: Job, base: string) {
  const { status, progressPercent, error } = progressOf(product);
  const { file_url } = madeWithJob(job, base);
  return {
    job_id: job.jobId,
    status,
    progress_percent: progressPercent,
    file_url: fileOf(product) === null ? null : file_url,
    error,
  };
}

function notFound({ jobId }: Job): Failure {
  return new Failure('COMPARISON_NOT_FOUND', `The job ${jobId} has no comparison`);
}
