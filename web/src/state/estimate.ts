/** How long a rendering will take and how large its file will be, before anything is known but the video and the settings. */
import type { Video } from '../../../src/client/api-types.ts';
import {
  drawingSeconds,
  framesOf,
  likelyOutput,
  measuringSeconds,
  PLANNING_SECONDS,
} from '../../../src/work-estimate.ts';
import type { Settings } from './settings.ts';

/**
 * What a million pixels of output take in the file. Fitted by `bench/estimate.ts` to six real clips of 180 to 720 lines; the
 * guesses are .3 to 3 of the bytes there: grain and movement decide, which nobody knows before.
 */
const BYTES: Readonly<Record<Settings['quality'], number>> = {
  low: 3400,
  medium: 6700,
  high: 13_300,
  ultra: 19_600,
};
/** AAC, as the output has it. */
const SOUND_BYTES_A_SECOND = 16_000;

type Known = Pick<Video, 'width' | 'height' | 'duration_seconds' | 'frame_rate' | 'has_audio'>;

/** With the comparison, as the page asks for it. `lookLines`: the shorter side of the look's video; null where the look has no size. */
export function renderingSeconds(video: Known, settings: Settings, lookLines: number | null): number {
  const { clip, output } = work(video, settings, lookLines);
  const { quality } = settings;
  return (
    measuringSeconds(clip) + PLANNING_SECONDS + drawingSeconds(clip, output, { quality, comparison: true })
  );
}

export function outputBytes(video: Known, settings: Settings, lookLines: number | null): number {
  const { clip, output } = work(video, settings, lookLines);
  const sound = video.has_audio ? video.duration_seconds * SOUND_BYTES_A_SECOND : 0;
  const drawn = (framesOf(clip) * output.width * output.height) / 1e6;
  return sound + drawn * BYTES[settings.quality];
}

function work(video: Known, settings: Settings, lookLines: number | null) {
  const clip = { durationSeconds: video.duration_seconds, frameRate: video.frame_rate };
  return { clip, output: likelyOutput(video, settings, lookLines) };
}
