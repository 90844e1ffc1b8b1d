import type { Size } from '../../domain/footage.ts';
import type { FrameRate } from '../../domain/time.ts';

/**
 * Short side of a video's proxy. Without a GPU, a browser on two cores draws 590 of 600 graded frames of this size in time.
 */
export const PROXY_LINES = 540;
/** Short side of a photo's proxy: a slow move may show half of it. */
export const PHOTO_PROXY_LINES = 1080;
/** Four clips, ΔE2000 of pixels and MB a minute: .86 to 1.81, 11 to 15; CRF 21 alone .89 to 1.85, 12 to 18. */
export const PROXY_COMPRESSION = { preset: 'veryfast', crf: 23, chromaOffset: -4 } as const;

/** Faster recordings get a whole part of their rate, because few screens show more. 60 with rounding. */
const MAX_FRAME_RATE = 60.5;

/** Even, never enlarged, its short side at most `lines`. */
export function proxySize({ width, height }: Size, lines: number): Size {
  const scale = Math.min(1, lines / Math.max(1, Math.min(width, height)));
  const even = (value: number) => Math.max(2, 2 * Math.round((value * scale) / 2));
  return { width: even(width), height: even(height) };
}

/** The rate, divided by the smallest whole number that brings it to at most 60 frames a second. */
export function proxyRate({ numerator, denominator }: FrameRate): FrameRate {
  const divisor = Math.max(1, Math.ceil(numerator / denominator / MAX_FRAME_RATE));
  return { numerator, denominator: denominator * divisor };
}
