import type { Frame } from 'node-av/lib';
import { Failure } from '../domain/errors.ts';
import { framesPerSecond } from '../domain/time.ts';
import { cubeOf } from '../style/look/grade.ts';
import type { Timeline } from '../style/model/timeline.ts';
import { type ClipFrame, ClipFrames } from './picture/clip-frames.ts';
import type { ClipTails } from './picture/clip-tails.ts';
import { composite } from './picture/composite.ts';
import { FramePool } from './picture/frame-pool.ts';
import { GradeKernel } from './picture/grade-kernel.ts';
import { lumaSamples, SourceSampler, samplingInterval } from './picture/luma-samples.ts';
import { planesOf } from './picture/planes.ts';
import type { SourceFrames } from './picture/source-frames.ts';
import {
  type ClipMoment,
  type FrameRange,
  FrameSchedule,
  type ScheduledFrame,
} from './timeline/frame-schedule.ts';
import { StandstillWatch } from './verify/standstill.ts';

type OnDrawn = (frame: Frame, number: number) => void;

interface Pending {
  readonly number: number;
  readonly scheduled: ScheduledFrame;
}

/**
 * Draws the output frames of a timeline one after the other. At most two filter chains are open at a time, and only small tails of
 * clips are buffered.
 */
export class VideoRenderer implements Disposable {
  readonly frameCount: number;
  readonly #range: FrameRange;
  readonly #timeline: Timeline;
  readonly #schedule: FrameSchedule;
  readonly #source: SourceFrames;
  readonly #tails: ClipTails | null;
  readonly #grade: GradeKernel | null;
  readonly #tolerance: number;
  readonly #pool: FramePool;
  readonly #samplingInterval: number;
  readonly #sampler = new SourceSampler();
  readonly #watch: StandstillWatch;
  readonly #clips = new Map<number, ClipFrames>();
  readonly #pending: Pending[] = [];

  /**
   * `tails`: reader for ends of clips that are too large to be buffered; null: all are buffered. `range`: frames to draw; left out:
   * all.
   */
  constructor(timeline: Timeline, source: SourceFrames, tails: ClipTails | null = null, range?: FrameRange) {
    this.#timeline = timeline;
    this.#schedule = new FrameSchedule(timeline);
    this.frameCount = this.#schedule.frameCount;
    this.#range = range ?? { from: 0, to: this.frameCount };
    this.#source = source;
    this.#tails = tails;
    this.#grade = timeline.grade === null ? null : new GradeKernel(cubeOf(timeline.grade));
    this.#pool = new FramePool(timeline);
    const rate = framesPerSecond(timeline.frameRate);
    this.#tolerance = 0.5 / rate;
    this.#samplingInterval = samplingInterval(rate);
    this.#watch = new StandstillWatch(rate / this.#samplingInterval);
  }

  /** Describes the first fault of the drawn frames: frozen or black where the source is not. Null: none. */
  get fault(): string | null {
    return this.#watch.fault;
  }

  /**
   * Draws output frame `number`; call with each number of the range, in order. `onFrame` receives every finished frame, in order,
   * with its number in the whole output.
   */
  draw(number: number, onFrame: OnDrawn): void {
    const scheduled = this.#schedule.at(number);
    const { first, second } = scheduled;
    const tail = second === null ? null : this.#tailFrame(first);
    this.#push(
      number,
      first,
      tail ?? this.#source.at(first.sourceSeconds, this.#tolerance, first.sourceSeconds),
    );
    if (second !== null) {
      const { sourceSeconds } = tail === null ? first : second;
      const keepTo = tail === null ? this.#timeline.clips[first.clipIndex].sourceEndSeconds : sourceSeconds;
      this.#push(
        number,
        second,
        this.#source.at(second.sourceSeconds, this.#tolerance, sourceSeconds, keepTo),
      );
    }
    this.#pending.push({ number, scheduled });
    this.#endClips(number + 1);
    this.#emit(onFrame);
    if (number + 1 === this.#range.to && this.#pending.length > 0) {
      throw new Failure('ENCODER_FAILED', 'A filter chain lost a frame');
    }
  }

  #push(number: number, { clipIndex, sourceSeconds }: ClipMoment, frame: Frame): void {
    this.#chain(clipIndex).push(frame, number, sourceSeconds);
  }

  /** Null: the tail is buffered by the source's own decoder. */
  #tailFrame({ clipIndex, sourceSeconds }: ClipMoment): Frame | null {
    const expected = () => this.#source.at(sourceSeconds, this.#tolerance, sourceSeconds);
    return this.#tails?.at(clipIndex, sourceSeconds, this.#tolerance, expected) ?? null;
  }

  #chain(clipIndex: number): ClipFrames {
    const open = this.#clips.get(clipIndex);
    if (open !== undefined) return open;
    const opened = new ClipFrames({
      clip: this.#timeline.clips[clipIndex],
      timeline: this.#timeline,
      ...this.#schedule.visible[clipIndex],
      firstFrame: Math.max(this.#schedule.visible[clipIndex].startFrame, this.#range.from),
      grade: this.#grade,
      video: () => this.#source.video,
      pool: this.#pool,
      samplingInterval: this.#samplingInterval,
      sampler: this.#sampler,
    });
    this.#clips.set(clipIndex, opened);
    return opened;
  }

  /** Flushes the chains of clips that are no longer visible. */
  #endClips(next: number): void {
    for (const [clipIndex, clip] of this.#clips) {
      if (this.#schedule.visible[clipIndex].endFrame === next || this.#range.to === next) clip.end();
    }
  }

  #emit(onFrame: OnDrawn): void {
    for (let first = this.#pending[0]; first !== undefined; first = this.#pending[0]) {
      const frame = this.#assemble(first);
      if (frame === null) return;
      onFrame(frame, first.number);
      this.#pool.give(frame);
      this.#pending.shift();
      this.#closeClips(first.number + 1);
    }
  }

  #closeClips(next: number): void {
    for (const [clipIndex, clip] of this.#clips) {
      if (this.#schedule.visible[clipIndex].endFrame <= next) {
        clip[Symbol.dispose]();
        this.#clips.delete(clipIndex);
      }
    }
  }

  readonly #halves = new Map<string, ClipFrame>();

  #assemble({ number, scheduled }: Pending): Frame | null {
    const first = this.#take('first', scheduled.first.clipIndex, number);
    const second =
      scheduled.second === null ? null : this.#take('second', scheduled.second.clipIndex, number);
    if (first === null || (scheduled.second !== null && second === null)) return null;
    this.#halves.clear();
    if (second === null || scheduled.transition === null) {
      if (number % this.#samplingInterval === 0) this.#watch.push(first.expected, lumaSamples(first.frame));
      return first.frame;
    }
    // A transition may be plain white or black.
    this.#watch.push(null, null);
    const out = this.#pool.take();
    const [from, to] = [planesOf(first.frame), planesOf(second.frame)];
    composite(scheduled.transition, scheduled.progress, from, to, planesOf(out));
    this.#pool.give(first.frame);
    this.#pool.give(second.frame);
    return out;
  }

  /** A half of a transition that is ready early waits for the other one in `#halves`. */
  #take(half: 'first' | 'second', clipIndex: number, number: number): ClipFrame | null {
    const frame = this.#halves.get(half) ?? this.#clips.get(clipIndex)?.take(number) ?? null;
    if (frame !== null) this.#halves.set(half, frame);
    return frame;
  }

  [Symbol.dispose](): void {
    for (const clip of this.#clips.values()) clip[Symbol.dispose]();
    for (const { frame } of this.#halves.values()) this.#pool.give(frame);
    this.#pool[Symbol.dispose]();
    this.#sampler[Symbol.dispose]();
  }
}
