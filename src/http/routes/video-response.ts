import type { z } from 'zod';
import { kindOf, type Video } from '../../videos/video.ts';
import type { videoSchema } from '../contract/contract.ts';

export function videoResponse(video: Video): z.output<typeof videoSchema> {
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
    warnings: [...video.warnings],
  };
}
