import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, Packet, Rational } from 'node-av/lib';
import type { SampleBlock } from '../../domain/footage.ts';
import { STEREO } from '../av/audio-frame.ts';
import { checkResult } from '../av/ffmpeg-result.ts';

/** Chromaprint resamples to 11,025 Hz mono itself; AcoustID compares the first two minutes. */
const SAMPLE_RATE = 11_025;
const LENGTH_SECONDS = 120;
const MONO = { ...STEREO, nbChannels: 1, mask: 4n };

/** Format of the samples for `Fingerprint`. */
export const FINGERPRINT_SAMPLES = {
  sampleRate: SAMPLE_RATE,
  channels: 'mono',
  seconds: LENGTH_SECONDS,
} as const;

/** Computes the Chromaprint fingerprint of the first two minutes of sound. */
export class Fingerprint implements AsyncDisposable {
  readonly #file: string;
  readonly #output = new FormatContext();
  readonly #encoder = new CodecContext();
  readonly #packet = new Packet();
  readonly #frame = new Frame();
  #position = 0;

  private constructor(file: string) {
    this.#file = file;
    this.#packet.alloc();
    this.#frame.alloc();
  }

  /** `folder`: for a temporary file. */
  static async open(folder: string): Promise<Fingerprint> {
    await using opened = new AsyncDisposableStack();
    const print = opened.use(new Fingerprint(join(folder, 'fingerprint.txt')));
    await openPrinter(print.#output, print.#encoder, print.#file);
    opened.move();
    return print;
  }

  /** Whether two minutes are reached; further samples are ignored. */
  get isFull(): boolean {
    return this.#position >= LENGTH_SECONDS * SAMPLE_RATE;
  }

  /** Call in order. */
  push({ channels }: SampleBlock): void {
    if (this.isFull) return;
    fill(this.#frame, channels[0], this.#position);
    this.#position += channels[0].length;
    encode(this.#output, this.#encoder, this.#frame, this.#packet);
  }

  /**
   * The fingerprint in base64, like `fpcalc` prints it (algorithm 1, Lukáš Lalinský 2010); null: less than about three seconds of
   * sound.
   */
  async finish(): Promise<string | null> {
    encode(this.#output, this.#encoder, null, this.#packet);
    if (this.#position < 3 * SAMPLE_RATE) return null;
    check(await this.#output.writeTrailer());
    await this.#output.closeOutput();
    const text = (await readFile(this.#file, 'utf8')).trim();
    return text === '' ? null : text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#encoder.freeContext();
    this.#packet.free();
    this.#frame.free();
    this.#output.freeContext();
    await rm(this.#file, { force: true });
  }
}

function check(result: number): void {
  checkResult(result, 'Fingerprinting', 'INTERNAL_ERROR');
}

async function openPrinter(output: FormatContext, encoder: CodecContext, file: string): Promise<void> {
  check(output.allocOutputContext2(null, 'chromaprint', file));
  const codec = Codec.findEncoderByName('pcm_s16le' as Parameters<typeof Codec.findEncoderByName>[0]);
  encoder.allocContext3(codec);
  encoder.sampleRate = SAMPLE_RATE;
  encoder.sampleFormat = AV_SAMPLE_FMT_S16;
  encoder.channelLayout = MONO;
  encoder.timeBase = new Rational(1, SAMPLE_RATE);
  check(await encoder.open2(codec, null));
  const stream = output.newStream(null);
  check(stream.codecpar.fromContext(encoder));
  stream.timeBase = encoder.timeBase;
  check(await output.openOutput());
  const options = Dictionary.fromObject({ fp_format: 'base64' });
  check(await output.writeHeader(options));
  options.free();
}

function fill(frame: Frame, samples: Float32Array, position: number): void {
  frame.unref();
  frame.format = AV_SAMPLE_FMT_S16;
  frame.nbSamples = samples.length;
  frame.sampleRate = SAMPLE_RATE;
  frame.channelLayout = MONO;
  check(frame.getBuffer());
  const plane = frame.data![0];
  toWords(samples, new Int16Array(plane.buffer, plane.byteOffset, samples.length));
  frame.pts = BigInt(position);
}

function toWords(samples: Float32Array, words: Int16Array): void {
  for (let i = 0; i < samples.length; i++)
    words[i] = Math.max(-32768, Math.min(32767, Math.round(samples[i] * 32767)));
}

function encode(output: FormatContext, encoder: CodecContext, frame: Frame | null, packet: Packet): void {
  check(encoder.sendFrameSync(frame));
  for (;;) {
    const received = encoder.receivePacketSync(packet);
    if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return;
    check(received);
    packet.streamIndex = 0;
    check(output.writeFrameSync(packet));
  }
}
