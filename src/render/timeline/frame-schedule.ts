import { framesPerSecond } from '../../domain/time.ts';
import { ease } from '../../signal/easing.ts';
import { clipStartFrames, type Timeline, type TimelineTransition } from '../../style/model/timeline.ts';

/** Output frames `from` to `to`, end exclusive. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/** A time in the source, within one clip of the timeline. */
export interface ClipMoment {
  readonly clipIndex: number;
  readonly sourceSeconds: number;
}

/** Content of one output frame: one clip, or two clips in a transition. */
export interface ScheduledFrame {
  readonly first: ClipMoment;
  readonly second: ClipMoment | null;
  readonly transition: TimelineTransition | null;
  /** Share of the second clip, 0..1, after easing. */
  readonly progress: number;
}

/** Elapsed share of the frames in which a clip is visible: 0 at the first, 1 at the last. */
export function visibleShare({ startFrame, endFrame }: Placed, number: number): number {
  return (number - startFrame) / Math.max(1, endFrame - 1 - startFrame);
}

/** The end of a clip that is shown under a transition. */
export interface ClipTail {
  readonly clipIndex: number;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly frames: number;
}

/** Output frames, end exclusive. */
export interface Placed {
  readonly startFrame: number;
  readonly endFrame: number;
}

interface PlacedTransition extends Placed {
  readonly transition: TimelineTransition;
}

/**
 * Which moments of the takes each output frame shows. Source times increase within each clip. With one take
 * they also increase from clip to clip, so that it can be read once, forwards, with a small buffer.
 */
export class FrameSchedule {
  readonly frameCount: number;
  /** Output frames in which each clip is visible, transitions included. */
  readonly visible: readonly Placed[];
  readonly #timeline: Timeline;
  readonly #rate: number;
  readonly #starts: readonly number[];
  readonly #transitions: readonly PlacedTransition[];

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.#rate = framesPerSecond(timeline.frameRate);
    this.#starts = clipStartFrames(timeline);
    this.frameCount = this.#starts[timeline.clips.length];
    this.#transitions = timeline.transitions.map((transition) => this.#place(transition));
    this.visible = timeline.clips.map((_, index) => {
      const entering = this.#transitions.find((placed) => placed.transition.clipIndex === index);
      const leaving = this.#transitions.find((placed) => placed.transition.clipIndex === index + 1);
      return {
        startFrame: entering?.startFrame ?? this.#starts[index],
        endFrame: leaving?.endFrame ?? this.#starts[index + 1],
      };
    });
  }

  /** For each transition, the end of the clip before it and the number of output frames that show it. */
  get tails(): readonly ClipTail[] {
    return this.#transitions.map(({ transition, startFrame, endFrame }) => {
      const clipIndex = transition.clipIndex - 1;
      const startSeconds = this.#plain(clipIndex, startFrame).sourceSeconds;
      const endSeconds = this.#timeline.clips[clipIndex].sourceEndSeconds;
      return { clipIndex, startSeconds, endSeconds, frames: endFrame - startFrame };
    });
  }

  /** The frame at `index` of 0 … frameCount − 1. */
  at(index: number): ScheduledFrame {
    const placed = this.#transitions.find((one) => index >= one.startFrame && index < one.endFrame);
    if (placed === undefined) {
      const clipIndex = this.#clipAt(index);
      return { first: this.#plain(clipIndex, index), second: null, transition: null, progress: 0 };
    }
    const { transition } = placed;
    const length = placed.endFrame - placed.startFrame;
    // The centre of each frame's time, so that the first frame is not all old and the last not all new.
    const share = (index - placed.startFrame + 0.5) / length;
    const { clipIndex, hasHandles = false } = transition;
    return {
      first: hasHandles
        ? this.#plain(clipIndex - 1, index)
        : this.#stretchedTail(clipIndex - 1, placed, index),
      second: hasHandles ? this.#plain(clipIndex, index) : this.#stretchedHead(clipIndex, placed, index),
      transition,
      progress: ease(transition.easing, share),
    };
  }

  /** Source time of the first frame in which a clip is visible, transitions included. */
  firstSeconds(clipIndex: number): number {
    return this.#sourceSeconds(clipIndex, this.visible[clipIndex].startFrame);
  }

  /** Source time of the last frame in which a clip is visible, transitions included. */
  lastSeconds(clipIndex: number): number {
    return this.#sourceSeconds(clipIndex, this.visible[clipIndex].endFrame - 1);
  }

  #sourceSeconds(clipIndex: number, frame: number): number {
    const { first, second } = this.at(frame);
    return (first.clipIndex === clipIndex ? first : second!).sourceSeconds;
  }

  #place(transition: TimelineTransition): PlacedTransition {
    const middle = this.#starts[transition.clipIndex];
    const length = Math.max(2, Math.round(transition.durationSeconds * this.#rate));
    const startFrame = middle - Math.floor(length / 2);
    return { transition, startFrame, endFrame: startFrame + length };
  }

  #clipAt(frame: number): number {
    let low = 0;
    let high = this.#starts.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= frame) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #plain(clipIndex: number, frame: number): ClipMoment {
    const clip = this.#timeline.clips[clipIndex];
    return {
      clipIndex,
      sourceSeconds: clip.sourceStartSeconds + (frame - this.#starts[clipIndex]) / this.#rate,
    };
  }

  /** The clip's part of the transition, half of its time, stretched over the whole transition. */
  #stretchedTail(clipIndex: number, placed: Placed, frame: number): ClipMoment {
    const entry = this.#plain(clipIndex, placed.startFrame).sourceSeconds;
    const own = this.#starts[clipIndex + 1] - placed.startFrame;
    const share = (frame - placed.startFrame) / (placed.endFrame - placed.startFrame);
    return { clipIndex, sourceSeconds: entry + (share * own) / this.#rate };
  }

  #stretchedHead(clipIndex: number, placed: Placed, frame: number): ClipMoment {
    const entry = this.#timeline.clips[clipIndex].sourceStartSeconds;
    const own = placed.endFrame - this.#starts[clipIndex];
    const share = (frame - placed.startFrame) / (placed.endFrame - placed.startFrame);
    return { clipIndex, sourceSeconds: entry + (share * own) / this.#rate };
  }
}
