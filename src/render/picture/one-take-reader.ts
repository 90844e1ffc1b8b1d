import type { Frame } from 'node-av/lib';
import { framesPerSecond } from '../../domain/time.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import type { ClipMoment, ScheduledFrame } from '../timeline/frame-schedule.ts';
import type { ClipTails } from './clip-tails.ts';
import type { PictureReader, UseFrame } from './picture-reader.ts';
import type { SourceFrames } from './source-frames.ts';
import type { SourceVideo } from './video-chain.ts';

/** Reads a single take, whose clips are in the order of their source times, once and forwards. */
export class OneTakeReader implements PictureReader {
  readonly #timeline: Timeline;
  readonly #source: SourceFrames;
  readonly #tails: ClipTails | null;
  readonly #tolerance: number;

  /** `tails`: reader for ends of clips that are too large to be buffered; null: all are buffered. Both stay the caller's. */
  constructor(timeline: Timeline, source: SourceFrames, tails: ClipTails | null = null) {
    this.#timeline = timeline;
    this.#source = source;
    this.#tails = tails;
    this.#tolerance = 0.5 / framesPerSecond(timeline.frameRate);
  }

  async prepare(): Promise<void> {}

  read({ first, second }: ScheduledFrame, use: UseFrame): void {
    const tail = second === null ? null : this.#tailFrame(first);
    use(first, tail ?? this.#source.at(first.sourceSeconds, this.#tolerance, first.sourceSeconds));
    if (second === null) return;
    const { sourceSeconds } = tail === null ? first : second;
    const keepTo = tail === null ? this.#timeline.clips[first.clipIndex].sourceEndSeconds : sourceSeconds;
    use(second, this.#source.at(second.sourceSeconds, this.#tolerance, sourceSeconds, keepTo));
  }

  continues(): boolean {
    return true;
  }

  videoOf(): SourceVideo {
    return this.#source.video;
  }

  /** Null: the tail is buffered by the source's own decoder. */
  #tailFrame({ clipIndex, sourceSeconds }: ClipMoment): Frame | null {
    const expected = () => this.#source.at(sourceSeconds, this.#tolerance, sourceSeconds);
    return this.#tails?.at(clipIndex, sourceSeconds, this.#tolerance, expected) ?? null;
  }

  [Symbol.dispose](): void {}
}
