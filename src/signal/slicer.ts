/**
 * Divides a stream of samples into overlapping frames. Frame i is centred on sample i·sampleRate/framesPerSecond; samples before the
 * start and after the end are 0. Buffers at most one frame and one block.
 */
export class FrameSlicer {
  readonly #size: number;
  readonly #step: number;
  readonly #onFrame: (samples: Float64Array, offset: number) => void;
  #buffer: Float64Array;
  /** Stream position of the buffer's first sample, and the number of buffered samples. */
  #start: number;
  #held: number;
  #next = 0;
  #total = 0;

  /** `onFrame` receives the buffer and the frame's offset in it; the buffer is reused afterwards. */
  constructor(
    format: { size: number; sampleRate: number; framesPerSecond: number },
    onFrame: (samples: Float64Array, offset: number) => void,
  ) {
    this.#size = format.size;
    this.#step = format.sampleRate / format.framesPerSecond;
    this.#onFrame = onFrame;
    this.#buffer = new Float64Array(format.size * 2);
    this.#start = -format.size / 2;
    this.#held = format.size / 2;
  }

  push(samples: ArrayLike<number>): void {
    this.#append(samples, samples.length);
    this.#total += samples.length;
    this.#emit(Number.POSITIVE_INFINITY);
  }

  /** Emits the remaining frames, whose centre lies before the end of the stream. */
  finish(): void {
    this.#append({ length: 0 }, this.#size);
    this.#emit(this.#total);
  }

  #append(samples: ArrayLike<number>, count: number): void {
    if (this.#held + count > this.#buffer.length) {
      const grown = new Float64Array(2 * (this.#held + count));
      grown.set(this.#buffer.subarray(0, this.#held));
      this.#buffer = grown;
    }
    this.#buffer.set(samples, this.#held);
    this.#buffer.fill(0, this.#held + samples.length, this.#held + count);
    this.#held += count;
  }

  #emit(end: number): void {
    for (;;) {
      const centre = Math.round(this.#next * this.#step);
      const offset = centre - this.#size / 2 - this.#start;
      if (offset + this.#size > this.#held || centre >= end) break;
      this.#onFrame(this.#buffer, offset);
      this.#next += 1;
    }
    const used = Math.min(
      this.#held,
      Math.max(0, Math.round(this.#next * this.#step) - this.#size / 2 - this.#start),
    );
    this.#buffer.copyWithin(0, used, this.#held);
    this.#start += used;
    this.#held -= used;
  }
}
