/** Animated GIF, WebP and PNG: the times of their pictures. */
import { type FormatContext, Packet } from 'node-av/lib';
import { stampSeconds, type TimeBase } from './stamps.ts';

/** FFmpeg's demuxers of animations. */
export type AnimationDemuxer = 'gif' | 'webp_anim' | 'apng';

const DEMUXERS: readonly string[] = ['gif', 'webp_anim', 'apng'] satisfies AnimationDemuxer[];
/** All browsers show a picture with a delay of at most 10 ms for 100 ms, because old programs stored 0 or 1 without meaning it. */
const MAX_IGNORED_SECONDS = 0.01;
const REPLACED_SECONDS = 0.1;

export interface AnimationLength {
  readonly pictures: number;
  readonly durationSeconds: number;
}

/** `formatName`: FFmpeg's name of the container. */
export function isAnimation(formatName: string): boolean {
  return DEMUXERS.includes(formatName);
}

/** Stamps the packets of an animation by the delays of its pictures, as browsers show them. Packets must be read from the start. */
export class AnimationStamps {
  #next = 0n;

  apply(packet: Packet, timeBase: TimeBase): void {
    const seconds = stampSeconds(packet.duration, timeBase) ?? 0;
    if (seconds <= MAX_IGNORED_SECONDS)
      packet.duration = BigInt(Math.round((REPLACED_SECONDS * timeBase.den) / timeBase.num));
    packet.pts = this.#next;
    packet.dts = this.#next;
    this.#next += packet.duration;
  }

  secondsOf({ num, den }: TimeBase): number {
    return (Number(this.#next) * num) / den;
  }
}

/** Reads up to `maxPictures` packets of an animation, and closes it. */
export function readAnimationLength(
  context: FormatContext,
  maxPictures = Number.POSITIVE_INFINITY,
): AnimationLength {
  using packet = new Packet();
  packet.alloc();
  const stamps = new AnimationStamps();
  let pictures = 0;
  try {
    while (pictures < maxPictures && context.readFrameSync(packet) >= 0) {
      stamps.apply(packet, context.streams![packet.streamIndex]!.timeBase);
      packet.unref();
      pictures++;
    }
    const timeBase = context.streams?.[0]?.timeBase;
    return { pictures, durationSeconds: timeBase === undefined ? 0 : stamps.secondsOf(timeBase) };
  } finally {
    context.closeInputSync();
  }
}
