import type { Frame } from 'node-av/lib';
import { LinearGraph } from '../media/graph.ts';

/**
 * The filter chain of one clip: source frames in, output frames out, in order. A chain may hold a frame back, so
 * frames are fetched by their number.
 */
export class ClipFrames implements Disposable {
  readonly #graph: LinearGraph;
  readonly #ready = new Map<number, Frame>();
  #next: number;

  /** `firstFrame`: number of the output frame that the first frame pushed is for. */
  constructor(chain: () => string, firstFrame: number, rate: { numerator: number; denominator: number }) {
    this.#graph = new LinearGraph('video', { num: rate.denominator, den: rate.numerator }, chain);
    this.#next = firstFrame;
  }

  /** Frames must be pushed once for each output frame, in order; null ends the clip. */
  push(frame: Frame | null, number: number): void {
    if (frame !== null) frame.pts = BigInt(number);
    this.#graph.push(frame, (out) => {
      const kept = out.clone();
      if (kept !== null) this.#ready.set(this.#next++, kept);
    });
  }

  /** Hands the frame over: the caller frees it. Null while the chain still holds it. */
  take(number: number): Frame | null {
    const frame = this.#ready.get(number) ?? null;
    this.#ready.delete(number);
    return frame;
  }

  [Symbol.dispose](): void {
    for (const frame of this.#ready.values()) frame.free();
    this.#graph[Symbol.dispose]();
  }
}
