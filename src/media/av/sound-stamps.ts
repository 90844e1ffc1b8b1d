import type { Frame, Packet } from 'node-av/lib';
import { NO_TIME, stampSeconds, type TimeBase } from './stamps.ts';

/** Length of a frame of sound; 0: of a picture. */
export function soundSecondsOf({ nbSamples, sampleRate }: Frame): number {
  return nbSamples > 0 ? nbSamples / sampleRate : 0;
}

/** FFmpeg's "no position", of packets that its parsers cut. */
const NO_POSITION = -1n;
/** Above rounding to 90 kHz, below the difference of the lengths of AAC at 44.1 and 48 kHz. */
const MAX_LENGTH_ERROR_SECONDS = 0.001;

/**
 * Removes a stamp that FFmpeg computed from a wrong length of packets. MPEG stamps the first of several packets of sound; FFmpeg counts
 * on with the length from the start of the stream, also when the format has changed. `soundSeconds`: length of the last decoded frame;
 * 0: a picture.
 */
export function dropWrongStamp(packet: Packet, timeBase: TimeBase, soundSeconds: number): void {
  if (soundSeconds === 0 || packet.pos !== NO_POSITION) return;
  const assumedSeconds = stampSeconds(packet.duration, timeBase) ?? 0;
  if (Math.abs(soundSeconds - assumedSeconds) <= MAX_LENGTH_ERROR_SECONDS) return;
  packet.pts = NO_TIME;
  packet.dts = NO_TIME;
}
