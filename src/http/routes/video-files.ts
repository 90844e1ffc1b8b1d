import { availableParallelism } from 'node:os';
import type { FastifyReply } from 'fastify';
import { Failure, isFailure, isUnusableInput, JOB_ERRORS } from '../../domain/errors.ts';
import type { StoredPictures } from '../../domain/pictures.ts';
import type { Video } from '../../videos/video.ts';
import type { Handler } from '../contract/operation.ts';
import type * as operations from '../contract/video-file-operations.ts';
import { clientSignal, type HttpContext } from '../server/context.ts';
import { downloadName } from '../server/file-name.ts';
import { Semaphore } from '../server/semaphore.ts';
import { SharedWork } from '../server/shared-work.ts';
import { sendStoredFile } from '../server/stored-file.ts';
import { isYes } from './job-files.ts';
import { presentVideo } from './videos.ts';

/** Each runs in its own process for less than a second. Half of the cores stay free for jobs. */
const MADE_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2));
/** A page of a hundred cards requests all of them at once. */
const MAX_WAITING = 128;

/** The operations share their work: poster and strip are made together. */
export function videoFileHandlers(context: HttpContext) {
  const pictures = new LimitedPictures(context);
  return {
    getVideoFile: getVideoFile(context),
    getVideoPoster: getVideoPoster(context, pictures),
    getVideoFilmstrip: getVideoFilmstrip(context, pictures),
  };
}

function getVideoFile(context: HttpContext): Handler<typeof operations.getVideoFile> {
  const { parts } = context;
  return async ({ params, query, request, reply }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    const { blobKey, contentType, sizeBytes, sha256, filename } = video;
    const artifact = { name: filename, blobKey, contentType, sizeBytes };
    const file = { artifact, fileName: filename, sha256, missingCode: 'VIDEO_EXPIRED' } as const;
    await sendStoredFile(context, file, isYes(query.download), request, reply);
    return undefined;
  };
}

function getVideoPoster(
  context: HttpContext,
  pictures: LimitedPictures,
): Handler<typeof operations.getVideoPoster> {
  const { parts } = context;
  return async ({ params, request, reply }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    const { poster } = await pictures.of(video, reply);
    await sendStoredFile(context, fileOf(video, poster), false, request, reply);
    return undefined;
  };
}

function getVideoFilmstrip(
  context: HttpContext,
  pictures: LimitedPictures,
): Handler<typeof operations.getVideoFilmstrip> {
  const { parts } = context;
  return async ({ params, request, reply }) => {
    const video = await presentVideo(parts.videos, params.video_id);
    const { filmstrip, tileWidth, tileHeight, tileSeconds } = await pictures.of(video, reply);
    reply.headers({
      'filmstrip-tiles': String(tileSeconds.length),
      'filmstrip-tile-size': `${tileWidth}x${tileHeight}`,
      'filmstrip-seconds': tileSeconds.map((seconds) => seconds.toFixed(3)).join(','),
    });
    await sendStoredFile(context, fileOf(video, filmstrip), false, request, reply);
    return undefined;
  };
}

function fileOf({ videoId, filename }: Video, artifact: StoredPictures['poster']) {
  return {
    artifact,
    fileName: downloadName(filename, artifact.name, videoId),
    sha256: null,
    missingCode: 'VIDEO_EXPIRED',
  } as const;
}

/** Cached pictures, or made now: a few at a time, and once for each video however many clients request them. */
export class LimitedPictures {
  readonly #context: HttpContext;
  readonly #making = new Semaphore(MADE_AT_ONCE, MAX_WAITING);
  readonly #shared = new SharedWork<StoredPictures>();

  constructor(context: HttpContext) {
    this.#context = context;
  }

  async of(video: Video, reply: FastifyReply): Promise<StoredPictures> {
    const { parts, reserve, closing } = this.#context;
    const cached = await parts.pictures.load(video);
    if (cached !== null) return cached;
    await reserve.assertFree(0);
    const signal = AbortSignal.any([clientSignal(reply), closing]);
    try {
      return await this.#shared.of(video.sha256, signal, async (wanted) => {
        using _permit = await this.#making.acquire(wanted);
        // Another process may have created them in the meantime.
        return (await parts.pictures.load(video)) ?? (await parts.pictures.make(video, wanted));
      });
    } catch (error) {
      if (!signal.aborted) {
        // A video may be deleted while its pictures wait or are drawn.
        await presentVideo(parts.videos, video.videoId);
        throw answerable(error);
      }
      throw parts.draining()
        ? new Failure('DRAINING', 'The service is shutting down', { retryAfterSeconds: 10 })
        : new Failure('REQUEST_TIMEOUT', 'The client did not wait for the pictures');
    }
  }
}

/** Failures of media processes as an answer to a request. */
function answerable(error: unknown): unknown {
  if (isUnusableInput(error)) return new Failure('INVALID_VIDEO', error.detail, { cause: error });
  if (!isFailure(error) || !(error.code in JOB_ERRORS)) return error;
  if (error.code === 'INSUFFICIENT_STORAGE' || error.code === 'INTERNAL_ERROR') return error;
  return new Failure('SERVICE_UNAVAILABLE', error.detail, { retryAfterSeconds: 5, cause: error });
}
