/**
 * How long work will take before it starts, so that progress passes evenly. Of the seconds on two cores only the ratios
 * matter: a slower machine stretches them all.
 */
import type { Size } from '../footage.ts';
import type { Quality } from '../job-config.ts';

/** Starting a media process, opening the file. */
const START_SECONDS = 0.3;
/** Sound and what is counted frame by frame; the picture, for each million pixels. Clips of .1 to 2 million were measured. */
const MEASURING = { second: 0.05, megapixel: 0.05 };
/** Encoding one second of a million pixels. */
const DRAWING_MEGAPIXEL: Readonly<Record<Quality, number>> = { low: 0.3, medium: 0.4, high: 0.9, ultra: 1.4 };
/** Sound, frames on their way, reading back. */
const DRAWING_SECOND = 0.12;
/** Planning takes as long for any clip. */
export const PLAN_SECONDS = 0.4;

interface Clip extends Size {
  readonly durationSeconds: number;
}

export function measuringSeconds(clip: Clip): number {
  return (
    2 * START_SECONDS + clip.durationSeconds * (MEASURING.second + MEASURING.megapixel * megapixels(clip))
  );
}

/** `output`: the size that comes out. */
export function drawingSeconds(
  { durationSeconds }: Pick<Clip, 'durationSeconds'>,
  output: Size,
  quality: Quality,
): number {
  return START_SECONDS + durationSeconds * (DRAWING_SECOND + DRAWING_MEGAPIXEL[quality] * megapixels(output));
}

function megapixels({ width, height }: Size): number {
  return (width * height) / 1e6;
}
