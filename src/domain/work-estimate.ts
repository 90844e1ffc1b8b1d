/**
 * How long work takes and how large what it makes will be, before it starts: for the bars of the command line, the service's
 * `eta_seconds`, room on the disk, and what the web page says before rendering. Seconds on two cores; on another machine the
 * ratios hold. Pure: the page is built of it.
 */
import type { Size } from './footage.ts';
import type { Quality } from './job-choices.ts';

/**
 * CPU seconds. Their sums were fitted to six real clips of 180 to 720 lines in all qualities (`bench/estimate.ts`) and to a minute of 1080p
 * (`bench/job.ts`): the guesses are .5 to 1.9 of the CPU seconds there: grainy and lively pictures take longer than calm ones. How a frame's
 * cost falls to measuring and drawing was timed apart: a frame of 720 lines takes .005 s to measure, one of 1080 lines .008 s.
 */
const CHILD = 0.5;
const MEASURED_FRAME = 0.007;
const DRAWN_FRAME = 0.005;
/** Of a million pixels of output with the comparison beside it; alone it takes less, by `WITH_COMPARISON`. */
const DRAWN_MEGAPIXEL: Readonly<Record<Quality, number>> = {
  low: 0.03,
  medium: 0.032,
  high: 0.11,
  ultra: 0.18,
};
/** A comparison decodes two pictures and encodes one that is wider. */
const WITH_COMPARISON = 1.7;
/** CPU seconds a second, of the stages of a job on two cores: a minute of 1080p keeps 1.75 busy, a few seconds 1.6. */
const BUSY_CORES = 1.7;
/** Default. */
const USUAL_FRAME_RATE = 30;

/**
 * What a million pixels of output take in the file. Fitted by `bench/estimate.ts` to six real clips of 180 to 720 lines; the
 * guesses are .3 to 3 of the bytes there: grain and movement decide, which nobody knows before.
 */
const MEGAPIXEL_BYTES: Readonly<Record<Quality, number>> = {
  low: 3400,
  medium: 6700,
  high: 13_300,
  ultra: 19_600,
};
/** AAC, as the output has it: up to 256 kbit/s, of speech half of that. */
const SOUND_BYTES_A_SECOND = 16_000;

const LINES: Readonly<Record<string, number>> = { '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 };
/** As `QUALITIES` has them, which needs more than a page should load; `test/web/estimate.test.ts` compares. */
const MAX_LINES: Readonly<Record<Quality, number>> = {
  low: 480,
  medium: 1080,
  high: Number.POSITIVE_INFINITY,
  ultra: Number.POSITIVE_INFINITY,
};
/** The most that `auto` asks for. */
const AUTO_LINES = 1080;

export interface WorkClip {
  readonly durationSeconds: number;
  /** Null, or left out: a usual one. */
  readonly frameRate?: number | null;
}

export interface WorkConfig {
  readonly quality: Quality;
  readonly resolution: string;
}

/** Of one clip, its sound and its picture: two children. */
export function measuringSeconds(clip: WorkClip): number {
  return (2 * CHILD + framesOf(clip) * MEASURED_FRAME) / BUSY_CORES;
}

/** Takes as long for any clip. */
export const PLANNING_SECONDS = CHILD / BUSY_CORES;

/** Rendering and verifying what has `output` as its size. */
export function drawingSeconds(
  clip: WorkClip,
  output: Size,
  { quality, comparison }: { readonly quality: Quality; readonly comparison: boolean },
): number {
  const megapixel = DRAWN_MEGAPIXEL[quality] / (comparison ? 1 : WITH_COMPARISON);
  const frame = DRAWN_FRAME + ((output.width * output.height) / 1e6) * megapixel;
  return (CHILD + framesOf(clip) * frame) / BUSY_CORES;
}

/** Bytes of the file; from a third to three times of it. */
export function fileBytes(
  clip: WorkClip & { readonly hasAudio: boolean },
  output: Size,
  quality: Quality,
): number {
  const sound = clip.hasAudio ? clip.durationSeconds * SOUND_BYTES_A_SECOND : 0;
  return sound + ((framesOf(clip) * output.width * output.height) / 1e6) * MEGAPIXEL_BYTES[quality];
}

/** The output's size in the source's shape; `lookLines`: the shorter side of the look's video, null where it has none. */
export function likelyOutput(
  { width, height }: Size,
  { quality, resolution }: WorkConfig,
  lookLines: number | null,
): Size {
  const short = Math.min(width, height);
  // As `auto` of the service: the larger of both, at most twice what the video has.
  const auto = Math.min(AUTO_LINES, Math.max(short, lookLines ?? 0), short * 2);
  const wanted = resolution === 'auto' ? auto : (LINES[resolution] ?? short);
  const scale = Math.min(wanted, MAX_LINES[quality]) / short;
  return { width: width * scale, height: height * scale };
}

function framesOf({ durationSeconds, frameRate }: WorkClip): number {
  return durationSeconds * (frameRate ?? USUAL_FRAME_RATE);
}
