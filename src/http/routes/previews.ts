import { availableParallelism } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure, isFailure, JOB_ERRORS } from '../../domain/errors.ts';
import {
  assertDraft,
  assertMoments,
  DRAFT_QUALITY,
  type PreviewRequest,
  type StoredPreview,
} from '../../domain/preview.ts';
import type { Warning } from '../../domain/stage.ts';
import { countingSeconds, spanOf } from '../../domain/time-range.ts';
import type { StoredResponse } from '../../idempotency/idempotency.ts';
import type { Job, NewJob } from '../../jobs/model/job.ts';
import type { Video } from '../../videos/video.ts';
import type { Handler, HandlerResult } from '../contract/operation.ts';
import type * as operations from '../contract/preview-operations.ts';
import { previewCreateSchema } from '../contract/preview-operations.ts';
import {
  framesResponse,
  isQueuedPreview,
  type PreviewNames,
  planResponse,
  progressOf,
  type QueuedPreview,
  queuedResponse,
  waitingResponse,
} from '../contract/preview-response.ts';
import { baseUrl, clientSignal, type HttpContext } from '../server/context.ts';
import { downloadName } from '../server/file-name.ts';
import { claim, idempotencyKey, releaseOnFailure, sendReplay } from '../server/idempotency.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { originOf } from '../server/request-trace.ts';
import { Semaphore } from '../server/semaphore.ts';
import { sendStoredFile } from '../server/stored-file.ts';
import { POLL } from './analysis.ts';
import { assertTranscribable, fairQueueClient, lookOf, unknownKeyWarnings } from './job-creation.ts';
import { Planning, planNow, queuedPlan } from './plan-previews.ts';
import { assertStillPresent, assertUsable, videosOf } from './preview-videos.ts';
import { productJob, type RequestedBy, removeProductJob, sharedProduct } from './product-job.ts';
import { presentVideo } from './videos.ts';

/** Each is a process of its own that takes a core for less than a second: jobs shall keep half of them. */
const DRAWN_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));
/** Who waits for longer has moved on: several seconds pass until so many are drawn. */
const MAX_WAITING = 16;

/** Requested frames and their client. */
interface FramesRequest {
  readonly names: PreviewNames;
  readonly requested: PreviewRequest;
  readonly warnings: readonly Warning[];
  readonly by: RequestedBy;
}

/** The operations share how many are drawn at once. */
export function previewHandlers(context: HttpContext) {
  const drawing = new Semaphore(DRAWN_AT_ONCE, MAX_WAITING);
  const planning = new Planning(new Semaphore(DRAWN_AT_ONCE, MAX_WAITING), context.closing);
  return {
    createPreview: createPreview(context, drawing, planning),
    getPreview: getPreview(context, drawing),
    getPreviewFile: getPreviewFile(context),
    deletePreview: deletePreview(context),
  };
}

function createPreview(
  context: HttpContext,
  drawing: Semaphore,
  planning: Planning,
): Handler<typeof operations.createPreview> {
  const { parts, reserve } = context;
  return async ({ body, request, reply }) => {
    refuseWhenDraining(parts);
    await reserve.assertFree(0);
    const unknown = unknownKeyWarnings(request, previewCreateSchema.shape);
    const { givenStyle, config, warnings: ofLook } = await lookOf(parts, body);
    const warnings = [...unknown, ...ofLook];
    const client = fairQueueClient(request, config.labels);
    const base = baseUrl(parts, request);
    const queued = {
      videoId: body.video_id,
      templateVideoId: body.template_video_id ?? null,
      ...{ givenStyle, webhookUrl: null, warnings, priority: config.priority, client },
      origin: originOf(request),
    };
    if (body.kind === 'storyboard') {
      const storyboard = { ...queued, config, edit: body.edit!, product: { kind: 'storyboard' } as const };
      return await queuePreview(context, storyboard, base, request, reply);
    }
    if (body.kind === 'plan') {
      const requested = { ...queued, config, edit: body.edit ?? null };
      const signal = AbortSignal.any([clientSignal(reply), context.closing]);
      const made = await planNow(context, planning, requested, signal).catch((error: unknown) => {
        throw unansweredFailure(parts, signal, error);
      });
      if (made === null)
        return await queuePreview(context, { ...requested, product: { kind: 'plan' } }, base, request, reply);
      const { previewId, plan } = made;
      return {
        data: planResponse({ ...plan, previewId, baseUrl: base }, plan, warnings),
        headers: { location: pathOf(previewId) },
      };
    }
    const { source, template } = await videosOf(context, {
      ...{ videoId: body.video_id, templateVideoId: body.template_video_id ?? null, config },
    });
    assertUsable(config, source, template);
    if (body.kind === 'draft') {
      const piece = { startSeconds: body.start_seconds, durationSeconds: body.duration_seconds };
      assertDraft(piece, countingSeconds(source.durationSeconds, config.source_range));
      assertTranscribable(parts, config);
      const product = { kind: 'draft', ...piece } as const;
      const draftConfig = { ...config, quality: DRAFT_QUALITY, comparison: false } as const;
      return await queuePreview(context, { ...queued, config: draftConfig, product }, base, request, reply);
    }
    const momentsSeconds = body.at_seconds ?? null;
    if (momentsSeconds !== null) assertMoments(momentsSeconds, spanOf(source), 'at_seconds');
    const requested = { source, template, style: givenStyle, config, momentsSeconds };
    const previewId = await parts.previews.idOf(requested);
    const names = namesOf(previewId, source, template, base);
    const cached = await parts.previews.load(previewId);
    if (cached !== null)
      return {
        data: framesResponse(names, cached, await parts.jobs.pace(), warnings),
        headers: { location: pathOf(previewId) },
      };
    const signal = AbortSignal.any([clientSignal(reply), context.closing]);
    return framesPreview(
      context,
      drawing,
      { names, requested, warnings, by: { client, origin: originOf(request), priority: config.priority } },
      signal,
    );
  };
}

/** A draft or storyboard is made once for one idempotency key, a plan or storyboard without one for equal requests until it ends. */
async function queuePreview(
  { parts, closing }: HttpContext,
  preview: NewJob,
  base: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<HandlerResult | undefined> {
  const key = idempotencyKey(request, request.body);
  const stored = key === null ? null : await claim(parts.idempotency, key);
  if (stored !== null) {
    const { preview_id: previewId } = (stored.body as { data: { preview_id: string } }).data;
    sendReplay(reply, stored, pathOf(previewId));
    return undefined;
  }
  const response = (job: Job): StoredResponse => ({
    status: 202,
    body: { success: true, message: 'Preview queued', data: queuedResponse(job as QueuedPreview, base) },
  });
  const create = () => parts.jobs.create(preview, key === null ? null : { key, response });
  const isShared = key === null && preview.product?.kind !== 'draft';
  const job = isShared
    ? await sharedProduct(parts.jobs, preview, AbortSignal.any([clientSignal(reply), closing]))
    : await releaseOnFailure(parts.idempotency, key, create);
  const headers = { ...POLL, location: pathOf(job.jobId) };
  return { data: queuedResponse(job as QueuedPreview, base), accepted: true, headers };
}

/** Draws possible previews at once; else queues missing measurements. */
async function framesPreview(
  { parts }: HttpContext,
  drawing: Semaphore,
  { names, requested, warnings, by }: FramesRequest,
  signal: AbortSignal,
): Promise<HandlerResult> {
  const { source, template, style, config, momentsSeconds } = requested;
  const { previewId } = names;
  const headers = { location: pathOf(previewId) };
  const missing = [];
  if (!(await parts.previews.isMeasured(source, 'source'))) missing.push(source);
  if (template !== null && !(await parts.previews.isMeasured(template, 'template'))) missing.push(template);
  if (missing.length === 0) {
    const cached = await drawnWhenFree(parts, drawing, previewId, requested, signal);
    return { data: framesResponse(names, cached, await parts.jobs.pace(), warnings), headers };
  }
  await parts.previews.storeRequest(previewId, {
    videoId: names.videoId,
    templateVideoId: names.templateVideoId,
    style,
    config,
    momentsSeconds,
  });
  const jobs: Job[] = [];
  for (const video of missing) jobs.push(await productJob(parts.jobs, 'analysis', video, by));
  const progress = progressOf(slowest(jobs));
  return {
    data: waitingResponse(names, progress, warnings),
    accepted: true,
    headers: { ...headers, ...POLL },
  };
}

function getPreview(context: HttpContext, drawing: Semaphore): Handler<typeof operations.getPreview> {
  const { parts } = context;
  return async ({ params, request, reply }) => {
    const base = baseUrl(parts, request);
    const { preview_id: previewId } = params;
    const queued = await queuedPreview(context, previewId);
    if (queued !== null) {
      const made = queued.product.kind === 'plan' ? await queuedPlan(context, queued) : null;
      return { data: queuedResponse(queued, base, made) };
    }
    const plan = await parts.plans.load(previewId);
    if (plan !== null) return { data: planResponse({ ...plan, previewId, baseUrl: base }, plan) };
    const requested = await parts.previews.loadRequest(previewId);
    const cached = await parts.previews.load(previewId);
    if (cached !== null) {
      const { videoId, templateVideoId } = cached;
      return {
        data: framesResponse(
          { previewId, videoId, templateVideoId, baseUrl: base },
          cached,
          await parts.jobs.pace(),
        ),
      };
    }
    if (requested === null) throw notFound(previewId);
    const videos = await videosOf(context, requested).catch(() => null);
    // A video of it was deleted meanwhile.
    if (videos === null) throw notFound(previewId);
    const { source, template } = videos;
    const names = namesOf(previewId, source, template, base);
    const failed = await failedAnalysis(context, [source, template]);
    if (failed !== null) return { data: waitingResponse(names, progressOf(failed)) };
    refuseWhenDraining(parts);
    const { config } = requested;
    const client = fairQueueClient(request, config.labels);
    const again = { ...requested, source, template };
    const signal = AbortSignal.any([clientSignal(reply), context.closing]);
    const { data } = await framesPreview(
      context,
      drawing,
      {
        names,
        requested: again,
        warnings: [],
        by: { client, origin: originOf(request), priority: config.priority },
      },
      signal,
    );
    return { data };
  };
}

function getPreviewFile(context: HttpContext): Handler<typeof operations.getPreviewFile> {
  const { parts } = context;
  return async ({ params, request, reply }) => {
    const { preview_id: previewId } = params;
    const queued = await queuedPreview(context, previewId);
    const output = queued?.status === 'completed' ? queued.publication?.output : undefined;
    const cached = output === undefined ? await parts.previews.load(previewId) : null;
    const artifact = output ?? cached?.file;
    if (artifact === undefined) {
      if (queued === null && (await parts.previews.loadRequest(previewId)) === null)
        throw notFound(previewId);
      throw new Failure('PREVIEW_NOT_COMPLETED', `The preview is ${queued?.status ?? 'not drawn yet'}`, {
        retryAfterSeconds: 1,
      });
    }
    const video = cached === null ? null : await presentVideo(parts.videos, cached.videoId).catch(() => null);
    const sourceName = queued?.sourceFilename ?? video?.filename ?? null;
    const fileName = downloadName(sourceName, artifact.name, previewId);
    const file = { artifact, fileName, sha256: output?.sha256 ?? null };
    await sendStoredFile(context, file, false, request, reply);
    return undefined;
  };
}

function deletePreview(context: HttpContext): Handler<typeof operations.deletePreview> {
  const { parts } = context;
  return async ({ params }) => {
    const { preview_id: previewId } = params;
    const queued = await queuedPreview(context, previewId);
    if (queued !== null) {
      await removeProductJob(parts.jobs, queued);
    } else if ((await parts.plans.load(previewId)) !== null) {
      await parts.plans.remove(previewId);
    } else {
      if (
        (await parts.previews.loadRequest(previewId)) === null &&
        (await parts.previews.load(previewId)) === null
      )
        throw notFound(previewId);
      await parts.previews.remove(previewId);
    }
    return { data: { preview_id: previewId, deleted: true } };
  };
}

async function queuedPreview({ parts }: HttpContext, previewId: string): Promise<QueuedPreview | null> {
  const job = await parts.jobs.products.get(previewId);
  return isQueuedPreview(job) ? job : null;
}

/** The newest analysis of a video that is not measured, where it failed or was cancelled; null: none. */
async function failedAnalysis({ parts }: HttpContext, [source, template]: readonly [Video, Video | null]) {
  for (const [video, as] of [
    [source, 'source'],
    [template, 'template'],
  ] as const) {
    if (video === null || (await parts.previews.isMeasured(video, as))) continue;
    const job = await parts.jobs.products.latest('analysis', video);
    if (job !== null && (job.status === 'failed' || job.status === 'cancelled')) return job;
  }
  return null;
}

/** The one with the most remaining work. */
function slowest(jobs: readonly Job[]): Job {
  return jobs.reduce((one, other) => (other.progressPercent < one.progressPercent ? other : one));
}

async function drawnWhenFree(
  { previews, draining, videos }: HttpContext['parts'],
  drawing: Semaphore,
  previewId: string,
  requested: PreviewRequest,
  signal: AbortSignal,
): Promise<StoredPreview> {
  try {
    using _permit = await drawing.acquire(signal);
    return await previews.draw(previewId, requested, signal);
  } catch (error) {
    if (!signal.aborted) await assertStillPresent(videos, requested.source, requested.template);
    throw unansweredFailure({ draining }, signal, error);
  }
}

/** The answer to a request whose preview failed, or was cancelled. */
function unansweredFailure(
  { draining }: Pick<HttpContext['parts'], 'draining'>,
  signal: AbortSignal,
  error: unknown,
): unknown {
  if (!signal.aborted) return drawingFailure(error);
  return draining()
    ? new Failure('DRAINING', 'The service is shutting down', { retryAfterSeconds: 10 })
    : new Failure('REQUEST_TIMEOUT', 'The client did not wait for the preview');
}

/** Failures of media processes as an answer to a request. */
function drawingFailure(error: unknown): unknown {
  if (!isFailure(error) || !(error.code in JOB_ERRORS)) return error;
  const isVideo = isFailure(error, 'INPUT_CORRUPT', 'INPUT_UNSUPPORTED', 'INPUT_LIMIT_EXCEEDED');
  if (error.code === 'INSUFFICIENT_STORAGE' || error.code === 'INTERNAL_ERROR') return error;
  const { detail, fields } = error;
  return new Failure(isVideo ? 'INVALID_VIDEO' : 'SERVICE_UNAVAILABLE', detail, { fields, cause: error });
}

function namesOf(previewId: string, source: Video, template: Video | null, base: string): PreviewNames {
  return { previewId, videoId: source.videoId, templateVideoId: template?.videoId ?? null, baseUrl: base };
}

function notFound(previewId: string): Failure {
  return new Failure('PREVIEW_NOT_FOUND', `There is no preview ${JSON.stringify(previewId)}, or no longer`);
}

function pathOf(previewId: string): string {
  return `/api/v1/previews/${previewId}`;
}
