/** Lettering that stays and is no logo. */
import type { Box, Span, VideoFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { marksBetween } from './lettering.ts';

/**
 * Share of a framing's width from which lettering that stays is a headline, not a logo: two headlines of a selfie have .55 and .9
 * of an upright crop, the logo in the corner of a wide picture .3.
 */
const HEADLINE_SHARE = 0.5;

/** Lettering that stays for a clip, as wide as half of a framing of this size, and not larger than it. */
export function headlinesBetween(video: VideoFacts, { startSeconds, endSeconds }: Span, size: Size): Box[] {
  return marksBetween(video, startSeconds, endSeconds).filter(
    ({ width, height }) =>
      width >= HEADLINE_SHARE * size.width && width <= size.width && height <= size.height,
  );
}
