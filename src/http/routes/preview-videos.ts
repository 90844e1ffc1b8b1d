/** The videos that a preview names. */
import { Failure, type FieldError, isFailure } from '../../domain/errors.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { StoredPreviewRequest } from '../../domain/preview.ts';
import type { VideoKind } from '../../domain/stage.ts';
import { partOf, type RangedRequest, rangeErrors } from '../../domain/time-range.ts';
import { kindOf, type Video } from '../../videos/video.ts';
import { invalid } from '../contract/operation.ts';
import type { HttpContext } from '../server/context.ts';
import { presentVideo } from './videos.ts';

/** The parts that count of a request's videos. */
export async function videosOf(
  context: HttpContext,
  { videoId, templateVideoId, config }: Pick<StoredPreviewRequest, 'videoId' | 'templateVideoId' | 'config'>,
) {
  const source = await presentVideo(context.parts.videos, videoId);
  const template = await templateOf(context, templateVideoId);
  return {
    source: partOf(source, config.source_range),
    template: template === null ? null : partOf(template, config.template_range),
  };
}

/** Throws VALIDATION_ERROR for files of another kind, and for ranges that the videos do not have. */
export function assertUsable(config: JobConfig, source: Video, template: Video | null): void {
  assertPictures(source, 'video_id', ['video']);
  if (template !== null) assertPictures(template, 'template_video_id', ['video', 'image']);
  const fields = rangesRefused({ config, isEdit: false }, source, template);
  if (fields.length > 0) throw invalid(fields);
}

/** Why the ranges of a config do not fit its videos; `template`: null: the style is no video's. */
export function rangesRefused(
  request: Pick<RangedRequest, 'config' | 'isEdit'>,
  source: Video,
  template: Video | null,
): FieldError[] {
  const ranged = (video: Video) => ({ kind: kindOf(video), durationSeconds: video.durationSeconds });
  return rangeErrors({
    ...request,
    source: ranged(source),
    template: template === null ? undefined : ranged(template),
  });
}

async function templateOf({ parts }: HttpContext, videoId: string | null): Promise<Video | null> {
  return videoId === null ? null : presentTemplate(parts.videos, videoId);
}

function presentTemplate(videos: HttpContext['parts']['videos'], videoId: string): Promise<Video> {
  return presentVideo(videos, videoId).catch((error) => {
    if (!isFailure(error, 'VIDEO_NOT_FOUND')) throw error;
    throw new Failure('TEMPLATE_VIDEO_NOT_FOUND', error.detail);
  });
}

function assertPictures(video: Video, path: string, kinds: readonly VideoKind[]): void {
  const kind = kindOf(video);
  if (kinds.includes(kind)) return;
  const what =
    kind === 'image' ? 'an image; only a template may be one' : 'a sound file, which has no pictures';
  throw invalid([{ path, message: `is ${what}` }]);
}

/** A video may be deleted while its preview waits or is drawn. Throws the failure that answers a request for it. */
export async function assertStillPresent(
  videos: HttpContext['parts']['videos'],
  source: Pick<Video, 'videoId'>,
  template: Pick<Video, 'videoId'> | null,
): Promise<void> {
  await presentVideo(videos, source.videoId);
  if (template !== null) await presentTemplate(videos, template.videoId);
}
