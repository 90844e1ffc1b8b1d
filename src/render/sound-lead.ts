import type { StereoBlock } from '../media/av/sound-frame.ts';
import type { Mp4Writer } from '../media/encode/encode.ts';

/** Sound goes in this far ahead of the picture, so that the muxer can interleave. */
const LEAD_SECONDS = 0.5;

/** Copies from the writer's sound file what lies up to a little after `pictureSeconds`; infinity: all of it. */
export function copySoundUpTo(writer: Mp4Writer, pictureSeconds: number): void {
  writer.copySoundUpTo(pictureSeconds + LEAD_SECONDS);
}

/** Writes what sound there is up to a little after `pictureSeconds`; infinity: all of it. */
export async function writeSoundUpTo(
  writer: Mp4Writer,
  sound: AsyncGenerator<StereoBlock> | null,
  pictureSeconds: number,
): Promise<void> {
  while (sound !== null && writer.soundSeconds < pictureSeconds + LEAD_SECONDS) {
    const block = await sound.next();
    if (block.done === true) return;
    writer.writeSamples(...block.value);
  }
}
