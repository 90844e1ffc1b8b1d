import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Adjustments } from '../../domain/adjustment-names.ts';
import { adjustmentsSchema } from '../../domain/adjustments.ts';
import { Failure } from '../../domain/errors.ts';
import { jobConfigSchema } from '../../domain/job-config.ts';
import type { StoredResponse } from '../../idempotency/idempotency.ts';
import type { Job } from '../../jobs/model/job.ts';
import { isTerminal } from '../../jobs/model/moves.ts';
import type { NewStyle, SavedStyle } from '../../saved-styles/saved-style.ts';
import { mergeStyles } from '../../style/merge/merge-styles.ts';
import { adjustedStyle } from '../../style/model/adjusted-style.ts';
import { type Style, styleSchema } from '../../style/model/schema.ts';
import { check } from '../../untrusted/check.ts';
import type { Video } from '../../videos/video.ts';
import { errorResponse } from '../contract/job-response.ts';
import { type Handler, invalid } from '../contract/operation.ts';
import type * as operations from '../contract/style-operations.ts';
import type { styleCreateSchema } from '../contract/style-operations.ts';
import { savedStyleResponse } from '../contract/style-response.ts';
import { baseUrl, type HttpContext } from '../server/context.ts';
import { claim, idempotencyKey, releaseOnFailure, sendReplay } from '../server/idempotency.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { originOf } from '../server/request-trace.ts';
import { POLL } from './analysis.ts';
import { fairQueueClient } from './job-creation.ts';
import { mustGet, resultExpired } from './jobs.ts';
import { productJob } from './product-job.ts';
import { LimitedPictures } from './video-files.ts';
import { presentVideo } from './videos.ts';

type StyleCreateRequest = z.output<typeof styleCreateSchema>;

/** A template whose style is known, or is being measured. */
interface Measured {
  readonly video: Video;
  readonly style: Style | null;
  readonly job: Job | null;
}

export function createStyle(context: HttpContext): Handler<typeof operations.createStyle> {
  const { parts, reserve } = context;
  const pictures = new LimitedPictures(context);
  return async ({ body, request, reply }) => {
    refuseWhenDraining(parts);
    await reserve.assertFree(0);
    const base = baseUrl(parts, request);
    const response = (saved: SavedStyle): StoredResponse => ({
      status: 201,
      body: { success: true, message: 'Style saved', data: savedStyleResponse(saved, base) },
    });
    const key = idempotencyKey(request, request.body);
    const stored = key === null ? null : await claim(parts.idempotency, key);
    if (stored !== null) {
      sendReplay(reply, stored, locationOf((stored.body as { data: { style_id: string } }).data.style_id));
      return undefined;
    }
    return releaseOnFailure(parts.idempotency, key, async () => {
      await parts.styles.assertNameFree(body.name);
      const made = await newStyle(context, pictures, body, request, reply);
      if ('analyses' in made) {
        // The same request creates the style once its templates are measured.
        if (key !== null) await parts.idempotency.release(key);
        return { data: measuringResponse(made.analyses, base), accepted: true, headers: POLL };
      }
      const adjusted = adjustedStyle(made.style, adjustmentsSchema.parse(body.adjust ?? {}));
      const saved = await parts.styles.create(
        { ...made, style: adjusted },
        key === null ? null : { key, response },
      );
      request.log.info({ styleId: saved.styleId }, 'style saved');
      return {
        data: savedStyleResponse(saved, base),
        headers: { location: locationOf(saved.styleId) },
      };
    });
  };
}

async function newStyle(
  context: HttpContext,
  pictures: LimitedPictures,
  { name, video_ids: videoIds, style_json: style, job_id: jobId }: StyleCreateRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<NewStyle | { readonly analyses: readonly Measured[] }> {
  if (jobId != null) return { name, ...(await styleOfJob(context, jobId)) };
  if (videoIds == null) return { name, style: style!, origin: { kind: 'style_json' }, pictureKey: null };
  const analyses = await measuredVideos(context, videoIds, request);
  const templates = analyses.flatMap(({ video, style: measured }) =>
    measured === null ? [] : [{ name: video.filename, style: measured }],
  );
  if (templates.length < analyses.length) return { analyses };
  const videos = analyses.map(({ video: { videoId, filename } }) => ({ videoId, filename }));
  const poster = await pictures.of(analyses[0]!.video, reply).catch((error: unknown) => {
    request.log.warn({ err: error }, 'a saved style has no picture');
    return null;
  });
  return {
    ...{ name, style: mergeStyles(templates), origin: { kind: 'videos', videos } },
    pictureKey: poster?.poster.blobKey ?? null,
  };
}

/** The style that a job extracted, with its poster. */
async function styleOfJob({ parts }: HttpContext, jobId: string): Promise<Omit<NewStyle, 'name'>> {
  const job = await mustGet(parts.jobs, jobId);
  if (job.status !== 'completed') {
    const message = `the job is ${job.status}; a style comes from a completed job`;
    if (!isTerminal(job.status))
      throw new Failure('JOB_NOT_COMPLETED', `job_id: ${message}`, { retryAfterSeconds: 5 });
    throw invalid([{ path: 'job_id', message }]);
  }
  if (job.publication === null) throw resultExpired(job);
  const style = check(styleSchema, job.publication.style);
  if (!style.success) throw invalid([{ path: 'job_id', message: 'the job found no style' }]);
  const poster = job.publication.artifacts.find(({ name }) => name === 'poster.jpg');
  return {
    ...{ style: adjustedStyle(style.data, adjustmentsOf(job)), origin: { kind: 'job', jobId: job.jobId } },
    pictureKey: poster?.blobKey ?? null,
  };
}

/** The job's style is reported as it was measured; this is how it was followed. */
function adjustmentsOf({ config }: Job): Adjustments {
  return jobConfigSchema.parse(config).adjust;
}

/** Queues the missing measurements. Throws INVALID_VIDEO, with the file's name, for a template whose measurement failed. */
async function measuredVideos(
  { parts }: HttpContext,
  videoIds: readonly string[],
  request: FastifyRequest,
): Promise<Measured[]> {
  const videos: Video[] = [];
  for (const videoId of videoIds) videos.push(await presentVideo(parts.videos, videoId));
  assertDifferent(videos);
  const found: Measured[] = [];
  for (const [at, video] of videos.entries()) {
    const style = check(styleSchema, await parts.previews.styleOf(video));
    const job = style.success ? null : await parts.jobs.products.latest('analysis', video);
    if (job?.status === 'failed') throw notMeasurable(at, video, job);
    found.push({ video, style: style.success ? style.data : null, job });
  }
  // Not before all are known to be usable.
  const by = { client: fairQueueClient(request, {}), origin: originOf(request) };
  return Promise.all(
    found.map(async (one) =>
      one.style !== null ? one : { ...one, job: await productJob(parts.jobs, 'analysis', one.video, by) },
    ),
  );
}

/** Throws VALIDATION_ERROR for two uploads of one file. */
function assertDifferent(videos: readonly Video[]): void {
  const known = new Map<string, number>();
  for (const [at, { sha256, filename }] of videos.entries()) {
    const same = known.get(sha256);
    if (same !== undefined) {
      const message = `"${filename}" is the same file as video_ids.${same}: name each template once`;
      throw invalid([{ path: `video_ids.${at}`, message }]);
    }
    known.set(sha256, at);
  }
}

function notMeasurable(at: number, { filename, videoId }: Video, job: Job & { status: 'failed' }): Failure {
  const { detail, retryable } = job.error;
  const again = retryable ? `; POST /api/v1/videos/${videoId}/analysis measures it again` : '';
  const message = `"${filename}" could not be measured: ${detail}${again}`;
  return new Failure('INVALID_VIDEO', `video_ids.${at}: ${message}`, {
    fields: [{ path: `video_ids.${at}`, message }],
  });
}

function measuringResponse(analyses: readonly Measured[], base: string) {
  const shown = analyses.map(({ video: { videoId, filename }, style, job }) => ({
    video_id: videoId,
    filename,
    status: style === null ? job!.status : ('completed' as const),
    progress_percent: style === null ? job!.progressPercent : 100,
    error: job?.status === 'failed' ? errorResponse(job) : null,
    url: `${base}/api/v1/videos/${videoId}/analysis`,
  }));
  const sum = shown.reduce((total, { progress_percent: percent }) => total + percent, 0);
  return { status: 'measuring' as const, progress_percent: sum / shown.length, analyses: shown };
}

function locationOf(styleId: string): string {
  return `/api/v1/styles/${styleId}`;
}
