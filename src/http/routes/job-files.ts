import { json } from 'node:stream/consumers';
import { Failure } from '../../domain/errors.ts';
import type { Publication } from '../../domain/stage.ts';
import type { Job } from '../../jobs/model/job.ts';
import { takeIdsOf } from '../../jobs/model/job-videos.ts';
import { frameBlobKey, outputTimelineBlobKey } from '../../storage/blob-names.ts';
import type * as operations from '../contract/job-file-operations.ts';
import type { Handler } from '../contract/operation.ts';
import type { HttpContext } from '../server/context.ts';
import { jobFileName } from '../server/file-name.ts';
import { sendStoredFile } from '../server/stored-file.ts';
import { mustGet, resultExpired } from './jobs.ts';

/** Frames have an interval of 1.5 s. */
const NEXT_FRAME_SECONDS = 2;

export function getOutput(context: HttpContext): Handler<typeof operations.getOutput> {
  const { parts } = context;
  return async ({ params, query, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    const { output } = publicationOf(job);
    const file = {
      artifact: output,
      fileName: jobFileName(job, 'output.mp4'),
      sha256: output.sha256,
    };
    await sendStoredFile(context, file, isYes(query.download), request, reply);
    return undefined;
  };
}

export function getArtifact(context: HttpContext): Handler<typeof operations.getArtifact> {
  const { parts } = context;
  return async ({ params, query, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    const artifact = publicationOf(job).artifacts.find(({ name }) => name === params.name);
    if (artifact === undefined) {
      throw new Failure('ARTIFACT_NOT_FOUND', `The job has no file ${JSON.stringify(params.name)}`);
    }
    const file = {
      artifact,
      fileName: jobFileName(job, artifact.name),
      sha256: null,
    };
    await sendStoredFile(context, file, isYes(query.download), request, reply);
    return undefined;
  };
}

export function getJobTimeline({ parts }: HttpContext): Handler<typeof operations.getJobTimeline> {
  return async ({ params }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    publicationOf(job);
    const key = outputTimelineBlobKey(job.jobId, job.attempt);
    if ((await parts.blobs.head(key)) === null) {
      const detail = 'The job was rendered by an earlier version, which stored no timeline';
      throw new Failure('ARTIFACT_NOT_FOUND', detail);
    }
    const timeline = (await json(await parts.blobs.get(key))) as Record<string, unknown>;
    return { data: { job_id: job.jobId, timeline, takes: takeIdsOf(job).map((video_id) => ({ video_id })) } };
  };
}

/** The newest frame of a running job. */
export function getFrame(context: HttpContext): Handler<typeof operations.getFrame> {
  const { parts } = context;
  return async ({ params, request, reply }) => {
    const job = await mustGet(parts.jobs, params.job_id);
    if ('completedAt' in job) throw new Failure('FRAME_NOT_FOUND', `The job is ${job.status}`);
    const frame = job.status === 'processing' ? job.frame : null;
    if (frame === null) {
      const detail = `The job is ${job.status === 'queued' ? 'queued' : `at ${job.stage}`}`;
      throw new Failure('FRAME_NOT_READY', detail, { retryAfterSeconds: NEXT_FRAME_SECONDS });
    }
    const blobKey = frameBlobKey(job.jobId, job.attempt, frame.sequence);
    const artifact = { name: 'frame.jpg', blobKey, contentType: 'image/jpeg', sizeBytes: 0 };
    const file = {
      artifact,
      fileName: jobFileName(job, 'frame.jpg'),
      sha256: null,
    };
    await sendStoredFile(
      context,
      { ...file, missingCode: 'FRAME_NOT_READY', isReplacedSoon: true },
      false,
      request,
      reply,
    );
    return undefined;
  };
}

/** Throws JOB_NOT_COMPLETED, RESULT_EXPIRED, and ARTIFACT_NOT_FOUND for a job that failed or was cancelled. */
export function publicationOf(job: Job): Publication {
  if (job.status === 'completed') {
    if (job.publication === null) throw resultExpired(job);
    return job.publication;
  }
  if ('completedAt' in job)
    throw new Failure('ARTIFACT_NOT_FOUND', `The job is ${job.status}: it has no files`);
  throw new Failure('JOB_NOT_COMPLETED', `The job is ${job.status}`, { retryAfterSeconds: 5 });
}

export function isYes(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}
