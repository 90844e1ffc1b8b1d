import { Packet } from 'node-av/lib';
import type { Input } from './input.ts';
import { openInput } from './open-input.ts';
import { MAX_DECODE_ON_SECONDS, seekBefore } from './seek.ts';
import { stampSeconds } from './stamps.ts';

/**
 * Opens a file for reading its picture from a time on. The first packet is a key frame at or before that
 * time, or the start where the container cannot seek. Throws as `openInput`.
 */
export async function openInputAt(path: string, seconds: number, demuxers?: string): Promise<Input> {
  const input = await openInput(path, demuxers);
  if (seconds <= MAX_DECODE_ON_SECONDS || input.isStill || !seekBefore(input, seconds)) return input;
  const landed = nextPictureSeconds(input);
  // Reading the packet has passed it.
  if (landed !== null && landed <= seconds && seekBefore(input, seconds)) return input;
  input[Symbol.dispose]();
  return openInput(path, demuxers);
}

/** Time of the next packet of the picture; null: unknown, or there is none. */
function nextPictureSeconds(input: Input): number | null {
  const { video } = input;
  const packet = new Packet();
  packet.alloc();
  try {
    while (input.read(packet)) {
      if (packet.streamIndex === video?.index) return stampSeconds(packet.pts, video.timeBase);
      packet.unref();
    }
    return null;
  } finally {
    packet.free();
  }
}
