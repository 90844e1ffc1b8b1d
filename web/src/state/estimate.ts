/** How long a rendering will take and how large its file will be, before anything is known but the video and the settings. */
import type { Video } from '../../../src/client/api-types.ts';
import type { Settings } from './settings.ts';

/**
 * What each quality costs in a million pixels of output: CPU seconds with the comparison beside it, and bytes of the file.
 * Fitted by `bench/estimate.ts` to six real clips of 180 to 720 lines; the guesses are .5 to 1.4 of the CPU seconds there, and
 * .3 to 3 of the bytes: grain and movement decide, which nobody knows before.
 */
const COSTS: Readonly<Record<Settings['quality'], { readonly seconds: number; readonly bytes: number }>> = {
  low: { seconds: 0.033, bytes: 3400 },
  medium: { seconds: 0.039, bytes: 6700 },
  high: { seconds: 0.11, bytes: 13_300 },
  ultra: { seconds: 0.166, bytes: 19_600 },
};
/** CPU seconds a frame of the video, whatever its size: looking at it. */
const FRAME_SECONDS = 0.024;
/** CPU seconds of children that start, of files that are placed. */
const ALWAYS_SECONDS = 2.4;
/** CPU seconds a second, of the stages of a job on two cores. */
const BUSY_CORES = 1.6;
/** AAC, as the output has it. */
const SOUND_BYTES_A_SECOND = 16_000;

const LINES: Readonly<Record<string, number>> = { '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 };
/** As `QUALITIES` of the service has them. */
const CAPS: Readonly<Record<Settings['quality'], number>> = {
  low: 480,
  medium: 1080,
  high: Number.POSITIVE_INFINITY,
  ultra: Number.POSITIVE_INFINITY,
};
/** The most that `auto` asks for. */
const AUTO_LINES = 1080;

type Known = Pick<Video, 'width' | 'height' | 'duration_seconds' | 'frame_rate' | 'has_audio'>;

/** `lookLines`: the shorter side of the look's video; null where the look has no size. */
export function renderingSeconds(video: Known, settings: Settings, lookLines: number | null): number {
  const { frames, drawn } = work(video, settings, lookLines);
  const cpuSeconds = ALWAYS_SECONDS + frames * FRAME_SECONDS + drawn * COSTS[settings.quality].seconds;
  return cpuSeconds / BUSY_CORES;
}

export function outputBytes(video: Known, settings: Settings, lookLines: number | null): number {
  const sound = video.has_audio ? video.duration_seconds * SOUND_BYTES_A_SECOND : 0;
  return sound + work(video, settings, lookLines).drawn * COSTS[settings.quality].bytes;
}

/** `drawn`: millions of pixels of all frames of the output. */
function work(
  { width, height, frame_rate: rate, duration_seconds: seconds }: Known,
  { resolution, quality }: Settings,
  lookLines: number | null,
): { frames: number; drawn: number } {
  const frames = seconds * (rate ?? 0);
  const short = Math.min(width, height);
  // As `auto` of the service: the larger of both, at most twice what the video has.
  const auto = Math.min(AUTO_LINES, Math.max(short, lookLines ?? 0), short * 2);
  const wanted = resolution === 'auto' ? auto : (LINES[resolution] ?? short);
  const lines = Math.min(wanted, CAPS[quality]);
  return { frames, drawn: (frames * width * height * (lines / short) ** 2) / 1e6 };
}
