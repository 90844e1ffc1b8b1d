import { crc32 } from 'node:zlib';
import { AV_CODEC_FLAG_GLOBAL_HEADER, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  type FormatContext,
  type Frame,
  Packet,
  type Rational,
  type Stream,
} from 'node-av/lib';
import type { HardwareEncoder } from '../../domain/encoder-choice.ts';
import { Failure } from '../../domain/errors.ts';
import { checkResult } from '../av/ffmpeg-result.ts';
import '../av/quiet.ts';
import type { HardwareFrameConverter } from './hardware-encoder.ts';
import { lengthPrefixed } from './length-prefixed.ts';

/** The packets written to a stream of a file: their number, and the CRC-32 of all their bytes in order. */
export interface WrittenStream {
  readonly packetCount: number;
  readonly crc: number;
}

type CodecName = 'libx264' | 'libx265' | 'aac' | `h264_${HardwareEncoder}`;

/** One encoder and its stream in the output. */
export class Encoder implements Disposable {
  written: WrittenStream = { packetCount: 0, crc: 0 };
  /** Bytes of the packets that wait for the file's header. */
  heldBytes = 0;
  readonly #output: FormatContext;
  readonly #stream: Stream;
  readonly #codec: CodecContext;
  readonly #packet = new Packet();
  readonly #converter: HardwareFrameConverter | null;
  /** Packets that wait for the file's header; null: packets are written at once. */
  #held: Packet[] | null = null;

  /** `converter`: converts frames for a hardware encoder; null: frames are passed unchanged, and packets are in MP4's format. */
  constructor(
    output: FormatContext,
    stream: Stream,
    codec: CodecContext,
    converter: HardwareFrameConverter | null,
  ) {
    this.#output = output;
    this.#stream = stream;
    this.#codec = codec;
    this.#converter = converter;
    this.#packet.alloc();
  }

  send(frame: Frame | null): void {
    checkResult(this.#codec.sendFrameSync(this.#converted(frame)), 'Encoding');
    this.#writePackets();
  }

  /** Like `send`, but encodes on a thread of the pool. The encoder must not be used until the promise is settled. */
  async sendAsync(frame: Frame): Promise<void> {
    checkResult(await this.#codec.sendFrame(this.#converted(frame)), 'Encoding');
    this.#writePackets();
  }

  #converted<Input extends Frame | null>(frame: Input): Input | Frame {
    return frame === null || this.#converter === null ? frame : this.#converter.convert(frame);
  }

  #writePackets(): void {
    for (;;) {
      const received = this.#codec.receivePacketSync(this.#packet);
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return;
      checkResult(received, 'Encoding');
      this.written = addBytes(this.written, this.#bytes());
      // x264 sets no duration, and the muxer's edit list would end before the last frame.
      if (this.#packet.duration === 0n) this.#packet.duration = 1n;
      if (this.#held === null) this.#write(this.#packet);
      else this.#holdPacket(this.#held, this.#packet);
    }
  }

  #holdPacket(held: Packet[], packet: Packet): void {
    const copy = packet.clone();
    if (copy === null) throw new Failure('OUT_OF_MEMORY', 'There is not enough memory for an encoded frame');
    held.push(copy);
    this.heldBytes += copy.size;
  }

  #write(packet: Packet): void {
    packet.streamIndex = this.#stream.index;
    packet.rescaleTs(this.#codec.timeBase, this.#stream.timeBase);
    checkResult(this.#output.interleavedWriteFrameSync(packet), 'Writing');
  }

  /** Buffers encoded packets until the file's header is written and `release` is called. */
  hold(): void {
    this.#held ??= [];
  }

  /** Writes the buffered packets and calls `before` with the time of each; later packets are written at once. */
  release(before: (seconds: number) => void): void {
    const { num, den } = this.#codec.timeBase;
    const held = this.#held ?? [];
    // After an error, the remaining packets are freed by disposal.
    for (let packet = held[0]; packet !== undefined; packet = held[0]) {
      before((Number(packet.pts) * num) / den);
      this.#write(packet);
      packet.free();
      held.shift();
    }
    this.#held = null;
    this.heldBytes = 0;
  }

  #bytes(): Uint8Array {
    const data = this.#packet.data ?? Buffer.alloc(0);
    return this.#converter === null ? data : lengthPrefixed(data);
  }

  [Symbol.dispose](): void {
    this.#codec.freeContext();
    this.#converter?.[Symbol.dispose]();
    this.#packet.free();
    for (const packet of this.#held ?? []) packet.free();
  }
}

/** Adds a packet to the count and checksum. */
export function addPacket(stream: WrittenStream, packet: Packet): WrittenStream {
  return addBytes(stream, packet.data ?? Buffer.alloc(0));
}

function addBytes({ packetCount, crc }: WrittenStream, bytes: Uint8Array): WrittenStream {
  return { packetCount: packetCount + 1, crc: crc32(bytes, crc) };
}

export function allocateEncoder(name: CodecName): { codec: Codec; context: CodecContext } {
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0]);
  if (codec === null)
    throw new Failure('ENCODER_FAILED', `The encoder ${name} is missing from this FFmpeg build`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  return { codec, context };
}

export async function openEncoder(
  output: FormatContext,
  { codec, context }: { codec: Codec; context: CodecContext },
  settings: Readonly<Record<string, string>>,
  timeBase: Rational,
  converter: HardwareFrameConverter | null = null,
): Promise<Encoder> {
  const options = Dictionary.fromObject(settings);
  checkResult(await context.open2(codec, options), `Opening the encoder ${codec.name}`);
  options.free();
  const stream = output.newStream(null);
  checkResult(stream.codecpar.fromContext(context), 'Describing the stream');
  stream.timeBase = timeBase;
  return new Encoder(output, stream, context, converter);
}
