/**
 * Estimates time and output size before work starts: for progress bars of the command line, the service's
 * `eta_seconds`, disk space, and the web page. In seconds on two cores; on other machines the ratios are similar.
 * Without imports from Node, because the page uses it.
 */
import type { Size } from './footage.ts';
import type { Quality } from './job-choices.ts';

/**
 * CPU seconds, fitted to nine real clips of 270 to 720 lines (`bench/estimate.ts`; docs/notebook/costs.md).
 * Over 25 outputs, also of seven more clips, the estimates are off by 1.13 (median), 21 within a factor of
 * 1.5.
 */
const CHILD = 0.4;
const MEASURED_FRAME = 0.0035;
const DRAWN_FRAME = 0.001;
/** CPU seconds of a million pixels of output. At `low` a large source is scaled down. */
const DRAWN_MEGAPIXEL: Readonly<Record<Quality, number>> = {
  low: 0.024,
  medium: 0.0185,
  high: 0.05,
  ultra: 0.08,
};
/** More bytes take longer to encode, by this power of their number. */
const CONTENT_POWER = 0.35;
/** Times the drawing: a comparison decodes two pictures and encodes one that is wider. */
const WITH_COMPARISON = 1.7;
/** CPU seconds a second, of the stages of a job on two cores: a minute of 1080p keeps 1.75 busy, a few seconds 1.6. */
const BUSY_CORES = 1.7;
/** Default. */
const USUAL_FRAME_RATE = 30;

/**
 * Bytes of a million pixels of output of a source of usual density and motion. Fitted to sixteen real clips
 * of 270 to 1386 lines at `medium`, three of them in all qualities. Off by 1.17 (median), within 1.5 in 18 of
 * 25 (docs/notebook/costs.md).
 */
const MEGAPIXEL_BYTES: Readonly<Record<Quality, number>> = {
  low: 4500,
  medium: 9200,
  high: 14_700,
  ultra: 20_200,
};
/** Grain and detail that cost bytes in the source cost them in the output. */
const USUAL_DENSITY = 8000;
const DENSITY_POWER = 0.47;
/** With a motion intensity of 1 (`style_json.motion_intensity`) the bytes are (1 + 3) ^ .78 times as many. */
const MOTION_WEIGHT = 3;
const MOTION_POWER = 0.78;
/** If it is not known: half of the sixteen clips have less than .09. */
const USUAL_MOTION = 0.1;
/** Sound has at most this share of a file. */
const MAX_SOUND_SHARE = 0.35;
/** AAC, as the output has it: up to 256 kbit/s, of speech half of that. */
const SOUND_BYTES_A_SECOND = 16_000;

const LINES: Readonly<Record<string, number>> = { '720p': 720, '1080p': 1080, '1440p': 1440, '2160p': 2160 };
/**
 * Same as in `QUALITIES`, whose module is too large for a page; `test/web/estimate.test.ts` compares both.
 */
const MAX_LINES: Readonly<Record<Quality, number>> = {
  low: 480,
  medium: 1080,
  high: Number.POSITIVE_INFINITY,
  ultra: Number.POSITIVE_INFINITY,
};
/** Upper limit of `auto`. */
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

/** Seconds for measuring one clip, sound and picture: two children. */
export function measuringSeconds(clip: WorkClip): number {
  return (2 * CHILD + framesOf(clip) * MEASURED_FRAME) / BUSY_CORES;
}

/** Takes as long for any clip. */
export const PLANNING_SECONDS = CHILD / BUSY_CORES;

/** Rendering and verifying an output of the size `output`. */
export function drawingSeconds(
  clip: WorkClip & Partial<SizeFactors>,
  output: Size,
  { quality, comparison }: { readonly quality: Quality; readonly comparison: boolean },
): number {
  const content = contentFactor(clip) ** CONTENT_POWER;
  const megapixel = DRAWN_MEGAPIXEL[quality] * content * (comparison ? WITH_COMPARISON : 1);
  const frame = DRAWN_FRAME + ((output.width * output.height) / 1e6) * megapixel;
  return (CHILD + framesOf(clip) * frame) / BUSY_CORES;
}

/** Properties that determine the size of a file of some length and picture size. */
export interface SizeFactors {
  readonly hasAudio: boolean;
  /** 0..1; null, or left out: a usual one. */
  readonly motionIntensity?: number | null;
  /** See `sourceDensity`; left out: a usual one. */
  readonly sourceDensity?: number;
}

/** Bytes of the output relative to those of a typical picture, by its content. */
function contentFactor({
  motionIntensity,
  sourceDensity: density = USUAL_DENSITY,
}: Partial<SizeFactors>): number {
  const motionOf = (intensity: number) => (1 + MOTION_WEIGHT * intensity) ** MOTION_POWER;
  const motion = motionOf(motionIntensity ?? USUAL_MOTION) / motionOf(USUAL_MOTION);
  return motion * (density / USUAL_DENSITY) ** DENSITY_POWER;
}

/** Bytes that a million pixels take in the source's file. */
export function sourceDensity(
  clip: WorkClip & Size & { readonly sizeBytes: number; readonly hasAudio: boolean },
): number {
  const sound = clip.hasAudio ? clip.durationSeconds * SOUND_BYTES_A_SECOND : 0;
  return (clip.sizeBytes - Math.min(sound, MAX_SOUND_SHARE * clip.sizeBytes)) / megapixelsOf(clip, clip);
}

function megapixelsOf(clip: WorkClip, { width, height }: Size): number {
  return (framesOf(clip) * width * height) / 1e6;
}

/** Bytes of the file. */
export function fileBytes(clip: WorkClip & SizeFactors, output: Size, quality: Quality): number {
  const sound = clip.hasAudio ? clip.durationSeconds * SOUND_BYTES_A_SECOND : 0;
  return sound + megapixelsOf(clip, output) * MEGAPIXEL_BYTES[quality] * contentFactor(clip);
}

/** The output's size in the source's shape; `lookLines`: the shorter side of the look's video, null where it has none. */
export function likelyOutput(
  { width, height }: Size,
  { quality, resolution }: WorkConfig,
  lookLines: number | null,
): Size {
  const short = Math.min(width, height);
  // As `auto` of the service: the larger of both, at most twice the video's.
  const auto = Math.min(AUTO_LINES, Math.max(short, lookLines ?? 0), short * 2);
  const wanted = resolution === 'auto' ? auto : (LINES[resolution] ?? short);
  const scale = Math.min(wanted, MAX_LINES[quality]) / short;
  return { width: width * scale, height: height * scale };
}

function framesOf({ durationSeconds, frameRate }: WorkClip): number {
  return durationSeconds * (frameRate ?? USUAL_FRAME_RATE);
}
