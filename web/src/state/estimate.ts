/** How long a rendering will take, before anything is known but the video and the settings. */
import type { Video } from '../../../src/client/api-types.ts';
import type { Settings } from './settings.ts';

/**
 * Seconds a million pixels of output by quality, with the comparison beside it. Measured on two cores of a server without
 * a graphics card: see `bench/README.md`, "The page".
 */
const SECONDS_A_MEGAPIXEL: Readonly<Record<Settings['quality'], number>> = {
  low: 0.02,
  medium: 0.02,
  high: 0.05,
  ultra: 0.09,
};
/** Seconds a million pixels of the video for looking at it. */
const LOOKING = 0.008;
/** Children that start, files that are placed. */
const ALWAYS_SECONDS = 4;
const LINES: Readonly<Record<string, number>> = { '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 };
const CAPS: Readonly<Record<Settings['quality'], number>> = {
  low: 480,
  medium: 1080,
  high: Number.POSITIVE_INFINITY,
  ultra: Number.POSITIVE_INFINITY,
};
const USUAL_LINES = 1080;

export function renderingSeconds(video: Video, settings: Settings): number {
  const { width, height, frame_rate: rate, duration_seconds: seconds } = video;
  const short = Math.min(width, height);
  const wanted =
    LINES[settings.resolution] ??
    (settings.resolution === 'source' ? short : Math.min(short * 2, USUAL_LINES));
  const lines = Math.min(wanted, CAPS[settings.quality]);
  const frames = seconds * (rate ?? 0);
  const megapixels = (width * height * frames) / 1e6;
  const drawn = megapixels * (lines / short) ** 2;
  return ALWAYS_SECONDS + megapixels * LOOKING + drawn * SECONDS_A_MEGAPIXEL[settings.quality];
}
