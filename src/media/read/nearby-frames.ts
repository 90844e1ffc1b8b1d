import { AVDISCARD_ALL } from 'node-av/constants';
import { type Frame, Packet } from 'node-av/lib';
import { type Input, openInput, StreamDecoder, VIDEO_DEMUXERS } from '../av/input.ts';
import { seekBefore } from '../av/seek.ts';
import { stampSeconds } from '../av/stamps.ts';

/**
 * Pixels that are decoded on the way to one moment, beside what earlier moments have left over: 48 frames of 1080p, 12 of 4K. Of
 * 40 clips of `../shared/media` four have key frames so rare that their tiles come early, by 5 s at most.
 */
const PIXELS_PER_MOMENT = 100e6;
/** After so long what was found stands for the moments that are left. A file of 4 h with an index takes a second. */
const DEADLINE_MS = 6000;
/** Packets that are read for the next of the picture: sound and data lie between. */
const MAX_SCOUTED_PACKETS = 2000;
const YIELD_MS = 50;

/** A frame, and when it is shown in seconds from the file's start. */
export interface TimedFrame {
  readonly frame: Frame;
  readonly seconds: number;
}

/** Ends the search through packets of which none becomes a picture. */
class TooLate extends Error {}

/**
 * Frames at ascending moments of a file, or as near as bounded work comes: where key frames are rare a frame may come early, in
 * a file without an index late. Never more than seconds of work, whatever the file. Dispose of it.
 */
export class NearbyFrames implements Disposable {
  readonly #input: Input;
  /** Looks ahead, so that the decoder stays where it is when that is near enough. */
  readonly #scout: Input;
  readonly #deadline = performance.now() + DEADLINE_MS;
  readonly #alive: () => void;
  #decoder: StreamDecoder | null = null;
  #shown: TimedFrame | null = null;
  #ahead: TimedFrame | null = null;
  /** Nothing was decoded since the file was searched: what was shown before is not of this place. */
  #isElsewhere = true;
  #pixels = 0;

  private constructor(input: Input, scout: Input, alive: () => void) {
    this.#input = input;
    this.#scout = scout;
    this.#alive = alive;
  }

  /** `input` is the file at `path`, with a video stream; whoever opened it closes it. `alive`: called while work goes on. */
  static async open(path: string, input: Input, alive: () => void): Promise<NearbyFrames> {
    const scout = await openInput(path, VIDEO_DEMUXERS);
    for (const { context, video } of [input, scout])
      for (const stream of context.streams ?? [])
        if (stream.index !== video?.index) stream.discard = AVDISCARD_ALL;
    return new NearbyFrames(input, scout, alive);
  }

  /** Valid until the next call; null: not one frame can be decoded from there on. */
  async at(seconds: number): Promise<TimedFrame | null> {
    this.#pixels += PIXELS_PER_MOMENT;
    if (this.#isLate()) return this.#shown;
    const keySeconds = this.#keyFrameBefore(seconds);
    const reached = this.#shown?.seconds ?? Number.NEGATIVE_INFINITY;
    if (this.#decoder === null || (keySeconds !== null && keySeconds > reached)) await this.#begin(seconds);
    await this.#advance(seconds);
    return this.#shown;
  }

  #isLate(): boolean {
    return performance.now() > this.#deadline;
  }

  /** When the picture begins from which a moment is decoded; null: the file does not say. */
  #keyFrameBefore(seconds: number): number | null {
    const { video } = this.#scout;
    if (video === null || !seekBefore(this.#scout, seconds)) return null;
    const packet = new Packet();
    packet.alloc();
    try {
      for (let read = 0; read < MAX_SCOUTED_PACKETS && this.#scout.read(packet); read++) {
        const { streamIndex, pts } = packet;
        packet.unref();
        const found = streamIndex === video.index ? stampSeconds(pts, video.timeBase) : null;
        if (found !== null) return found;
      }
      return null;
    } finally {
      packet.free();
    }
  }

  async #begin(seconds: number): Promise<void> {
    const { video } = this.#input;
    const isMoved = seekBefore(this.#input, seconds);
    if (!isMoved && this.#decoder !== null) return;
    this.#isElsewhere = true;
    this.#ahead?.frame.free();
    this.#ahead = null;
    this.#decoder?.[Symbol.dispose]();
    this.#decoder = await StreamDecoder.open(this.#input, video!, {
      forThumbnails: true,
      choose: () => {
        if (this.#isLate()) throw new TooLate();
        return true;
      },
    });
  }

  /** Until `shown` is the last frame that has begun by then, or the work has been enough. */
  async #advance(seconds: number): Promise<void> {
    const { width, height } = this.#input.video!.codecpar;
    let lastYield = performance.now();
    for (;;) {
      this.#ahead ??= this.#next();
      const ahead = this.#ahead;
      if (ahead === null || (ahead.seconds > seconds && !this.#isElsewhere)) return;
      this.#isElsewhere = false;
      this.#shown?.frame.free();
      this.#shown = ahead;
      this.#ahead = null;
      this.#pixels -= width * height;
      if (this.#pixels <= 0 || this.#isLate()) return;
      if (performance.now() - lastYield < YIELD_MS) continue;
      this.#alive();
      await new Promise(setImmediate);
      lastYield = performance.now();
    }
  }

  #next(): TimedFrame | null {
    try {
      const decoded = this.#decoder!.next();
      if (decoded === null) return null;
      const seconds = this.#decoder!.frameSeconds(decoded);
      const frame = decoded.clone();
      return frame === null ? null : { frame, seconds };
    } catch (error) {
      if (error instanceof TooLate) return null;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#shown?.frame.free();
    this.#ahead?.frame.free();
    this.#decoder?.[Symbol.dispose]();
    this.#scout[Symbol.dispose]();
  }
}
