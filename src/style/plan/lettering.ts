/** Lettering of a source's picture: captions, titles, signs, and watermarks, which framings ignore. */
import type { Box, CaptionSpan, Span, VideoFacts } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import { type FrameGrid, frameAt, type Segment, segmentsBetween } from './segments.ts';

/** No caption is visible longer than this (BBC Subtitle Guidelines: seven seconds) … */
const LONGEST_CAPTION_SECONDS = 8;
/** … and over so many shots, or in a corner: a longer text is a watermark, which framings ignore. */
const MARK_SHOTS = 3;
/** Of 12 videos with a longer text this near to two edges, in shares of the picture, none has a caption or a title there. */
const CORNER_SHARE = 0.35;
/** Precision of captions' times: text visible for less time belongs to the neighboring shot. */
const BLURRED_SECONDS = 0.25;

/** Boxes of the burnt-in captions visible between two times. */
export function captionsBetween(video: VideoFacts, start: number, end: number): Box[] {
  return captionSpans(video)
    .filter(({ startSeconds, endSeconds }) => {
      const seen = Math.min(end, endSeconds) - Math.max(start, startSeconds);
      return seen > Math.min(BLURRED_SECONDS, (endSeconds - startSeconds) / 2);
    })
    .map(({ box }) => box);
}

/** Burnt-in captions and other lettering without watermarks, including those that were detected in several parts. */
export const captionSpans = oncePer((video: VideoFacts): readonly CaptionSpan[] => {
  const marks = markSpans(video);
  return letteringOf(video).filter(({ box }) => !marks.some((mark) => isSameMark(mark.box, box)));
});

/** Boxes of watermarks visible between two times: framings need not contain them, but must not cut them. */
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

/** Once per video: each run of a plan requests them, and their sightings are compared in pairs. */
const markSpans = oncePer((video: VideoFacts): readonly CaptionSpan[] => {
  const { shots } = video;
  const spans = letteringOf(video);
  return spans.filter((span) => {
    const sightings = span.text === undefined ? [span] : spans.filter(({ text }) => text === span.text);
    const isSeenIn = (shot: Span) =>
      sightings.some((seen) => shot.startSeconds < seen.endSeconds && shot.endSeconds > seen.startSeconds);
    const first = Math.min(...sightings.map(({ startSeconds }) => startSeconds));
    const last = Math.max(...sightings.map(({ endSeconds }) => endSeconds));
    if (last - first <= LONGEST_CAPTION_SECONDS) return false;
    return isInCorner(span.box) || shots.filter(isSeenIn).length >= MARK_SHOTS;
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

/** Whether both are the same watermark. */
function isSameMark(mark: Box, { x, y, width, height }: Box): boolean {
  const [across, down] = [x + width / 2 - mark.x, y + height / 2 - mark.y];
  return across >= 0 && across <= mark.width && down >= 0 && down <= mark.height;
}
