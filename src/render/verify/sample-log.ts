import type { Frame } from 'node-av/lib';
import { lumaSamples, SAMPLE_COUNT, samplingInterval } from '../picture/luma-samples.ts';

/** Initial capacity, in sampled frames; it doubles when it is used up. */
const INITIAL_CAPACITY = 1024;

/** Luma samples of a video that is being drawn, about ten times a second, in one block of memory. */
export class SampleLog {
  /** Frames whose number is a multiple of this are sampled. */
  readonly interval: number;
  #samples = new Uint8Array(INITIAL_CAPACITY * SAMPLE_COUNT);
  #frames = 0;

  constructor(framesPerSecond: number) {
    this.interval = samplingInterval(framesPerSecond);
  }

  /** The next frame, yuv420p. */
  push(frame: Frame): void {
    const number = this.#frames++;
    if (number % this.interval !== 0) return;
    const start = (number / this.interval) * SAMPLE_COUNT;
    if (start === this.#samples.length) {
      const larger = new Uint8Array(2 * start);
      larger.set(this.#samples);
      this.#samples = larger;
    }
    this.#samples.set(lumaSamples(frame), start);
  }

  /** Samples of frame `number`, a multiple of the interval; null: there are none. */
  at(number: number): Uint8Array | null {
    if (number < 0 || number >= this.#frames) return null;
    const start = (number / this.interval) * SAMPLE_COUNT;
    return this.#samples.subarray(start, start + SAMPLE_COUNT);
  }
}
