import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AV_SAMPLE_FMT_S16, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, Packet, Rational } from 'node-av/lib';
import type { SampleBlock } from '../../domain/footage.ts';
import { STEREO } from '../av/audio-frame.ts';
import { succeeded } from '../av/ffmpeg-result.ts';

/** Chromaprint resamples to 11,025 Hz mono itself; AcoustID compares the first two minutes. */
const SAMPLE_RATE = 11_025;
const LENGTH_SECONDS = 120;
const MONO = { ...STEREO, nbChannels: 1, mask: 4n };

/** What `Fingerprint` is to be given. */
export const FINGERPRINT_SAMPLES = {
  sampleRate: SAMPLE_RATE,
  channels: 'mono',
  seconds: LENGTH_SECONDS,
} as const;

/** Makes the Chromaprint fingerprint of a file's first two minutes of sound, whose samples are pushed in order. */
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

  /** `folder` is where a temporary file may be written. */
  static async open(folder: string): Promise<Fingerprint> {
    await using opened = new AsyncDisposableStack();
    const print = opened.use(new Fingerprint(join(folder, 'fingerprint.txt')));
    await openPrinter(print.#output, print.#encoder, print.#file);
    opened.move();
    return print;
  }

  /** Whether it has all of the sound that it is made of. */
  get isFull(): boolean {
    return this.#position >= LENGTH_SECONDS * SAMPLE_RATE;
  }

  /** What comes when it is full is left out. */
  push({ channels }: SampleBlock): void {
    if (this.isFull) return;
    fill(this.#frame, channels[0], this.#position);
    this.#position += channels[0].length;
    encode(this.#output, this.#encoder, this.#frame, this.#packet);
  }

  /**
   * In its base64 form, as `fpcalc` prints it (algorithm 1, Lukáš Lalinský 2010); null when there is less than about three
   * seconds of sound.
   */
  async finish(): Promise<string | null> {
    encode(this.#output, this.#encoder, null, this.#packet);
    if (this.#position < 3 * SAMPLE_RATE) return null;
    must(await this.#output.writeTrailer());
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

function must(result: number): void {
  succeeded(result, 'Fingerprinting', 'INTERNAL_ERROR');
}

async function openPrinter(output: FormatContext, encoder: CodecContext, file: string): Promise<void> {
  must(output.allocOutputContext2(null, 'chromaprint', file));
  const codec = Codec.findEncoderByName('pcm_s16le' as Parameters<typeof Codec.findEncoderByName>[0]);
  encoder.allocContext3(codec);
  encoder.sampleRate = SAMPLE_RATE;
  encoder.sampleFormat = AV_SAMPLE_FMT_S16;
  encoder.channelLayout = MONO;
  encoder.timeBase = new Rational(1, SAMPLE_RATE);
  must(await encoder.open2(codec, null));
  const stream = output.newStream(null);
  must(stream.codecpar.fromContext(encoder));
  stream.timeBase = encoder.timeBase;
  must(await output.openOutput());
  const options = Dictionary.fromObject({ fp_format: 'base64' });
  must(await output.writeHeader(options));
  options.free();
}

function fill(frame: Frame, samples: Float32Array, position: number): void {
  frame.unref();
  frame.format = AV_SAMPLE_FMT_S16;
  frame.nbSamples = samples.length;
  frame.sampleRate = SAMPLE_RATE;
  frame.channelLayout = MONO;
  must(frame.getBuffer());
  const plane = frame.data![0];
  toWords(samples, new Int16Array(plane.buffer, plane.byteOffset, samples.length));
  frame.pts = BigInt(position);
}

function toWords(samples: Float32Array, words: Int16Array): void {
  for (let i = 0; i < samples.length; i++)
    words[i] = Math.max(-32768, Math.min(32767, Math.round(samples[i] * 32767)));
}

function encode(output: FormatContext, encoder: CodecContext, frame: Frame | null, packet: Packet): void {
  must(encoder.sendFrameSync(frame));
  for (;;) {
    const received = encoder.receivePacketSync(packet);
    if (received === AVERROR_EAGAIN || received === AVERROR_EOF) return;
    must(received);
    packet.streamIndex = 0;
    must(output.writeFrameSync(packet));
  }
}
