import type { Frame } from 'node-av/lib';
import { emptyFrame } from '../../media/av/empty-frame.ts';
import { forgetPlanes, keepPlanes } from './planes.ts';

/**
 * Reuses frames of one size together with the views of their memory. New memory costs 1.7 ms of page faults
 * for a 1080p frame. Each new view counts as garbage of its size, so the collector would run every ten
 * frames.
 */
export class FramePool implements Disposable {
  readonly #width: number;
  readonly #height: number;
  readonly #own = new Set<Frame>();
  readonly #idle: Frame[] = [];

  constructor(size: { readonly width: number; readonly height: number }) {
    this.#width = size.width;
    this.#height = size.height;
  }

  /** A yuv420p frame with undefined content. Return it with `give`. */
  take(): Frame {
    // A frame that is not writable is still referenced, for example by the encoder.
    const free = this.#idle.findIndex((frame) => frame.isWritable);
    if (free >= 0) return this.#idle.splice(free, 1)[0];
    const frame = emptyFrame(this.#width, this.#height);
    keepPlanes(frame);
    this.#own.add(frame);
    return frame;
  }

  /** Returns a frame to the pool; frames that are not the pool's are freed. */
  give(frame: Frame): void {
    if (this.#own.has(frame)) this.#idle.push(frame);
    else frame.free();
  }

  [Symbol.dispose](): void {
    for (const frame of this.#own) {
      forgetPlanes(frame);
      frame.free();
    }
  }
}
