import type { StereoBlock } from '../../media/av/audio-frame.ts';
import { OUTPUT_SAMPLE_RATE } from '../../media/av/output-sample-rate.ts';
import { openSamples } from '../../media/decode/samples.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { AudioAssembly } from './audio-assembly.ts';
import type { OutputSound } from './output-sound.ts';

/** Largest sound that is cached: 2:46 minutes of stereo at 48 kHz. */
const MAX_CACHED_BYTES = 64e6;
const BYTES_PER_SAMPLE = 2 * Float32Array.BYTES_PER_ELEMENT;

/**
 * The source's sound in the order of the timeline, readable several times. Short sound is decoded once and cached, long sound is
 * decoded each time.
 */
export class AssembledSound implements OutputSound {
  readonly totalSamples: number;
  readonly #path: string;
  readonly #clips: Timeline['clips'];
  readonly #isCached: boolean;
  /** The whole sound; null: not read to its end yet, or too long. */
  #blocks: readonly StereoBlock[] | null = null;

  constructor(path: string, { clips }: Pick<Timeline, 'clips'>, maxCachedBytes = MAX_CACHED_BYTES) {
    this.#path = path;
    this.#clips = clips;
    this.totalSamples = new AudioAssembly(clips, OUTPUT_SAMPLE_RATE).totalSamples;
    this.#isCached = this.totalSamples * BYTES_PER_SAMPLE <= maxCachedBytes;
  }

  /** Stereo at 48 kHz, in total as long as the timeline. Blocks must not be modified. Throws like `openSamples`. */
  async *blocks(): AsyncGenerator<StereoBlock> {
    if (this.#blocks !== null) {
      for (const block of this.#blocks) {
        yield block;
        // Yields like decoding does, because the picture may be drawn on the same thread.
        await new Promise(setImmediate);
      }
      return;
    }
    const blocks: StereoBlock[] = [];
    for await (const block of this.#read()) {
      if (this.#isCached) blocks.push(block);
      yield block;
    }
    if (this.#isCached) this.#blocks = blocks;
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
