import type { StereoBlock } from '../../media/av/audio-frame.ts';
import type { Mp4Writer } from '../../media/encode/encode.ts';
import { AUDIO_LEAD_SECONDS } from '../../media/encode/encode-audio.ts';

/**
 * What is encoded may wait in memory for its sound to be ready. Sound takes a tenth of the time that its picture takes, so that this holds a
 * quarter of an hour at 20 MB a minute and more; an output that gets there waits for its sound.
 */
const MOST_HELD_BYTES = 64e6;

/** The packets of a sound file that is still being made, on their way into an output that is being drawn. */
export class AwaitedSound {
  readonly #writer: Mp4Writer;
  readonly #file: Promise<string>;
  readonly #mostHeldBytes: number;
  #isSettled = false;
  #isAdded = false;

  constructor(writer: Mp4Writer, file: Promise<string>, mostHeldBytes = MOST_HELD_BYTES) {
    this.#writer = writer;
    this.#file = file;
    this.#mostHeldBytes = mostHeldBytes;
    const settled = () => {
      this.#isSettled = true;
    };
    file.then(settled, settled);
  }

  /** Copies what there is up to a little after `videoSeconds`; infinity: waits for all of it. Throws why it cannot be made. */
  async upTo(videoSeconds: number): Promise<void> {
    if (!this.#isAdded) {
      const mayWait = !this.#isSettled && this.#writer.heldBytes < this.#mostHeldBytes;
      if (mayWait && videoSeconds < Number.POSITIVE_INFINITY) return;
      await this.#writer.addSound(await this.#file);
      this.#isAdded = true;
    }
    this.#writer.copyAudioUpTo(videoSeconds + AUDIO_LEAD_SECONDS);
  }
}

/** Writes what sound there is up to a little after `videoSeconds`; infinity: all of it. */
export async function writeAudioUpTo(
  writer: Mp4Writer,
  audio: AsyncGenerator<StereoBlock> | null,
  videoSeconds: number,
): Promise<void> {
  while (audio !== null && writer.audioSeconds < videoSeconds + AUDIO_LEAD_SECONDS) {
    const block = await audio.next();
    if (block.done === true) return;
    writer.writeSamples(...block.value);
  }
}
