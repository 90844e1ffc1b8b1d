import type { Frame } from 'node-av/lib';
import { emptyFrame } from '../../media/av/empty-frame.ts';
import { forgetPlanes, keepPlanes } from './planes.ts';

/**
 * Frames of one size, used again, and the views of their memory with them. New memory costs a 1080p frame 1.7 ms of page
 * faults; each new view of it counts as garbage of its size, so that the collector would run every ten frames.
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

  /** A yuv420p frame with any content. Give it back to the pool. */
  take(): Frame {
    // Of others somebody still holds the picture: the encoder of the one before.
    const free = this.#idle.findIndex((frame) => frame.isWritable);
    if (free >= 0) return this.#idle.splice(free, 1)[0];
    const made = emptyFrame(this.#width, this.#height);
    keepPlanes(made);
    this.#own.add(made);
    return made;
  }

  /** Takes a frame of the pool back, and frees any other. */
  give(frame: Frame): void {
    if (this.#own.has(frame)) this.#idle.push(frame);
    else frame.free();
  }

  [Symbol.dispose](): void {
    for (const frame of this.#own) end(frame);
  }
}

function end(frame: Frame): void {
  forgetPlanes(frame);
  frame.free();
}
