import type { z } from 'zod';
import { REQUEST_ERRORS } from '../../domain/errors.ts';
import { kindOf, type Video, type VideoImport } from '../../videos/video.ts';
import type { videoImportSchema, videoSchema } from '../contract/contract.ts';

/** `baseUrl` has no slash at its end. */
export function videoResponse(video: Video, baseUrl: string): z.output<typeof videoSchema> {
  const url = `${baseUrl}/api/v1/videos/${video.videoId}`;
  return {
    video_id: video.videoId,
    status: 'ready',
    kind: kindOf(video),
    filename: video.filename,
    size_bytes: video.sizeBytes,
    sha256: video.sha256,
    content_type: video.contentType,
    container: video.container,
    duration_seconds: video.durationSeconds,
    width: video.width,
    height: video.height,
    rotation: video.rotation,
    frame_rate: video.frameRate,
    video_codec: video.videoCodec,
    audio_codec: video.audioCodec,
    has_audio: video.audioCodec !== null,
    created_at: video.createdAt.toISOString(),
    expires_at: video.expiresAt?.toISOString() ?? null,
    poster_url: `${url}/poster`,
    filmstrip_url: `${url}/filmstrip`,
    file_url: `${url}/file`,
    warnings: [...video.warnings],
  };
}

/** `baseUrl` has no slash at its end. */
export function importResponse(
  videoImport: VideoImport,
  baseUrl: string,
): z.output<typeof videoImportSchema> {
  const { error } = videoImport;
  return {
    video_id: videoImport.videoId,
    status: videoImport.status,
    filename: videoImport.filename,
    received_bytes: videoImport.receivedBytes,
    size_bytes: videoImport.totalBytes,
    created_at: videoImport.createdAt.toISOString(),
    url: `${baseUrl}/api/v1/videos/${videoImport.videoId}`,
    error:
      error === null
        ? null
        : {
            ...error,
            message: REQUEST_ERRORS[error.code].message,
            retryable: REQUEST_ERRORS[error.code].retryable,
          },
  };
}
