import { AVDISCARD_ALL } from 'node-av/constants';
import type { FormatContext, Packet, Stream } from 'node-av/lib';
import type { FileClock } from './file-clock.ts';

/** Decoders reject larger pictures. */
export const MAX_PIXELS = 36_000_000;

/** An open file. Disposal closes it. */
export interface Input extends Disposable {
  readonly context: FormatContext;
  /** Chosen by `chooseStreams`. */
  readonly video: Stream | null;
  readonly audio: Stream | null;
  /** Sound tracks without a decoder, or whose decoder returns no samples. */
  readonly undecodableAudio: readonly Stream[];
  /** From the start of the presentation; null: unknown. */
  readonly durationSeconds: number | null;
  /** Start of the presentation in the container's time. Needed for seeking only. */
  readonly startSeconds: number;
  /** Null: the container guarantees continuous time stamps. */
  readonly clock: FileClock | null;
  readonly formatName: string;
  readonly streamCount: number;
  /** Whether the file is a picture, which has no duration. */
  readonly isStill: boolean;
  /**
   * Reads the next packet; false at the end. Its time stamps count from the start of the presentation, jumps closed. Packets read from
   * `context` have the container's time stamps.
   */
  read(packet: Packet): boolean;
}

/** Makes the demuxer skip the packets of all other streams. */
export function discardOtherStreams({ context }: Input, kept: Stream | null): void {
  for (const stream of context.streams ?? [])
    if (stream.index !== kept?.index) stream.discard = AVDISCARD_ALL;
}
