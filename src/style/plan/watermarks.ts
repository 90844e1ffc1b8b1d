/** Watermarks with what belongs to them, and headlines. */
import type { Box, Span, VideoFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { isWithin } from './area.ts';
import { marksBetween } from './lettering.ts';

/** Room about a watermark's letters, in shares of the picture as many times their height: the ring of a logo reaches 1.5 beyond its letters. */
const EMBLEM_ROOM = 1.5;
/**
 * Share of a framing's width from which lettering that stays is a headline, not a logo: two headlines of a selfie have .55 and .9
 * of an upright crop, the logo in the corner of a wide picture .3.
 */
const HEADLINE_SHARE = 0.5;
/** Sums of shares are not exact. */
const ROUNDING = 1e-9;

/** The watermarks that a framing shows whole in a run, with their emblems. */
export function marksIn(video: VideoFacts, { startSeconds, endSeconds }: Span, framing: Box): Box[] {
  return marksBetween(video, startSeconds, endSeconds)
    .filter((mark) => isWithin(mark, framing, ROUNDING))
    .map((mark) => withEmblem(mark, framing));
}

/** Headlines: lettering that stays for a clip, as wide as half of a framing of this size, and not larger than it. */
export function headlinesBetween(video: VideoFacts, { startSeconds, endSeconds }: Span, size: Size): Box[] {
  return marksBetween(video, startSeconds, endSeconds).filter(
    ({ width, height }) =>
      width >= HEADLINE_SHARE * size.width && width <= size.width && height <= size.height,
  );
}

/** The box of a watermark's letters with the ring, leaf or sign that is often around or beside them, as far as `framing` shows it. */
function withEmblem(letters: Box, framing: Box): Box {
  const room = EMBLEM_ROOM * letters.height;
  const [left, top] = [Math.max(framing.x, letters.x - room), Math.max(framing.y, letters.y - room)];
  const [right, bottom] = [
    Math.min(framing.x + framing.width, letters.x + letters.width + room),
    Math.min(framing.y + framing.height, letters.y + letters.height + room),
  ];
  return { x: left, y: top, width: right - left, height: bottom - top };
}
