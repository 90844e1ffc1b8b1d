import { type Frame, Packet } from 'node-av/lib';
import { discardOtherStreams, type Input } from '../av/input.ts';
import { openInput, VIDEO_DEMUXERS } from '../av/open-input.ts';
import { seekBefore } from '../av/seek.ts';
import { stampSeconds } from '../av/stamps.ts';
import { StreamDecoder } from '../av/stream-decoder.ts';

/**
 * Budget of decoded pixels for each moment, in addition to the rest of earlier ones: 48 frames of 1080p, 12 of 4K. In 4 of 40 clips key
 * frames are so rare that tiles are early, by at most 5 s.
 */
const PIXELS_PER_MOMENT = 100e6;
/** After this time the last frame is used for all remaining moments. A file of 4 h with an index takes a second. */
const DEADLINE_MS = 6000;
/** Packets that are read to find the next video packet, because sound and data lie between. */
const MAX_SCOUTED_PACKETS = 2000;
const YIELD_MS = 50;

/** A frame, and its time in seconds from the file's start. */
export interface TimedFrame {
  readonly frame: Frame;
  readonly seconds: number;
}

/** Stops decoding at the deadline when packets produce no pictures. */
class DeadlineExceeded extends Error {}

/**
 * Frames at or near ascending moments of a file, within a few seconds of work for any file. Where key frames are rare, a frame may be
 * early; in a file without an index, late. Must be disposed.
 */
export class NearbyFrames implements Disposable {
  readonly #input: Input;
  /** Finds key frames, so that the decoder seeks only if it is worth it. */
  readonly #scout: Input;
  readonly #deadline = performance.now() + DEADLINE_MS;
  readonly #alive: () => void;
  #decoder: StreamDecoder | null = null;
  #shown: TimedFrame | null = null;
  #ahead: TimedFrame | null = null;
  /** No frame has been decoded since the last seek, so `#shown` is of another position. */
  #isElsewhere = true;
  #pixels = 0;

  private constructor(input: Input, scout: Input, alive: () => void) {
    this.#input = input;
    this.#scout = scout;
    this.#alive = alive;
  }

  /** `input`: the file at `path`, with a video stream; the caller closes it. `alive`: called regularly during work. */
  static async open(path: string, input: Input, alive: () => void): Promise<NearbyFrames> {
    const scout = await openInput(path, VIDEO_DEMUXERS);
    for (const one of [input, scout]) discardOtherStreams(one, one.video);
    return new NearbyFrames(input, scout, alive);
  }

  /** The frame is valid until the next call; null: no frame can be decoded from there on. */
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

  /** Time of the key frame before a moment; null: unknown. */
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
        if (this.#isLate()) throw new DeadlineExceeded();
        return true;
      },
    });
  }

  /** Decodes until `#shown` is the last frame that begins at or before `seconds`, or the budget is used up. */
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
      if (error instanceof DeadlineExceeded) return null;
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
