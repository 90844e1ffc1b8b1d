/** How long a rendering will take and how large its file will be, before anything is known but the video and the settings. */
import type { Video } from '../../../src/client/api-types.ts';
import type { Settings } from './settings.ts';

/** What each quality costs, in a million pixels of output: seconds with the comparison beside it, and bytes of the file. */
const COSTS: Readonly<Record<Settings['quality'], { readonly seconds: number; readonly bytes: number }>> = {
  low: { seconds: 0.02, bytes: 6000 },
  medium: { seconds: 0.02, bytes: 8000 },
  high: { seconds: 0.05, bytes: 12_000 },
  ultra: { seconds: 0.09, bytes: 20_000 },
};
/** Seconds a million pixels of the video for looking at it. */
const LOOKING_SECONDS = 0.008;
/** Children that start, files that are placed. */
const ALWAYS_SECONDS = 4;
/** AAC, as the output has it. */
const SOUND_BYTES_A_SECOND = 24_000;

const LINES: Readonly<Record<string, number>> = { '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 };
/** As `QUALITIES` of the service has them. */
const CAPS: Readonly<Record<Settings['quality'], number>> = {
  low: 480,
  medium: 1080,
  high: Number.POSITIVE_INFINITY,
  ultra: Number.POSITIVE_INFINITY,
};
/** What `auto` does without the look's own size: up to twice the video's, as long as it is at most this. */
const AUTO_LINES = 1080;

type Known = Pick<Video, 'width' | 'height' | 'duration_seconds' | 'frame_rate' | 'has_audio'>;

export function renderingSeconds(video: Known, settings: Settings): number {
  const { shown, drawn } = megapixels(video, settings);
  return ALWAYS_SECONDS + shown * LOOKING_SECONDS + drawn * COSTS[settings.quality].seconds;
}

export function outputBytes(video: Known, settings: Settings): number {
  const sound = video.has_audio ? video.duration_seconds * SOUND_BYTES_A_SECOND : 0;
  return sound + megapixels(video, settings).drawn * COSTS[settings.quality].bytes;
}

/** Of all frames of the video, and of the output. */
function megapixels(video: Known, { resolution, quality }: Settings): { shown: number; drawn: number } {
  const { width, height, frame_rate: rate, duration_seconds: seconds } = video;
  const short = Math.min(width, height);
  const auto = Math.max(short, Math.min(short * 2, AUTO_LINES));
  const wanted = resolution === 'auto' ? Math.min(auto, AUTO_LINES) : (LINES[resolution] ?? short);
  const lines = Math.min(wanted, CAPS[quality]);
  const shown = (width * height * seconds * (rate ?? 0)) / 1e6;
  return { shown, drawn: shown * (lines / short) ** 2 };
}
