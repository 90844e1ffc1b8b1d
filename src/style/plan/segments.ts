import type { MotionFacts, Span, SubjectTrack, VideoFacts } from '../../analysis/facts.ts';
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
export function segmentsBetween(bounds: readonly number[]): Segment[] {
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

/** Whether a face is found between two times. */
export function showsFace(motion: MotionFacts, start: number, end: number): boolean {
  return subjectsBetween(motion, start, end).some(({ kind }) => kind === 'face');
}
