import type { z } from 'zod';
import { kindOf, type Video } from '../../videos/video.ts';
import type { videoSchema } from '../contract/contract.ts';

/** `baseUrl` has no slash at its end. */
export function videoResponse(video: Video, baseUrl: string): z.output<typeof videoSchema> {
  const url = `${baseUrl}/api/v1/videos/${video.videoId}`;
  return {
    video_id: video.videoId,
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
