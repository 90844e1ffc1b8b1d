import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { v7 as newId } from 'uuid';
import { UnknownOutcome } from '../../database/outcome.ts';
import { Failure } from '../../domain/errors.ts';
import type { VideoProbe } from '../../domain/stage.ts';
import type { IdempotencyKey, StoredResponse } from '../../idempotency/idempotency.ts';
import { videoBlobKey } from '../../storage/blob-names.ts';
import { newVideo, probeStored, type ReceivedFile } from '../../uploads/video-registration.ts';
import type { Handler, HandlerResult } from '../contract/operation.ts';
import type { uploadVideo as operation } from '../contract/operations.ts';
import { UploadChecksum } from '../server/checksum.ts';
import { baseUrl, clientSignal, type HttpContext } from '../server/context.ts';
import { claim, idempotencyKey, keyReused, releaseOnFailure, sendReplay } from '../server/idempotency.ts';
import { receiveFile, type Sink } from '../server/multipart-file.ts';
import { pacedBody } from '../server/paced-body.ts';
import { refuseWhenDraining } from '../server/readiness.ts';
import { videoResponse } from './video-response.ts';

/** Overhead of a form around the file: boundary, part headers, small fields. */
const FORM_BYTES = 1 << 20;
/** Buffer of the file between the network and the blob store. */
const BUFFERED_BYTES = 1 << 18;

export function uploadVideo(context: HttpContext): Handler<typeof operation> {
  const { parts } = context;
  return async ({ request, reply }) => {
    refuseWhenDraining(parts);
    const checksum = new UploadChecksum(request.headers);
    refuseAnnouncedSize(request, parts.config.MAX_UPLOAD_BYTES);
    await context.reserve.assertFree(Number(request.headers['content-length'] ?? 0));
    // The file's hash is known only at its end: replays compare the stored answer's hash.
    const key = idempotencyKey(request, null);
    const stored = key === null ? null : await claim(parts.idempotency, key);
    if (stored !== null) {
      await refuseOtherFile(context, request, checksum, stored);
      sendReplay(reply, stored, locationOf(storedVideo(stored).video_id));
      return undefined;
    }
    return releaseOnFailure(parts.idempotency, key, () =>
      storeUpload(context, request, checksum, key, clientSignal(reply)),
    );
  };
}

/** Stores, probes and registers the upload; a failure leaves only files that may be registered. */
async function storeUpload(
  context: HttpContext,
  request: FastifyRequest,
  checksum: UploadChecksum,
  key: IdempotencyKey | null,
  signal: AbortSignal,
): Promise<HandlerResult> {
  const { blobs, videos, config } = context.parts;
  const videoId = newId();
  const blobKey = videoBlobKey(videoId);
  try {
    const received = await receive(context, request, checksum, async (bytes) => {
      await blobs.put(blobKey, bytes, signal);
    });
    if (received.sizeBytes === 0) throw new Failure('INVALID_VIDEO', 'The file is empty');
    const video = newVideo(config, videoId, received, await probedBlob(context, blobKey, signal));
    const content = {
      message: 'Video uploaded',
      data: videoResponse(video, baseUrl(context.parts, request)),
    };
    const stored: StoredResponse = { status: 201, body: { success: true, ...content } };
    await videos.insert(video, key === null ? null : { key, response: stored });
    return { ...content, headers: { location: locationOf(videoId) } };
  } catch (error) {
    // Its row may be there: a sweep finds out.
    if (error instanceof UnknownOutcome) throw error;
    await blobs.remove(blobKey).catch((trouble: unknown) => {
      request.log.warn({ err: trouble, video_id: videoId }, 'a refused upload could not be removed');
    });
    if (signal.aborted)
      throw new Failure('MALFORMED_REQUEST', 'The client closed the connection', { cause: error });
    throw error;
  }
}

async function probedBlob({ parts }: HttpContext, blobKey: string, signal: AbortSignal): Promise<VideoProbe> {
  await using local = await parts.blobs.localPath(blobKey, signal);
  return await probeStored(parts, local.path, signal);
}

async function receive(
  { parts: { config }, reserve }: HttpContext,
  request: FastifyRequest,
  checksum: UploadChecksum,
  sink: Sink,
): Promise<ReceivedFile> {
  const paced = pacedBody(request.raw, {
    idleSeconds: config.UPLOAD_IDLE_SECONDS,
    minBytesPerSecond: config.UPLOAD_LEAST_BYTES_PER_SECOND,
  });
  const fileName = await receiveFile(
    request.headers,
    checksum.body(reserve.guard(paced)),
    config.MAX_UPLOAD_BYTES,
    (bytes) =>
      sink(Readable.from(checksum.file(bytes), { objectMode: false, highWaterMark: BUFFERED_BYTES })),
  );
  return { fileName, sizeBytes: checksum.sizeBytes, sha256: checksum.finish() };
}

async function refuseOtherFile(
  context: HttpContext,
  request: FastifyRequest,
  checksum: UploadChecksum,
  stored: StoredResponse,
): Promise<void> {
  const received = await receive(context, request, checksum, async (bytes) => {
    for await (const _ of bytes);
  });
  if (received.sha256 !== storedVideo(stored).sha256) throw keyReused();
}

function refuseAnnouncedSize(request: FastifyRequest, maxBytes: number): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced <= maxBytes + FORM_BYTES) return;
  throw new Failure(
    'FILE_TOO_LARGE',
    `A file may have at most ${maxBytes} bytes; the request announces ${announced}`,
  );
}

function storedVideo(stored: StoredResponse): { video_id: string; sha256: string } {
  return (stored.body as { data: { video_id: string; sha256: string } }).data;
}

function locationOf(videoId: string): string {
  return `/api/v1/videos/${videoId}`;
}
