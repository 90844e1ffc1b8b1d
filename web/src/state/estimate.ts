/**
 * Estimates duration and file size of a rendering until the service has drawn a preview, whose estimate is
 * better.
 */
import type { Video } from '../../../src/client/api-types.ts';
import {
  drawingSeconds,
  fileBytes,
  likelyOutput,
  measuringSeconds,
  PLANNING_SECONDS,
  sourceDensity,
} from '../../../src/domain/work-estimate.ts';
import type { Settings } from './settings.ts';

type Known = Pick<Video, 'width' | 'height' | 'duration_seconds' | 'frame_rate' | 'has_audio' | 'size_bytes'>;

/** `lookLines`: the shorter side of the look's video; null where the look has no size. */
export function renderingSeconds(video: Known, settings: Settings, lookLines: number | null): number {
  const { clip, output } = work(video, settings, lookLines);
  const { quality } = settings;
  return (
    measuringSeconds(clip) + PLANNING_SECONDS + drawingSeconds(clip, output, { quality, comparison: false })
  );
}

export function outputBytes(video: Known, settings: Settings, lookLines: number | null): number {
  const { clip, output } = work(video, settings, lookLines);
  const { width, height, has_audio: hasAudio, size_bytes: sizeBytes } = video;
  const density = sourceDensity({ ...clip, width, height, hasAudio, sizeBytes });
  return fileBytes({ ...clip, hasAudio, sourceDensity: density }, output, settings.quality);
}

function work(video: Known, settings: Settings, lookLines: number | null) {
  const clip = { durationSeconds: video.duration_seconds, frameRate: video.frame_rate };
  return { clip, output: likelyOutput(video, settings, lookLines) };
}
