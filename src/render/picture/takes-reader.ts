import { framesPerSecond } from '../../domain/time.ts';
import { MAX_DECODE_ON_SECONDS } from '../../media/av/seek.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { FrameSchedule, type ScheduledFrame } from '../timeline/frame-schedule.ts';
import type { PictureReader, UseFrame } from './picture-reader.ts';
import { type OpenTake, openTake } from './source-opening.ts';
import type { SourceVideo } from './video-chain.ts';

/** Decoders of ended clips that stay open for later ones: each has the memory of a decoder. */
const MAX_IDLE = 2;

interface Cursor {
  readonly take: number;
  readonly open: OpenTake;
  /** Source time up to which it has been read. */
  readonly seconds: number;
}

/**
 * Reads the clips of several takes in any order. Each clip has a decoder of its own, which reads forwards
 * from a key frame before the clip. At most two are in use at a time, during transitions.
 */
export class TakesReader implements PictureReader {
  readonly #paths: readonly string[];
  readonly #timeline: Timeline;
  readonly #schedule: FrameSchedule;
  readonly #tolerance: number;
  readonly #open = new Map<number, OpenTake>();
  #idle: Cursor[] = [];

  /** `paths`: the files of the timeline's takes. */
  constructor(timeline: Timeline, paths: readonly string[]) {
    this.#paths = paths;
    this.#timeline = timeline;
    this.#schedule = new FrameSchedule(timeline);
    this.#tolerance = 0.5 / framesPerSecond(timeline.frameRate);
  }

  async prepare(number: number): Promise<void> {
    this.#retire(number);
    const { first, second } = this.#schedule.at(number);
    for (const moment of [first, second]) {
      if (moment === null || this.#open.has(moment.clipIndex)) continue;
      this.#open.set(moment.clipIndex, await this.#cursorAt(moment.clipIndex, moment.sourceSeconds));
    }
  }

  read({ first, second }: ScheduledFrame, use: UseFrame): void {
    for (const moment of [first, second]) {
      if (moment === null) continue;
      const { frames } = this.#open.get(moment.clipIndex)!;
      use(moment, frames.at(moment.sourceSeconds, this.#tolerance, moment.sourceSeconds));
    }
  }

  continues(number: number): boolean {
    const { clipIndex } = this.#schedule.at(number).first;
    return this.#schedule.visible[clipIndex].startFrame < number;
  }

  videoOf(clipIndex: number): SourceVideo {
    return this.#open.get(clipIndex)!.frames.video;
  }

  async #cursorAt(clipIndex: number, seconds: number): Promise<OpenTake> {
    const { take } = this.#timeline.clips[clipIndex];
    const found = this.#idle.findIndex(
      (idle) =>
        idle.take === take && idle.seconds <= seconds && seconds - idle.seconds <= MAX_DECODE_ON_SECONDS,
    );
    if (found !== -1) return this.#idle.splice(found, 1)[0].open;
    return openTake(this.#paths[take], seconds);
  }

  /** Keeps the decoders of clips that have ended for later ones of the same take, the latest `MAX_IDLE`. */
  #retire(number: number): void {
    for (const [clipIndex, open] of this.#open) {
      if (this.#schedule.visible[clipIndex].endFrame > number) continue;
      this.#open.delete(clipIndex);
      const { take } = this.#timeline.clips[clipIndex];
      this.#idle.push({ take, open, seconds: this.#schedule.lastSeconds(clipIndex) });
    }
    for (const { open } of this.#idle.splice(0, Math.max(0, this.#idle.length - MAX_IDLE)))
      open[Symbol.dispose]();
  }

  [Symbol.dispose](): void {
    for (const open of this.#open.values()) open[Symbol.dispose]();
    for (const { open } of this.#idle) open[Symbol.dispose]();
  }
}
