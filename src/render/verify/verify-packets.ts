import { AV_PKT_FLAG_CORRUPT } from 'node-av/constants';
import { Packet, type Stream } from 'node-av/lib';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import { openInput } from '../../media/av/open-input.ts';
import type { WrittenFile } from '../../media/encode/encode.ts';
import { addPacket, type WrittenStream } from '../../media/encode/stream-encoder.ts';

const NOTHING: WrittenStream = { packetCount: 0, crc: 0 };

export interface PacketFindings {
  /** Description of the first fault; null: none. */
  readonly fault: string | null;
  /** Numbers of the packets with key frames, ascending. */
  readonly keyPackets: readonly number[];
}

/**
 * Reads a finished file without decoding. Checks that it contains the encoders' packets byte for byte, and that the time stamps of the
 * video count frames from 0 without a gap.
 */
export async function readPackets(
  path: string,
  written: WrittenFile,
  frameRate: FrameRate,
): Promise<PacketFindings> {
  using input = await openInput(path, 'mov');
  const { video, audio } = input;
  if (video === null) return { fault: 'it has no picture', keyPackets: [] };
  if ((audio === null) !== (written.audio === null))
    return { fault: `it has ${audio === null ? 'no' : 'a'} sound`, keyPackets: [] };
  const keyPackets: number[] = [];
  const clock = new FrameClock(video, framesPerSecond(frameRate), written.video.packetCount);
  const found = new Map<number, WrittenStream>();
  let corrupt = 0;
  const packet = new Packet();
  packet.alloc();
  while (input.context.readFrameSync(packet) >= 0) {
    const stream = found.get(packet.streamIndex) ?? NOTHING;
    if ((packet.flags & AV_PKT_FLAG_CORRUPT) !== 0) corrupt++;
    if (packet.streamIndex === video.index) {
      if (packet.isKeyframe) keyPackets.push(stream.packetCount);
      clock.push(packet);
    }
    found.set(packet.streamIndex, addPacket(stream, packet));
    packet.unref();
  }
  packet.free();
  const of = (stream: Stream | null) => found.get(stream?.index ?? -1) ?? NOTHING;
  const fault =
    differing('picture', of(video), written.video) ??
    differing('sound', of(audio), written.audio ?? NOTHING) ??
    (corrupt > 0 ? `${corrupt} packets are marked as damaged` : clock.fault);
  return { fault, keyPackets };
}

function differing(name: string, found: WrittenStream, written: WrittenStream): string | null {
  if (found.packetCount !== written.packetCount)
    return `its ${name} has ${found.packetCount} packets, not ${written.packetCount}`;
  return found.crc === written.crc ? null : `its ${name} differs from the encoder's packets`;
}

/** Checks that time stamps, in decoding order, are those of frames 0, 1, 2 … of a constant rate, each once. */
class FrameClock {
  readonly #unitsPerFrame: number;
  readonly #seen: Uint8Array;
  #odd = 0;

  constructor({ timeBase }: Stream, rate: number, frameCount: number) {
    this.#unitsPerFrame = timeBase.den / timeBase.num / rate;
    this.#seen = new Uint8Array(frameCount);
  }

  push({ pts, duration }: Packet): void {
    const number = Math.round(Number(pts) / this.#unitsPerFrame);
    const late = Math.abs(Number(pts) - number * this.#unitsPerFrame);
    const long = Math.abs(Number(duration) - this.#unitsPerFrame);
    // Rounding to the time base may change a time by one unit.
    if (late > 1 || long > 1 || this.#seen[number] !== 0) this.#odd++;
    this.#seen[number] = 1;
  }

  get fault(): string | null {
    return this.#odd === 0 ? null : `${this.#odd} of its frames are not at their times`;
  }
}
