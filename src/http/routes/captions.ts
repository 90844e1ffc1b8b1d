import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Failure } from '../../domain/errors.ts';
import type { Warning } from '../../domain/stage.ts';
import { captionsBlobKey, jobCaptionsBlobKey } from '../../storage/blob-names.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import { guessedEncodingMessage } from '../../style/captions/encoding.ts';
import { CAPTION_HEAD_BYTES, captionFormat, MAX_CAPTION_BYTES } from '../../style/captions/file.ts';
import { signsLeftOutMessage } from '../../style/captions/signs.ts';
import { CAPTIONS_SEEM_TELEMETRY } from '../../style/captions/telemetry.ts';
import type * as operations from '../contract/caption-operations.ts';
import type { Handler } from '../contract/operation.ts';
import { clientSignal, type HttpContext } from '../server/context.ts';
import { type PaceLimits, pacedBody } from '../server/paced-body.ts';
import { type CaptionOutline, readCaptionFile } from './caption-reader.ts';
import { presentVideo } from './videos.ts';

const CONTENT_TYPES = { srt: 'application/x-subrip', vtt: 'text/vtt' } as const;

export function putCaptions({ parts }: HttpContext): Handler<typeof operations.putCaptions> {
  return async ({ params, request, reply }) => {
    const { config, videos, blobs } = parts;
    const video = await presentVideo(videos, params.video_id);
    const bytes = await readBody(request.raw, {
      idleSeconds: config.UPLOAD_IDLE_SECONDS,
      minBytesPerSecond: config.UPLOAD_LEAST_BYTES_PER_SECOND,
    });
    const { durationSeconds } = video;
    const file = await readCaptionFile({ bytes, durationSeconds }, clientSignal(reply));
    await videos.change(video.videoId, async (_video, jobIds) => {
      await keepForJobs(blobs, video.videoId, jobIds);
      await blobs.put(captionsBlobKey(video.videoId), Readable.from([bytes]));
    });
    return {
      data: {
        video_id: video.videoId,
        format: file.format,
        encoding: file.encoding,
        cue_count: file.cueCount,
        size_bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        warnings: warningsOf(file, durationSeconds),
      },
    };
  };
}

export function getCaptions({ parts, sender }: HttpContext): Handler<typeof operations.getCaptions> {
  return async ({ params, request, reply }) => {
    const { videoId } = await presentVideo(parts.videos, params.video_id);
    const file = await sender.open(captionsBlobKey(videoId), request, reply);
    if (file === null) throw noCaptions(videoId);
    try {
      const { size } = await file.handle.stat();
      if (size > MAX_CAPTION_BYTES) throw noCaptions(videoId);
      const head = Buffer.alloc(CAPTION_HEAD_BYTES);
      const { bytesRead } = await file.handle.read(head, 0, head.length, 0);
      void reply
        .type(CONTENT_TYPES[captionFormat(head.subarray(0, bytesRead))])
        .header('content-length', size);
      sender.send(file, { start: 0, end: size - 1 }, request, reply);
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
    return undefined;
  };
}

export function deleteCaptions({ parts }: HttpContext): Handler<typeof operations.deleteCaptions> {
  return async ({ params }) => {
    const { videos, blobs } = parts;
    await videos.change(params.video_id, async ({ videoId }, jobIds) => {
      const key = captionsBlobKey(videoId);
      if ((await blobs.head(key)) === null) throw noCaptions(videoId);
      await keepForJobs(blobs, videoId, jobIds);
      await blobs.remove(key);
    });
    return { data: { video_id: params.video_id, deleted: true } };
  };
}

/** Before a video's captions change: jobs that have not ended keep those that they were made with, or none. */
async function keepForJobs(blobs: BlobStore, videoId: string, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length === 0) return;
  const key = captionsBlobKey(videoId);
  const bytes = (await blobs.head(key)) === null ? Buffer.alloc(0) : await buffer(await blobs.get(key));
  for (const jobId of jobIds) {
    const own = jobCaptionsBlobKey(jobId);
    if ((await blobs.head(own)) === null) await blobs.put(own, Readable.from([bytes]));
  }
}

function noCaptions(videoId: string): Failure {
  return new Failure('CAPTIONS_NOT_FOUND', `The video ${videoId} has no caption file`);
}

async function readBody(body: IncomingMessage, pace: PaceLimits): Promise<Buffer> {
  const tooLarge = () =>
    new Failure('BODY_TOO_LARGE', `A caption file may have at most ${MAX_CAPTION_BYTES} bytes`);
  if (Number(body.headers['content-length'] ?? 0) > MAX_CAPTION_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of pacedBody(body, pace)) {
    size += chunk.length;
    if (size > MAX_CAPTION_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function warningsOf(
  { cueCount, pastEndCount, encoding, isEncodingGuessed, signCount, isTelemetry }: CaptionOutline,
  durationSeconds: number,
): Warning[] {
  const warnings: Warning[] = [];
  if (pastEndCount > 0) {
    warnings.push({
      code: 'CAPTIONS_PAST_END',
      message: `${pastEndCount} of ${cueCount} captions begin after the end of the video (${durationSeconds.toFixed(1)} s)`,
    });
  }
  if (isEncodingGuessed)
    warnings.push({ code: 'CAPTIONS_ENCODING_GUESSED', message: guessedEncodingMessage(encoding) });
  if (signCount > 0)
    warnings.push({ code: 'CAPTION_SIGNS_LEFT_OUT', message: signsLeftOutMessage(signCount) });
  if (isTelemetry) warnings.push({ code: 'CAPTIONS_SEEM_TELEMETRY', message: CAPTIONS_SEEM_TELEMETRY });
  return warnings;
}
