import type { StereoBlock } from '../media/av/audio-frame.ts';
import type { Mp4Writer } from '../media/encode/encode.ts';

/** Sound goes in this far ahead of the picture, so that the muxer can interleave. */
const LEAD_SECONDS = 0.5;

/** Copies from the writer's sound file what lies up to a little after `videoSeconds`; infinity: all of it. */
export function copyAudioUpTo(writer: Mp4Writer, videoSeconds: number): void {
  writer.copyAudioUpTo(videoSeconds + LEAD_SECONDS);
}

/** Writes what sound there is up to a little after `videoSeconds`; infinity: all of it. */
export async function writeAudioUpTo(
  writer: Mp4Writer,
  audio: AsyncGenerator<StereoBlock> | null,
  videoSeconds: number,
): Promise<void> {
  while (audio !== null && writer.audioSeconds < videoSeconds + LEAD_SECONDS) {
    const block = await audio.next();
    if (block.done === true) return;
    writer.writeSamples(...block.value);
  }
}
