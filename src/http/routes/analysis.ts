import { Failure } from '../../domain/errors.ts';
import type { VideoReference } from '../../domain/stage.ts';
import type { Job } from '../../jobs/model/job.ts';
import { isTerminal } from '../../jobs/model/moves.ts';
import { styleSchema } from '../../style/model/schema.ts';
import { styleSentence } from '../../style/model/style-sentence.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/preview-operations.ts';
import { progressOf } from '../contract/preview-response.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { downloadName } from '../server/file-name.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { originOf } from '../server/request-trace.ts';
import { sendStoredFile } from '../server/stored-file.ts';
import { fairQueueClient } from './job-creation.ts';
import { productJob } from './product-job.ts';
import { presentVideo } from './videos.ts';

/** Polling more often does not speed it up. */
export const POLL = { 'retry-after': '1' } as const;

export function createAnalysis(context: HttpContext): Handler<typeof operations.createAnalysis> {
  const { parts, reserve } = context;
  return async ({ params, request }) => {
    refuseWhenDraining(parts);
    const video = await presentVideo(parts.videos, params.video_id);
    const base = baseUrl(parts, request);
    const style = await parts.previews.styleOf(video);
    const latest = await parts.jobs.products.latest('analysis', video.videoId);
    if (style !== null && latest !== null && hasReport(latest))
      return { data: analysisOf(video, style, latest, base) };
    await reserve.assertFree(0);
    const job = await productJob(parts.jobs, 'analysis', video, {
      client: fairQueueClient(request, {}),
      origin: originOf(request),
    });
    return { data: analysisOf(video, style, job, base), accepted: true, headers: POLL };
  };
}

export function getAnalysis({ parts }: HttpContext): Handler<typeof operations.getAnalysis> {
  return async ({ params, request }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    const style = await parts.previews.styleOf(video);
    const job = await parts.jobs.products.latest('analysis', video.videoId);
    if (style === null && job === null) throw notFound(video.videoId);
    return { data: analysisOf(video, style, job, baseUrl(parts, request)) };
  };
}

export function getAnalysisReport(context: HttpContext): Handler<typeof operations.getAnalysisReport> {
  const { parts } = context;
  return async ({ params, request, reply }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    const job = await parts.jobs.products.latest('analysis', video.videoId);
    if (job === null || !hasReport(job)) throw notFound(video.videoId);
    const { output } = job.publication!;
    const file = {
      artifact: output,
      fileName: downloadName(video.filename, 'report.html', video.videoId),
      sha256: output.sha256,
    };
    await sendStoredFile(context, file, false, request, reply);
    return undefined;
  };
}

function hasReport(job: Job): job is Job & { readonly status: 'completed' } {
  return job.status === 'completed' && job.publication !== null;
}

/** What jobs have measured serves as well: then there is a style, and no report. */
function analysisOf({ videoId }: VideoReference, style: unknown, job: Job | null, base: string) {
  const reported = job !== null && hasReport(job);
  const { status, progressPercent, error } =
    job === null || (style !== null && isTerminal(job.status))
      ? { status: 'completed', progressPercent: 100, error: null }
      : progressOf(job);
  return {
    video_id: videoId,
    status,
    progress_percent: progressPercent,
    style_json: style,
    description: described(style),
    report_url: reported ? `${base}/api/v1/videos/${videoId}/analysis/report` : null,
    error,
    warnings: job?.warnings ?? [],
  };
}

/** Describes a cached style, which another version of the program may have written. */
function described(cached: unknown): string | null {
  const style = styleSchema.safeParse(cached);
  return style.success ? styleSentence(style.data) : null;
}

function notFound(videoId: string): Failure {
  return new Failure('ANALYSIS_NOT_FOUND', `The video ${videoId} has not been analysed`);
}
