import { Failure } from '../../domain/errors.ts';
import type { StoredProxy } from '../../domain/proxy.ts';
import { framesPerSecond } from '../../domain/time.ts';
import type { Job } from '../../jobs/model/job.ts';
import { doneShares } from '../../jobs/model/progress.ts';
import { kindOf, type Video } from '../../videos/video.ts';
import type { Handler } from '../contract/operation.ts';
import { progressOf } from '../contract/preview-response.ts';
import type * as operations from '../contract/proxy-operations.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { downloadName } from '../server/file-name.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { originOf } from '../server/request-trace.ts';
import { sendStoredFile } from '../server/stored-file.ts';
import { POLL } from './analysis.ts';
import { fairQueueClient } from './job-creation.ts';
import { productJob, removeProductJob } from './product-job.ts';
import { presentVideo } from './videos.ts';

export function createProxy(context: HttpContext): Handler<typeof operations.createProxy> {
  const { parts, reserve } = context;
  return async ({ params, request }) => {
    refuseWhenDraining(parts);
    const video = await presentVideo(parts.videos, params.video_id);
    const base = baseUrl(parts, request);
    const stored = await parts.proxies.load(video);
    if (stored !== null) return { data: readyResponse(video, stored, base) };
    await reserve.assertFree(0);
    const by = { client: fairQueueClient(request, {}), origin: originOf(request) };
    const job = await productJob(parts.jobs, 'proxy', video, by);
    return { data: waitingResponse(video, job), accepted: true, headers: POLL };
  };
}

export function getProxy({ parts }: HttpContext): Handler<typeof operations.getProxy> {
  return async ({ params, request }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    // Read before the proxy: a job that ends in between has stored it.
    const job = await parts.jobs.products.latest('proxy', video);
    const stored = await parts.proxies.load(video);
    // Until its job has ended, the video is in use and cannot be deleted.
    if (stored !== null && job?.status !== 'processing')
      return { data: readyResponse(video, stored, baseUrl(parts, request)) };
    if (job === null || job.status === 'completed') throw notFound(video);
    return { data: waitingResponse(video, job) };
  };
}

export function getProxyFile(context: HttpContext): Handler<typeof operations.getProxyFile> {
  const { parts } = context;
  return async ({ params, request, reply }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    const stored = await parts.proxies.load(video);
    if (stored === null) throw notFound(video);
    const { file } = stored;
    const fileName = downloadName(video.filename, file.name, video.videoId);
    const sent = { artifact: file, fileName, sha256: file.sha256, missingCode: 'PROXY_NOT_FOUND' } as const;
    await sendStoredFile(context, sent, false, request, reply);
    return undefined;
  };
}

export function deleteProxy({ parts }: HttpContext): Handler<typeof operations.deleteProxy> {
  return async ({ params }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    const job = await parts.jobs.products.latest('proxy', video);
    const stored = await parts.proxies.load(video);
    if (job === null && stored === null) throw notFound(video);
    if (job !== null) await removeProductJob(parts.jobs, job);
    await parts.proxies.remove(video);
    return { data: { video_id: video.videoId, deleted: true } };
  };
}

function readyResponse(video: Video, proxy: StoredProxy, base: string) {
  return {
    video_id: video.videoId,
    kind: proxy.kind,
    status: 'completed' as const,
    progress_percent: 100,
    file_url: `${base}/api/v1/videos/${video.videoId}/proxy/file`,
    width: proxy.width,
    height: proxy.height,
    frame_rate: proxy.frameRate === null ? 0 : framesPerSecond(proxy.frameRate),
    duration_seconds: proxy.durationSeconds,
    has_sound: proxy.hasSound,
    error: null,
  };
}

function waitingResponse(video: Video, job: Job) {
  const { status, progressPercent, error } = progressOf(job);
  return {
    video_id: video.videoId,
    kind: kindOf(video),
    status,
    // Only the last stage does anything for a proxy.
    progress_percent: Math.floor(100 * doneShares(progressPercent).drawn),
    ...{
      file_url: null,
      width: null,
      height: null,
      frame_rate: null,
      duration_seconds: null,
      has_sound: null,
    },
    error,
  };
}

function notFound({ videoId }: Video): Failure {
  return new Failure('PROXY_NOT_FOUND', `The video ${videoId} has no proxy`);
}
