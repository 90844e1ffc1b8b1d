import { Failure } from '../../domain/errors.ts';
import type { Job, JobFilter, JobService } from '../../jobs/model/job.ts';
import { jobDetailResponse, jobResponse } from '../contract/job-response.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/operations.ts';
import { baseUrl, clientSignal, type HttpContext } from '../server/context.ts';
import { errorResponse } from '../server/error-response.ts';
import { listingResponse, listRequest } from '../server/paging.ts';

/** Interval for polling that the interface specification recommends. */
const POLL_SECONDS = 5;

export function listJobs({ parts }: HttpContext): Handler<typeof operations.listJobs> {
  return async ({ query, request }) => {
    const filter: JobFilter = {
      ...(query.status === undefined ? {} : { status: [query.status].flat() }),
      ...(query.q ? { text: query.q } : {}),
      ...(query.video_id === undefined ? {} : { videoId: query.video_id }),
      ...(query.template_video_id === undefined ? {} : { templateVideoId: query.template_video_id }),
      ...(query.style_id === undefined ? {} : { styleId: query.style_id }),
      ...(query.preset === undefined ? {} : { preset: query.preset }),
    };
    const listing = await parts.jobs.list(listRequest(query, filter));
    const base = baseUrl(parts, request);
    const jobs = listing.items.map((job) => jobResponse(job, base));
    return { data: { jobs, ...listingResponse(listing, query) } };
  };
}

export function getJob({ parts }: HttpContext): Handler<typeof operations.getJob> {
  return async ({ params, request }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    return { data: jobResponse(job, baseUrl(parts, request), await parts.jobs.outlook(job)) };
  };
}

export function getJobResult({
  parts,
  watchers,
  closing,
}: HttpContext): Handler<typeof operations.getJobResult> {
  return async ({ params, query, request, reply }) => {
    let job = await mustGet(parts.jobs, params.job_id);
    if (query.wait > 0 && !('completedAt' in job)) {
      watchers.add(request, reply);
      const signal = AbortSignal.any([clientSignal(reply), closing]);
      const last = await parts.jobs.waitForEnd(job.jobId, query.wait * 1000, signal);
      if (last === null) throw jobNotFound(job.jobId);
      job = last;
    }
    if (job.status === 'completed' && job.publication === null) throw resultExpired(job);
    const data = jobDetailResponse(job, baseUrl(parts, request));
    if ('completedAt' in job) return { data, message: `The job has ended: ${job.status}` };
    // The interface specification requires both: an error, and a result whose fields are null.
    const failure = new Failure('JOB_NOT_COMPLETED', `The job is ${job.status}`, {
      retryAfterSeconds: POLL_SECONDS,
    });
    const { status, headers, body } = errorResponse(failure, request.id);
    void reply
      .code(status)
      .headers(headers)
      .send({ ...body, data });
    return undefined;
  };
}

export function cancelJob({ parts }: HttpContext): Handler<typeof operations.cancelJob> {
  return async ({ params, request }) => {
    const job = await parts.jobs.cancel(params.job_id);
    return { data: jobResponse(job, baseUrl(parts, request)) };
  };
}

export function deleteJob({ parts }: HttpContext): Handler<typeof operations.deleteJob> {
  return async ({ params }) => {
    await parts.jobs.remove(params.job_id);
    return { data: { job_id: params.job_id, deleted: true } };
  };
}

export async function mustGet(jobs: JobService, jobId: string): Promise<Job> {
  const job = await jobs.get(jobId);
  if (job === null) throw jobNotFound(jobId);
  return job;
}

export function resultExpired({ jobId, expiresAt }: Job & { readonly status: 'completed' }): Failure {
  const when = expiresAt === null ? '' : ` ${expiresAt.toISOString()}`;
  return new Failure('RESULT_EXPIRED', `The result of the job ${jobId} expired${when}`);
}

function jobNotFound(jobId: string): Failure {
  return new Failure('JOB_NOT_FOUND', `There is no job ${JSON.stringify(jobId)}`);
}
