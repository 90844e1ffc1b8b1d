import { AV_SAMPLE_FMT_FLTP } from 'node-av/constants';
import { Dictionary, FormatContext, Frame, Packet, Rational, type Stream } from 'node-av/lib';
import { fillAudioFrame, STEREO } from '../av/audio-frame.ts';
import { checkResult } from '../av/ffmpeg-result.ts';
import type { Input } from '../av/input.ts';
import { openInput } from '../av/open-input.ts';
import { OUTPUT_SAMPLE_RATE } from '../av/output-sample-rate.ts';
import {
  addPacket,
  allocateEncoder,
  type Encoder,
  openEncoder,
  type WrittenStream,
} from './stream-encoder.ts';

/** Sound is written this far ahead of the picture, so that the muxer can interleave. */
export const AUDIO_LEAD_SECONDS = 0.5;
const AUDIO_BITS_PER_SECOND = 256_000;
/**
 * The native encoder's tools for low rates raise the true peak of limited music by up to 5.5 dB. Without
 * them, and with the quicker search, it is 0.4 dB at most, and the noise is 4 to 10 dB lower (256 kbit/s,
 * four pieces).
 */
const AUDIO_TOOLS = { aac_coder: 'fast', aac_tns: '0', aac_pns: '0', aac_is: '0' } as const;

/** Encodes samples as AAC, in frames of 1024. */
export class AudioEncoder implements Disposable {
  readonly #encoder: Encoder;
  #samples = 0;
  readonly #frame = new Frame();
  readonly #size: number;
  readonly #held: [Float32Array, Float32Array];
  #fill = 0;
  #sent = 0;

  constructor(encoder: Encoder, frameSize: number) {
    this.#encoder = encoder;
    this.#size = frameSize;
    this.#held = [new Float32Array(frameSize), new Float32Array(frameSize)];
    this.#frame.alloc();
  }

  write(left: Float32Array, right: Float32Array): void {
    for (let at = 0; at < left.length; ) {
      const count = Math.min(this.#size - this.#fill, left.length - at);
      this.#held[0].set(left.subarray(at, at + count), this.#fill);
      this.#held[1].set(right.subarray(at, at + count), this.#fill);
      this.#fill += count;
      at += count;
      if (this.#fill === this.#size) this.#send();
    }
    this.#samples += left.length;
  }

  finish(): void {
    if (this.#fill > 0) this.#send();
    this.#encoder.send(null);
  }

  /** Length of the sound until now. */
  get seconds(): number {
    return this.#samples / OUTPUT_SAMPLE_RATE;
  }

  get written(): WrittenStream {
    return this.#encoder.written;
  }

  [Symbol.dispose](): void {
    this.#encoder[Symbol.dispose]();
    this.#frame.free();
  }

  #send(): void {
    const [left, right] = this.#held;
    fillAudioFrame(this.#frame, [left.subarray(0, this.#fill), right.subarray(0, this.#fill)], this.#sent);
    this.#sent += this.#fill;
    this.#fill = 0;
    this.#encoder.send(this.#frame);
  }
}

export async function openAudioEncoder(
  output: FormatContext,
  bitsPerSecond = AUDIO_BITS_PER_SECOND,
): Promise<AudioEncoder> {
  const codec = allocateEncoder('aac');
  const context = codec.context;
  context.sampleRate = OUTPUT_SAMPLE_RATE;
  context.sampleFormat = AV_SAMPLE_FMT_FLTP;
  context.channelLayout = STEREO;
  context.bitRate = BigInt(bitsPerSecond);
  context.timeBase = new Rational(1, OUTPUT_SAMPLE_RATE);
  const encoder = await openEncoder(output, codec, AUDIO_TOOLS, context.timeBase);
  return new AudioEncoder(encoder, context.frameSize || 1024);
}

/**
 * Writes sound into a separate MP4 with AAC-LC stereo 48 kHz. The encoded result can so be measured before it
 * becomes part of an output. Throws `Failure` ENCODER_FAILED, INSUFFICIENT_STORAGE.
 */
export class AudioFileWriter implements Disposable {
  readonly #output: FormatContext;
  readonly #audio: AudioEncoder;

  private constructor(output: FormatContext, audio: AudioEncoder) {
    this.#output = output;
    this.#audio = audio;
  }

  /** `isStreamed`: the index is in front, for players that receive the file. */
  static async open(
    path: string,
    {
      bitsPerSecond,
      isStreamed = false,
    }: { readonly bitsPerSecond?: number; readonly isStreamed?: boolean } = {},
  ): Promise<AudioFileWriter> {
    const output = new FormatContext();
    checkResult(output.allocOutputContext2(null, 'mp4', path), 'Opening the sound file');
    const audio = await openAudioEncoder(output, bitsPerSecond);
    checkResult(await output.openOutput(), 'Opening the sound file');
    const options = Dictionary.fromObject(isStreamed ? { movflags: '+faststart' } : {});
    checkResult(await output.writeHeader(options), 'Writing the header');
    options.free();
    return new AudioFileWriter(output, audio);
  }

  /** Two planes of equal length, at 48 kHz. */
  write(left: Float32Array, right: Float32Array): void {
    this.#audio.write(left, right);
  }

  /** Length of the sound until now. */
  get seconds(): number {
    return this.#audio.seconds;
  }

  async finish(): Promise<void> {
    this.#audio.finish();
    checkResult(await this.#output.writeTrailer(), 'Writing the index');
    await this.#output.closeOutput();
  }

  [Symbol.dispose](): void {
    this.#audio[Symbol.dispose]();
    this.#output.freeContext();
  }
}

/** Copies the packets of a sound file into another file. */
export class AudioCopy implements Disposable {
  written: WrittenStream = { packetCount: 0, crc: 0 };
  /** End time of the last copied packet. */
  seconds = 0;
  readonly #input: Input;
  readonly #output: FormatContext;
  readonly #from: Stream;
  readonly #to: Stream;
  readonly #packet = new Packet();
  #ended = false;

  private constructor(input: Input, output: FormatContext) {
    this.#input = input;
    this.#output = output;
    this.#from = input.audio!;
    this.#to = output.newStream(null);
    checkResult(this.#from.codecpar.copy(this.#to.codecpar), 'Describing the stream');
    this.#to.timeBase = this.#from.timeBase;
    this.#packet.alloc();
  }

  static async open(path: string, output: FormatContext): Promise<AudioCopy> {
    return new AudioCopy(await openInput(path, 'mov'), output);
  }

  copyUpTo(seconds: number): void {
    while (!this.#ended && this.seconds < seconds) {
      if (this.#input.context.readFrameSync(this.#packet) < 0) {
        this.#ended = true;
        return;
      }
      const { num, den } = this.#from.timeBase;
      this.seconds = (Number(this.#packet.pts + this.#packet.duration) * num) / den;
      this.written = addPacket(this.written, this.#packet);
      this.#packet.streamIndex = this.#to.index;
      this.#packet.pos = -1n;
      this.#packet.rescaleTs(this.#from.timeBase, this.#to.timeBase);
      checkResult(this.#output.interleavedWriteFrameSync(this.#packet), 'Writing');
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
    this.#input[Symbol.dispose]();
  }
}
