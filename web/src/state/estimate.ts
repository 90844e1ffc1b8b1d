/** How long a rendering will take and how large its file will be, before anything is known but the video and the settings. */
import type { Video } from '../../../src/client/api-types.ts';
import {
  drawingSeconds,
  fileBytes,
  likelyOutput,
  measuringSeconds,
  PLANNING_SECONDS,
} from '../../../src/domain/work-estimate.ts';
import type { Settings } from './settings.ts';

type Known = Pick<Video, 'width' | 'height' | 'duration_seconds' | 'frame_rate' | 'has_audio'>;

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
  return fileBytes({ ...clip, hasAudio: video.has_audio }, output, settings.quality);
}

function work(video: Known, settings: Settings, lookLines: number | null) {
  const clip = { durationSeconds: video.duration_seconds, frameRate: video.frame_rate };
  return { clip, output: likelyOutput(video, settings, lookLines) };
}
