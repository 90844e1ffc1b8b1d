import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { v7 as newId } from 'uuid';
import { Failure, isFailure } from '../errors.ts';
import type { IdempotencyKey, StoredAnswer, Video, VideoProbe } from '../jobs/job.ts';
import { UploadChecksum } from './checksum.ts';
import { clientSignal, type HttpContext } from './context.ts';
import { claim, idempotencyKey, keyReused, releasing, sendReplay } from './idempotency.ts';
import { receiveFile, type Sink } from './multipart-file.ts';
import type { Answer, Handler } from './operation.ts';
import type { uploadVideo as operation } from './operations.ts';
import { pacedBody } from './paced-body.ts';
import type { HttpParts } from './parts.ts';
import { refuseWhenDraining } from './readiness.ts';
import { SHORT_TEMPLATE_SECONDS, shortTemplateWarning, videoResponse } from './video-response.ts';

const DAY_MS = 86_400_000;
/** What a form adds around the one file: boundary, part headers, small fields. */
const FORM_BYTES = 1 << 20;

interface Received {
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export function uploadVideo(context: HttpContext): Handler<typeof operation> {
  const { parts } = context;
  return async ({ request, reply }) => {
    refuseWhenDraining(parts);
    const checksum = new UploadChecksum(request.headers);
    refuseAnnouncedSize(request, parts.config.MAX_UPLOAD_BYTES);
    // What the file is shows only at its end: replays compare the stored answer's hash.
    const key = idempotencyKey(request, null);
    const stored = key === null ? null : await claim(parts.idempotency, key);
    if (stored !== null) {
      await refuseOtherFile(context, request, checksum, stored);
      sendReplay(reply, stored, locationOf(storedVideo(stored).video_id));
      return undefined;
    }
    return releasing(parts.idempotency, key, () =>
      storeUpload(context, request, checksum, key, clientSignal(reply)),
    );
  };
}

/** Stores, probes and registers the upload; whatever fails on the way leaves nothing behind. */
async function storeUpload(
  context: HttpContext,
  request: FastifyRequest,
  checksum: UploadChecksum,
  key: IdempotencyKey | null,
  signal: AbortSignal,
): Promise<Answer> {
  const { blobs, videos, config } = context.parts;
  const videoId = newId();
  const blobKey = `videos/${videoId}`;
  try {
    const received = await receive(context, request, checksum, async (bytes) => {
      await blobs.put(blobKey, bytes, signal);
    });
    if (received.sizeBytes === 0) throw new Failure('INVALID_VIDEO', 'The file is empty');
    await using local = await blobs.localPath(blobKey, signal);
    const probed = await probeStored(context.parts, local.path, signal);
    const createdAt = new Date();
    const short = probed.durationSeconds < SHORT_TEMPLATE_SECONDS;
    const video: Video = {
      ...probed,
      warnings: short ? [...probed.warnings, shortTemplateWarning(probed.durationSeconds)] : probed.warnings,
      videoId,
      blobKey,
      sha256: received.sha256,
      filename: received.fileName,
      sizeBytes: received.sizeBytes,
      createdAt,
      expiresAt:
        config.RETENTION_DAYS === undefined
          ? null
          : new Date(createdAt.getTime() + config.RETENTION_DAYS * DAY_MS),
    };
    const answer = { message: 'Video uploaded', data: videoResponse(video) };
    const stored: StoredAnswer = { status: 201, body: { success: true, ...answer } };
    await videos.insert(video, key === null ? null : { key, answer: stored });
    return { ...answer, headers: { location: locationOf(videoId) } };
  } catch (error) {
    await blobs.remove(blobKey).catch((trouble: unknown) => {
      request.log.warn({ err: trouble, video_id: videoId }, 'a refused upload could not be removed');
    });
    if (signal.aborted) throw new Failure('MALFORMED_REQUEST', 'The client went away', { cause: error });
    throw error;
  }
}

async function receive(
  { parts: { config } }: HttpContext,
  request: FastifyRequest,
  checksum: UploadChecksum,
  sink: Sink,
): Promise<Received> {
  const paced = pacedBody(request.raw, {
    idleSeconds: config.UPLOAD_IDLE_SECONDS,
    leastBytesPerSecond: config.UPLOAD_LEAST_BYTES_PER_SECOND,
  });
  const fileName = await receiveFile(
    request.headers,
    checksum.body(paced),
    config.MAX_UPLOAD_BYTES,
    (bytes) => sink(Readable.from(checksum.file(bytes), { objectMode: false, highWaterMark: 1 << 18 })),
  );
  return { fileName, sizeBytes: checksum.sizeBytes, sha256: checksum.finish() };
}

/** A file on which the probing process dies or hangs is the file's fault, as long as that process works at all. */
async function probeStored(
  { probe, checkMediaEngine }: HttpParts,
  path: string,
  signal: AbortSignal,
): Promise<VideoProbe> {
  try {
    return await probe(path, signal);
  } catch (error) {
    if (!isFailure(error, 'WORKER_LOST', 'OUT_OF_MEMORY', 'STAGE_TIMEOUT')) throw error;
    await checkMediaEngine().catch((cause: unknown) => {
      throw new Failure('SERVICE_UNAVAILABLE', 'The media engine cannot be started', { cause });
    });
    throw new Failure('INVALID_VIDEO', 'The file cannot be read within the limits of this service', {
      cause: error,
    });
  }
}

async function refuseOtherFile(
  context: HttpContext,
  request: FastifyRequest,
  checksum: UploadChecksum,
  stored: StoredAnswer,
): Promise<void> {
  const received = await receive(context, request, checksum, async (bytes) => {
    for await (const _ of bytes);
  });
  if (received.sha256 !== storedVideo(stored).sha256) throw keyReused();
}

function refuseAnnouncedSize(request: FastifyRequest, maxBytes: number): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced <= maxBytes + FORM_BYTES) return;
  throw new Failure('FILE_TOO_LARGE', `A file may take ${maxBytes} bytes; the body announces ${announced}`);
}

function storedVideo(stored: StoredAnswer): { video_id: string; sha256: string } {
  return (stored.body as { data: { video_id: string; sha256: string } }).data;
}

function locationOf(videoId: string): string {
  return `/api/v1/videos/${videoId}`;
}
