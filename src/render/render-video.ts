import type { Frame } from 'node-av/lib';
import { Failure } from '../domain/errors.ts';
import { framesPerSecond } from '../domain/time.ts';
import type { Timeline } from '../style/model/timeline.ts';
import { type ClipFrame, ClipFrames } from './picture/clip-frames.ts';
import { composite } from './picture/composite.ts';
import { FramePool } from './picture/frame-pool.ts';
import { gradeKernelOf } from './picture/grade-kernel.ts';
import { lumaDetails, SourceSampler, samplingInterval } from './picture/luma-samples.ts';
import type { PictureReader } from './picture/picture-reader.ts';
import { planesOf } from './picture/planes.ts';
import { type FrameRange, FrameSchedule, type ScheduledFrame } from './timeline/frame-schedule.ts';
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
  readonly #reader: PictureReader;
  readonly #pool: FramePool;
  readonly #samplingInterval: number;
  readonly #sampler = new SourceSampler();
  readonly #watch: StandstillWatch;
  readonly #clips = new Map<number, ClipFrames>();
  readonly #pending: Pending[] = [];

  /** `range`: frames to draw; left out: all. The reader stays the caller's. */
  constructor(timeline: Timeline, reader: PictureReader, range?: FrameRange) {
    this.#timeline = timeline;
    this.#schedule = new FrameSchedule(timeline);
    this.frameCount = this.#schedule.frameCount;
    this.#range = range ?? { from: 0, to: this.frameCount };
    this.#reader = reader;
    this.#pool = new FramePool(timeline);
    const rate = framesPerSecond(timeline.frameRate);
    this.#samplingInterval = samplingInterval(rate);
    this.#watch = new StandstillWatch(rate / this.#samplingInterval);
  }

  /** Describes the first fault of the drawn frames: frozen or black where the source is not. Null: none. */
  get fault(): string | null {
    return this.#watch.fault;
  }

  /**
   * Draws output frame `number`; call with each number of the range, in order, after the reader was prepared for it. `onFrame` receives
   * every finished frame, in order, with its number in the whole output.
   */
  draw(number: number, onFrame: OnDrawn): void {
    const scheduled = this.#schedule.at(number);
    this.#reader.read(scheduled, ({ clipIndex, sourceSeconds }, frame) =>
      this.#chain(clipIndex).push(frame, number, sourceSeconds),
    );
    this.#pending.push({ number, scheduled });
    this.#endClips(number + 1);
    this.#emit(onFrame);
    if (number + 1 === this.#range.to && this.#pending.length > 0) {
      throw new Failure('ENCODER_FAILED', 'A filter chain lost a frame');
    }
  }

  #chain(clipIndex: number): ClipFrames {
    const open = this.#clips.get(clipIndex);
    if (open !== undefined) return open;
    const clip = this.#timeline.clips[clipIndex];
    const { grade } = this.#timeline.takes[clip.take];
    const opened = new ClipFrames({
      clip,
      timeline: this.#timeline,
      ...this.#schedule.visible[clipIndex],
      firstFrame: Math.max(this.#schedule.visible[clipIndex].startFrame, this.#range.from),
      grade: grade === null ? null : gradeKernelOf(grade),
      video: () => this.#reader.videoOf(clipIndex),
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
      if (number % this.#samplingInterval === 0) this.#watch.push(first.expected, lumaDetails(first.frame));
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
