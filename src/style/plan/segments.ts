import type { Box, MotionFacts, SubjectTrack, VideoFacts } from '../../analysis/facts.ts';
import { type FrameRate, framesPerSecond } from '../../time.ts';

/**
 * The output's frame grid. Times of the source map to output frames of the same number as long as nothing is left
 * out, so the plan counts in frames and turns them into seconds at its end.
 */
export interface FrameGrid {
  readonly rate: FrameRate;
  readonly frameCount: number;
}

/** A run of the source without a hard cut in it. */
export interface Segment {
  readonly startFrame: number;
  readonly endFrame: number;
}

/** A part of a segment that the output shows: a clip before its framing is chosen. */
export interface Piece extends Segment {
  readonly reason: 'start' | 'source_cut' | 'punch_in' | 'trim';
  /** Shown by the second camera, closer than the base framing. */
  readonly isCloser: boolean;
}

export function frameGrid(rate: FrameRate, durationSeconds: number): FrameGrid {
  return { rate, frameCount: Math.max(1, Math.round(durationSeconds * framesPerSecond(rate))) };
}

export function frameAt(grid: FrameGrid, seconds: number): number {
  return Math.max(0, Math.min(grid.frameCount, Math.round(seconds * framesPerSecond(grid.rate))));
}

export function secondsAt(grid: FrameGrid, frame: number): number {
  return (frame * grid.rate.denominator) / grid.rate.numerator;
}

/** The source between its hard cuts; gradual transitions stay inside a segment, for they are left as they are. */
export function segmentsOf(video: VideoFacts, grid: FrameGrid): Segment[] {
  const cuts = video.transitions
    .filter(({ type, edge }) => type === 'cut' && edge === undefined)
    .map(({ endSeconds }) => frameAt(grid, endSeconds))
    .filter((frame) => frame > 0 && frame < grid.frameCount)
    .sort((one, other) => one - other);
  const bounds = [...new Set([0, ...cuts, grid.frameCount])];
  return bounds.slice(1).map((endFrame, index) => ({ startFrame: bounds[index]!, endFrame }));
}

/** Each segment whole. */
export function wholePieces(segments: readonly Segment[]): Piece[] {
  return segments.map((segment, index) => ({
    ...segment,
    reason: index === 0 ? 'start' : 'source_cut',
    isCloser: false,
  }));
}

/** Subjects on screen between two times, the most salient first. */
export function subjectsBetween(motion: MotionFacts, start: number, end: number): SubjectTrack[] {
  return motion.subjects
    .filter((subject) => subject.startSeconds < end && subject.endSeconds > start)
    .sort((one, other) => other.salience - one.salience);
}

/** Boxes of the burnt-in captions that are seen between two times. */
export function captionsBetween({ captions }: VideoFacts, start: number, end: number): Box[] {
  return captions.spans
    .filter(({ startSeconds, endSeconds }) => startSeconds < end && endSeconds > start)
    .map(({ box }) => box);
}
