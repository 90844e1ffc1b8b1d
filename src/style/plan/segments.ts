import type { Box, CaptionSpan, MotionFacts, Span, SubjectTrack, VideoFacts } from '../../analysis/facts.ts';
import { oncePer } from '../../domain/once-per.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { Clip } from '../model/timeline.ts';

/**
 * The output's frame grid. If nothing is left out, source times map to output frames of the same number. The
 * plan therefore counts frames and converts them to seconds at its end.
 */
export interface FrameGrid {
  readonly rate: FrameRate;
  readonly frameCount: number;
}

/** A run of the source without a hard cut. */
export interface Segment {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** A visible part of a segment: a clip before its framing is chosen. */
export interface Piece extends Segment {
  readonly reason: Clip['reason'];
  /** Shown by the second camera, closer than the base framing. */
  readonly isCloser: boolean;
}

export function frameGrid(rate: FrameRate, durationSeconds: number): FrameGrid {
  return { rate, frameCount: Math.max(1, Math.round(durationSeconds * framesPerSecond(rate))) };
}

export function frameAt(grid: FrameGrid, seconds: number): number {
  return Math.max(0, Math.min(grid.frameCount, Math.round(seconds * framesPerSecond(grid.rate))));
}

/** The time of a run of frames. */
export function spanOf(grid: FrameGrid, { startFrame, endFrame }: Segment): Span {
  return { startSeconds: secondsAt(grid, startFrame), endSeconds: secondsAt(grid, endFrame) };
}

export function secondsAt(grid: FrameGrid, frame: number): number {
  return (frame * grid.rate.denominator) / grid.rate.numerator;
}

/** The source between its hard cuts; gradual transitions stay inside a segment, because they are not changed. */
export function segmentsOf(video: VideoFacts, grid: FrameGrid): Segment[] {
  const cuts = video.transitions
    .filter(({ type, edge }) => type === 'cut' && edge === undefined)
    .map(({ endSeconds }) => frameAt(grid, endSeconds))
    .filter((frame) => frame > 0 && frame < grid.frameCount)
    .sort((one, other) => one - other);
  return segmentsBetween([0, ...cuts, grid.frameCount]);
}

/** `bounds`: ascending; duplicates are ignored. */
function segmentsBetween(bounds: readonly number[]): Segment[] {
  const each = [...new Set(bounds)];
  return each.slice(1).map((endFrame, index) => ({ startFrame: each[index], endFrame }));
}

/** Each segment as one piece. */
export function wholePieces(segments: readonly Segment[]): Piece[] {
  return segments.map((segment, index) => ({
    ...segment,
    reason: index === 0 ? 'start' : 'source_cut',
    isCloser: false,
  }));
}

/** Subjects visible between two times, the most salient first. */
export function subjectsBetween(motion: MotionFacts, start: number, end: number): SubjectTrack[] {
  return motion.subjects
    .filter((subject) => subject.startSeconds < end && subject.endSeconds > start)
    .sort((one, other) => other.salience - one.salience);
}

/** No caption is visible longer than this (BBC Subtitle Guidelines: seven seconds) … */
const LONGEST_CAPTION_SECONDS = 8;
/** … and over so many shots, or in a corner: a longer text is a watermark, which framings ignore. */
const MARK_SHOTS = 3;
/** Of 12 videos with a longer text this near to two edges, in shares of the picture, none has a caption or a title there. */
const CORNER_SHARE = 0.35;
/** Precision of captions' times: text visible for less time belongs to the neighbouring shot. */
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
