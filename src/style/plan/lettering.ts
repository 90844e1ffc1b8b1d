/**
 * Lettering in a source's picture. "Captions" are all burnt-in texts that framings must contain: captions, titles, signs. "Marks" are
 * watermarks, which framings need not contain.
 */
import type { Box, CaptionSpan, Span, VideoFacts } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import { type FrameGrid, frameAt, type Segment, segmentsBetween } from './segments.ts';

/** A text is a watermark only if it is visible for more time; captions last up to seven seconds (BBC Subtitle Guidelines). */
const MIN_MARK_SECONDS = 8;
/** A watermark is visible in so many shots, or in a corner. */
const MIN_MARK_SHOTS = 3;
/** A corner is this share of the picture's sides: 12 videos with such a lasting text there have no captions or titles there. */
const CORNER_SHARE = 0.35;
/** Precision of captions' times: text visible for less time belongs to the neighboring shot. */
const TIME_PRECISION_SECONDS = 0.25;

/** Boxes of the captions visible between two times. */
export function captionsBetween(video: VideoFacts, start: number, end: number): Box[] {
  return captionSpans(video)
    .filter(({ startSeconds, endSeconds }) => {
      const seen = Math.min(end, endSeconds) - Math.max(start, startSeconds);
      return seen > Math.min(TIME_PRECISION_SECONDS, (endSeconds - startSeconds) / 2);
    })
    .map(({ box }) => box);
}

/** All texts that are not at the place of a watermark: parts of a watermark may be detected as other texts. */
export const captionSpans = oncePer((video: VideoFacts): readonly CaptionSpan[] => {
  const marks = markSpans(video);
  return letteringOf(video).filter(({ box }) => !marks.some((mark) => isInMark(mark.box, box)));
});

/** Boxes of watermarks visible between two times. Framings may leave them out, but must not cut them. */
export function marksBetween(video: VideoFacts, start: number, end: number): Box[] {
  const seen = markSpans(video).filter(
    ({ startSeconds, endSeconds }) => startSeconds < end && endSeconds > start,
  );
  return [...(video.captions.marks ?? []), ...seen.map(({ box }) => box)];
}

/** Whether captions, other lettering or a watermark are in the picture between two times. */
export function hasLettering(video: VideoFacts, { startSeconds, endSeconds }: Span): boolean {
  return (
    captionsBetween(video, startSeconds, endSeconds).length > 0 ||
    marksBetween(video, startSeconds, endSeconds).length > 0
  );
}

function letteringOf({ captions }: VideoFacts): readonly CaptionSpan[] {
  return captions.lettering === undefined ? captions.spans : [...captions.spans, ...captions.lettering];
}

/** Once per video, because each run of a plan requests them, and all texts are compared in pairs. */
const markSpans = oncePer((video: VideoFacts): readonly CaptionSpan[] => {
  const { shots } = video;
  const spans = letteringOf(video);
  return spans.filter((span) => {
    // The same text may disappear and appear again.
    const sightings = span.text === undefined ? [span] : spans.filter(({ text }) => text === span.text);
    const isSeenIn = (shot: Span) =>
      sightings.some((seen) => shot.startSeconds < seen.endSeconds && shot.endSeconds > seen.startSeconds);
    const first = Math.min(...sightings.map(({ startSeconds }) => startSeconds));
    const last = Math.max(...sightings.map(({ endSeconds }) => endSeconds));
    if (last - first <= MIN_MARK_SECONDS) return false;
    return isInCorner(span.box) || shots.filter(isSeenIn).length >= MIN_MARK_SHOTS;
  });
});

function isInCorner({ x, y, width, height }: Box): boolean {
  const isAtEdge = (start: number, size: number) => start + size <= CORNER_SHARE || start >= 1 - CORNER_SHARE;
  return isAtEdge(x, width) && isAtEdge(y, height);
}

/** A run of frames, split where captions appear or disappear. */
export function partedByCaptions(video: VideoFacts, grid: FrameGrid, run: Segment): Segment[] {
  const changes = captionSpans(video)
    .flatMap(({ startSeconds, endSeconds }) => [frameAt(grid, startSeconds), frameAt(grid, endSeconds)])
    .filter((frame) => frame > run.startFrame && frame < run.endFrame)
    .sort((one, other) => one - other);
  return segmentsBetween([run.startFrame, ...changes, run.endFrame]);
}

/** Whether a text's middle lies in a watermark. */
function isInMark(mark: Box, { x, y, width, height }: Box): boolean {
  const [across, down] = [x + width / 2 - mark.x, y + height / 2 - mark.y];
  return across >= 0 && across <= mark.width && down >= 0 && down <= mark.height;
}
