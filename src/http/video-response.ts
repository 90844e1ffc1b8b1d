import type { z } from 'zod';
import type { Video } from '../jobs/job.ts';
import type { Warning } from '../stage.ts';
import type { videoSchema } from './contract.ts';

/** The interface specification's recommended least length of a template. */
export const SHORT_TEMPLATE_SECONDS = 30;

export function shortTemplateWarning(durationSeconds: number): Warning {
  return {
    code: 'TEMPLATE_SHORT',
    message:
      `The video is ${durationSeconds.toFixed(1)} s long: ` +
      `as a template, less than ${SHORT_TEMPLATE_SECONDS} s may not yield accurate pacing.`,
  };
}

export function videoResponse(video: Video): z.output<typeof videoSchema> {
  return {
    video_id: video.videoId,
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
