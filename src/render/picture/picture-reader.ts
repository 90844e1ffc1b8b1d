import type { Frame } from 'node-av/lib';
import type { ClipMoment, ScheduledFrame } from '../timeline/frame-schedule.ts';
import type { SourceVideo } from './video-chain.ts';

/** Receives the frame of a take at a moment; valid until the next moment is read. */
export type UseFrame = (moment: ClipMoment, frame: Frame) => void;

/** Reads the frames of the takes that the output frames of a timeline show. Call with output frames in order. */
export interface PictureReader extends Disposable {
  /** Opens the files that output frame `number` needs. Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT. */
  prepare(number: number): Promise<void>;
  /**
   * Calls `use` for each moment of an output frame: of its clip, or of both clips in a transition, the earlier one first. The frames are
   * upright, have square pixels, and are progressive and SDR. Throws `Failure` INPUT_CORRUPT if no frame can be decoded.
   */
  read(scheduled: ScheduledFrame, use: UseFrame): void;
  /** Whether the decoder that read output frame `number` − 1 also reads this one, so that reading from here on must find the same frame. */
  continues(number: number): boolean;
  /** Properties of the last frame that was read for a clip. */
  videoOf(clipIndex: number): SourceVideo;
}
