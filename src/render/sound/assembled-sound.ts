import { OUTPUT_SAMPLE_RATE, type StereoBlock } from '../../media/av/audio-frame.ts';
import { openSamples } from '../../media/decode/samples.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { AudioAssembly } from './audio-assembly.ts';

/** What is kept in memory at the most: 2:46 of stereo at 48 kHz. */
const MAX_KEPT_BYTES = 64e6;
const BYTES_PER_SAMPLE = 2 * Float32Array.BYTES_PER_ELEMENT;

/**
 * The source's sound in the order of the timeline, as often as it is wanted: the file is decoded once where the sound is short enough to
 * be kept, and each time where it is not.
 */
export class AssembledSound {
  readonly totalSamples: number;
  readonly #path: string;
  readonly #clips: Timeline['clips'];
  readonly #isKept: boolean;
  /** All of it; null: not read to its end yet, or too long. */
  #blocks: readonly StereoBlock[] | null = null;

  constructor(path: string, { clips }: Pick<Timeline, 'clips'>, maxKeptBytes = MAX_KEPT_BYTES) {
    this.#path = path;
    this.#clips = clips;
    this.totalSamples = new AudioAssembly(clips, OUTPUT_SAMPLE_RATE).totalSamples;
    this.#isKept = this.totalSamples * BYTES_PER_SAMPLE <= maxKeptBytes;
  }

  /** Stereo at 48 kHz, as long as the timeline in all; what is handed out may not be changed. Throws as `openSamples`. */
  async *blocks(): AsyncGenerator<StereoBlock> {
    if (this.#blocks !== null) {
      for (const block of this.#blocks) {
        yield block;
        // As decoding does: the picture may be drawn on the same thread.
        await new Promise(setImmediate);
      }
      return;
    }
    const kept: StereoBlock[] = [];
    for await (const block of this.#read()) {
      if (this.#isKept) kept.push(block);
      yield block;
    }
    if (this.#isKept) this.#blocks = kept;
  }

  async *#read(): AsyncGenerator<StereoBlock> {
    const assembly = new AudioAssembly(this.#clips, OUTPUT_SAMPLE_RATE);
    const decoded = openSamples(this.#path, {
      sampleRate: OUTPUT_SAMPLE_RATE,
      channels: 'stereo',
    });
    for await (const { channels } of decoded) {
      const block = assembly.push(channels as unknown as StereoBlock);
      if (block[0].length > 0) yield block;
    }
    const rest = assembly.finish();
    if (rest[0].length > 0) yield rest;
  }
}
