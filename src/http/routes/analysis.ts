import type { z } from 'zod';
import { Failure } from '../../domain/errors.ts';
import type { VideoReference } from '../../domain/stage.ts';
import { partErrors, partOf } from '../../domain/time-range.ts';
import type { Job } from '../../jobs/model/job.ts';
import { isTerminal } from '../../jobs/model/moves.ts';
import { styleSchema } from '../../style/model/schema.ts';
import { styleSentence } from '../../style/model/style-sentence.ts';
import { kindOf, type Video } from '../../videos/video.ts';
import { type Handler, invalid } from '../contract/operation.ts';
import type * as operations from '../contract/preview-operations.ts';
import type { analysisPartSchema } from '../contract/preview-operations.ts';
import { progressOf } from '../contract/preview-response.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { downloadName } from '../server/file-name.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { originOf } from '../server/request-trace.ts';
import { sendStoredFile } from '../server/stored-file.ts';
import { fairQueueClient } from './job-creation.ts';
import { productJob } from './product-job.ts';
import { presentVideo } from './videos.ts';

type AnalysisPart = z.output<typeof analysisPartSchema>;

/** Polling more often does not speed it up. */
export const POLL = { 'retry-after': '1' } as const;

export function createAnalysis(context: HttpContext): Handler<typeof operations.createAnalysis> {
  const { parts, reserve } = context;
  return async ({ params, query, request }) => {
    refuseWhenDraining(parts);
    const video = await analysedVideo(parts, params.video_id, query);
    const base = baseUrl(parts, request);
    const style = await parts.previews.styleOf(video);
    const latest = await parts.jobs.products.latest('analysis', video);
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
  return async ({ params, query, request }) => {
    const video = await analysedVideo(parts, params.video_id, query);
    const style = await parts.previews.styleOf(video);
    const job = await parts.jobs.products.latest('analysis', video);
    if (style === null && job === null) throw notFound(video.videoId);
    return { data: analysisOf(video, style, job, baseUrl(parts, request)) };
  };
}

export function getAnalysisReport(context: HttpContext): Handler<typeof operations.getAnalysisReport> {
  const { parts } = context;
  return async ({ params, query, request, reply }) => {
    const video = await analysedVideo(parts, params.video_id, query);
    const job = await parts.jobs.products.latest('analysis', video);
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

/** The video, or the part of it that is requested. Throws VALIDATION_ERROR for a part that it does not have. */
async function analysedVideo(
  { videos }: HttpContext['parts'],
  videoId: string,
  { start_seconds: start, end_seconds: end }: AnalysisPart,
): Promise<Video> {
  const video = await presentVideo(videos, videoId);
  if (start === undefined && end === undefined) return video;
  const range = [start ?? 0, end ?? video.durationSeconds] as const;
  const path = start === undefined ? 'end_seconds' : 'start_seconds';
  const fields = partErrors(path, range, { kind: kindOf(video), durationSeconds: video.durationSeconds });
  if (fields.length > 0) throw invalid(fields);
  return partOf(video, range);
}

function hasReport(job: Job): job is Job & { readonly status: 'completed' } {
  return job.status === 'completed' && job.publication !== null;
}

/** Measurements of jobs are used too: then there is a style, but no report. */
function analysisOf({ videoId, range }: VideoReference, style: unknown, job: Job | null, base: string) {
  const part = range === undefined ? '' : `?start_seconds=${range[0]}&end_seconds=${range[1]}`;
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
    report_url: reported ? `${base}/api/v1/videos/${videoId}/analysis/report${part}` : null,
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
