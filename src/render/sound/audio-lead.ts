import type { StereoBlock } from '../../media/av/audio-frame.ts';
import type { Mp4Writer } from '../../media/encode/encode.ts';
import { AUDIO_LEAD_SECONDS } from '../../media/encode/encode-audio.ts';

/**
 * Encoded picture that may be buffered until the sound is ready; beyond it, drawing waits for the sound. Sound takes a tenth of the time
 * of its picture, so this is enough for a quarter of an hour at 20 MB a minute.
 */
const MAX_HELD_BYTES = 64e6;

/** Copies the packets of a sound file that is still being written into an output that is being drawn. */
export class AwaitedSound {
  readonly #writer: Mp4Writer;
  readonly #file: Promise<string>;
  readonly #maxHeldBytes: number;
  #isSettled = false;
  #isAdded = false;

  constructor(writer: Mp4Writer, file: Promise<string>, maxHeldBytes = MAX_HELD_BYTES) {
    this.#writer = writer;
    this.#file = file;
    this.#maxHeldBytes = maxHeldBytes;
    const settled = () => {
      this.#isSettled = true;
    };
    file.then(settled, settled);
  }

  /** Copies the available sound up to a little after `videoSeconds`; infinity: waits for all of it. Throws the error of writing the file. */
  async upTo(videoSeconds: number): Promise<void> {
    if (!this.#isAdded) {
      const mayWait = !this.#isSettled && this.#writer.heldBytes < this.#maxHeldBytes;
      if (mayWait && videoSeconds < Number.POSITIVE_INFINITY) return;
      await this.#writer.addSound(await this.#file);
      this.#isAdded = true;
    }
    this.#writer.copyAudioUpTo(videoSeconds + AUDIO_LEAD_SECONDS);
  }
}

/** Encodes the sound up to a little after `videoSeconds`; infinity: all of it. */
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
