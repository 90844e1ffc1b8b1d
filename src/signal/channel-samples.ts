import { instantiateKernel, type KernelExports, KernelLayout, reserveBytes } from './kernel.ts';

/** Counts, distances, factors and addresses; see `kernels/signal/channel-samples.ts`. */
interface SampleExports extends KernelExports {
  clean(samples: number, count: number): void;
  addSquares(samples: number, count: number, sum: number): number;
  mixDown(samples: number, apart: number, channels: number, count: number, scale: number, mono: number): void;
}

const SAMPLE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Samples of all channels of a block of sound, in a kernel's memory. */
export class ChannelSamples {
  readonly #kernel = instantiateKernel<SampleExports>(new URL('channel-samples.wasm', import.meta.url));
  #channels: readonly Float32Array[] = [];
  #mono = new Float32Array();

  /** Copies a block, which replaces the one before; samples that are not finite become 0. */
  set(channels: readonly Float32Array[]): void {
    const length = channels[0]?.length ?? 0;
    const layout = new KernelLayout();
    const [mono, ...places] = [length, ...channels.map(() => length)].map((count) =>
      layout.take(SAMPLE_BYTES * count),
    );
    const { memory } = this.#kernel;
    reserveBytes(memory, layout.bytes);
    this.#mono = new Float32Array(memory.buffer, mono, length);
    this.#channels = places.map((place) => new Float32Array(memory.buffer, place, length));
    for (const [c, samples] of this.#channels.entries()) {
      samples.set(channels[c]);
      this.#kernel.clean(samples.byteOffset, length);
    }
  }

  /** Views, valid until the next block. */
  get channels(): readonly Float32Array[] {
    return this.#channels;
  }

  /**
   * `sum` plus the squares of a channel's samples `from` to `to`, end exclusive. They are added one by one, so the result does not depend
   * on how a stream is divided into blocks.
   */
  addSquares(channel: number, from: number, to: number, sum: number): number {
    const place = this.#channels[channel].byteOffset + SAMPLE_BYTES * from;
    return this.#kernel.addSquares(place, to - from, sum);
  }

  /** Mean of mono and stereo; of more channels half the sum, because they seldom carry the same. A view, valid until the next block. */
  mixDown(): Float32Array {
    const [first, second] = this.#channels;
    if (first === undefined) return this.#mono;
    const apart = second === undefined ? 0 : second.byteOffset - first.byteOffset;
    const scale = 1 / Math.min(2, this.#channels.length);
    const [count, mono] = [first.length, this.#mono.byteOffset];
    this.#kernel.mixDown(first.byteOffset, apart, this.#channels.length, count, scale, mono);
    return this.#mono;
  }
}
