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
import { Failure } from '../../errors.ts';
import { succeeded } from '../av/ffmpeg-result.ts';
import '../av/quiet.ts';

/** What went into a stream of a file: its packets, and the CRC-32 of all their bytes in order. */
export interface WrittenStream {
  readonly packetCount: number;
  readonly crc: number;
}

/** One encoder and its stream in the output. */
export class Encoder implements Disposable {
  written: WrittenStream = { packetCount: 0, crc: 0 };
  readonly #output: FormatContext;
  readonly #stream: Stream;
  readonly #codec: CodecContext;
  readonly #packet = new Packet();

  constructor(output: FormatContext, stream: Stream, codec: CodecContext) {
    this.#output = output;
    this.#stream = stream;
    this.#codec = codec;
    this.#packet.alloc();
  }

  send(frame: Frame | null): void {
    succeeded(this.#codec.sendFrameSync(frame), 'Encoding');
    this.#writePackets();
  }

  /** As `send`, but the encoder works on a thread of the pool: nothing else may be done with it until the promise is settled. */
  async sendAside(frame: Frame): Promise<void> {
    succeeded(await this.#codec.sendFrame(frame), 'Encoding');
    this.#writePackets();
  }

  #writePackets(): void {
    for (;;) {
      const received = this.#codec.receivePacketSync(this.#packet);
      if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return;
      succeeded(received, 'Encoding');
      this.written = addPacket(this.written, this.#packet);
      this.#packet.streamIndex = this.#stream.index;
      // x264 leaves it out, and the muxer would end its edit list before the last frame.
      if (this.#packet.duration === 0n) this.#packet.duration = 1n;
      this.#packet.rescaleTs(this.#codec.timeBase, this.#stream.timeBase);
      succeeded(this.#output.interleavedWriteFrameSync(this.#packet), 'Writing');
    }
  }

  [Symbol.dispose](): void {
    this.#codec.freeContext();
    this.#packet.free();
  }
}

/** The stream with one packet more. */
export function addPacket({ packetCount, crc }: WrittenStream, packet: Packet): WrittenStream {
  return { packetCount: packetCount + 1, crc: crc32(packet.data ?? '', crc) };
}

export function makeCodec(name: 'libx264' | 'libx265' | 'aac'): { codec: Codec; context: CodecContext } {
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0]);
  if (codec === null)
    throw new Failure('ENCODER_FAILED', `The encoder ${name} is missing from this FFmpeg build`);
  const context = new CodecContext();
  context.allocContext3(codec);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  return { codec, context };
}

export async function finishEncoder(
  output: FormatContext,
  { codec, context }: { codec: Codec; context: CodecContext },
  settings: Record<string, string>,
  timeBase: Rational,
): Promise<Encoder> {
  const options = Dictionary.fromObject(settings);
  succeeded(await context.open2(codec, options), 'Opening the encoder');
  options.free();
  const stream = output.newStream(null);
  succeeded(stream.codecpar.fromContext(context), 'Describing the stream');
  stream.timeBase = timeBase;
  return new Encoder(output, stream, context);
}
