/**
 * Estimates duration and file size of a rendering until the service has drawn a preview, whose estimate is
 * better.
 */
import type { Video } from '../../../src/client/api-types.ts';
import type { Size } from '../../../src/domain/footage.ts';
import {
  drawingSeconds,
  fileBytes,
  measuringSeconds,
  PLANNING_SECONDS,
  sourceDensity,
} from '../../../src/domain/work-estimate.ts';
import type { Settings } from './settings.ts';

type Known = Pick<Video, 'width' | 'height' | 'duration_seconds' | 'frame_rate' | 'has_audio' | 'size_bytes'>;

export function renderingSeconds(video: Known, settings: Settings, output: Size): number {
  const clip = clipOf(video);
  const { quality } = settings;
  return (
    measuringSeconds(clip) + PLANNING_SECONDS + drawingSeconds(clip, output, { quality, comparison: false })
  );
}

export function outputBytes(video: Known, settings: Settings, output: Size): number {
  const clip = clipOf(video);
  const { width, height, has_audio: hasAudio, size_bytes: sizeBytes } = video;
  const density = sourceDensity({ ...clip, width, height, hasAudio, sizeBytes });
  return fileBytes({ ...clip, hasAudio, sourceDensity: density }, output, settings.quality);
}

function clipOf(video: Known) {
  return { durationSeconds: video.duration_seconds, frameRate: video.frame_rate };
}
