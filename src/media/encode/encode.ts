import {
  AV_PICTURE_TYPE_NONE,
  AV_PIX_FMT_YUV420P,
  AVCOL_PRI_BT709,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_TRC_BT709,
} from 'node-av/constants';
import { type CodecContext, Dictionary, FormatContext, type Frame, Rational } from 'node-av/lib';
import type { Compression } from '../../domain/compression.ts';
import type { HardwareEncoder } from '../../domain/encoder-choice.ts';
import type { FrameRate } from '../../domain/time.ts';
import { encoderPlan } from '../av/codec-memory.ts';
import { succeeded } from '../av/ffmpeg-result.ts';
import { AUDIO_LEAD_SECONDS, AudioCopy, AudioEncoder, openAudioEncoder } from './encode-audio.ts';
import { HardwareFeed, hardwareCodec } from './hardware-encoder.ts';
import { type Encoder, finishEncoder, makeCodec, type WrittenStream } from './stream-encoder.ts';

export interface VideoEncoding extends Compression {
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  /** In place of x264, at about its quality; left out: x264. */
  readonly encoder?: HardwareEncoder;
}

export interface WrittenFile {
  readonly video: WrittenStream;
  /** Null: no sound. */
  readonly audio: WrittenStream | null;
}

const KEYFRAME_INTERVAL_SECONDS = 2;
/**
 * `annexb`: packets as MP4 holds them, so that what was written can be told by its bytes. `cpu-independent`: one output for one
 * input. Else x264's AVX-512 code for macroblock trees reads memory that nobody wrote, unless a row has a multiple of 16
 * macroblocks: decision 0063.
 */
const X264_PARAMETERS = 'annexb=0:cpu-independent=1';

/**
 * Writes an MP4 that plays everywhere: H.264 High yuv420p BT.709, constant frame rate, AAC-LC stereo 48 kHz, index
 * in front. Frames come as yuv420p of the announced size, in order; sound as stereo planes at 48 kHz.
 * Throws `Failure` ENCODER_FAILED, INSUFFICIENT_STORAGE.
 */
export class Mp4Writer implements Disposable, AsyncDisposable {
  readonly #output: FormatContext;
  readonly #video: Encoder;
  #audio: AudioEncoder | AudioCopy | null;
  #frames = 0;
  #aside: Promise<void> = Promise.resolve();

  private constructor(output: FormatContext, video: Encoder, audio: AudioEncoder | AudioCopy | null) {
    this.#output = output;
    this.#video = video;
    this.#audio = audio;
  }

  /** `sound`: true for samples that will come; `later`: the packets of a file that is not there yet (`addSound`). */
  static async open(path: string, video: VideoEncoding, sound: boolean | 'later'): Promise<Mp4Writer> {
    const output = new FormatContext();
    succeeded(output.allocOutputContext2(null, 'mp4', path), 'Opening the output');
    const encoder = await openVideoEncoder(output, video);
    const writer = new Mp4Writer(output, encoder, sound === true ? await openAudioEncoder(output) : null);
    if (sound === 'later') encoder.hold();
    else await writer.#begin();
    return writer;
  }

  /**
   * Takes the sound from the packets of a file. What was encoded until now waited for it in memory (`heldBytes`), since the header must
   * describe the sound.
   */
  async addSound(path: string): Promise<void> {
    const sound = await AudioCopy.open(path, this.#output);
    this.#audio = sound;
    await this.#begin();
    this.#video.release((seconds) => sound.copyUpTo(seconds + AUDIO_LEAD_SECONDS));
  }

  async #begin(): Promise<void> {
    succeeded(await this.#output.openOutput(), 'Opening the output');
    const options = Dictionary.fromObject({ movflags: '+faststart' });
    succeeded(await this.#output.writeHeader(options), 'Writing the header');
    options.free();
  }

  /** What is encoded and waits for the sound. */
  get heldBytes(): number {
    return this.#video.heldBytes;
  }

  /** Takes a reference; the frame may be reused afterwards. Its time stamp is set to its place in the order. */
  writeFrame(frame: Frame): void {
    this.#video.send(this.#stamped(frame));
  }

  /**
   * As `writeFrame`, but the encoder works meanwhile: resolves when it has taken the frame before, so that the next can be drawn.
   * Takes the frame over, and frees it. Not to be mixed with `writeFrame`, and the writer to be disposed of with `await`.
   */
  async writeFrameAside(frame: Frame): Promise<void> {
    try {
      await this.#aside;
    } catch (error) {
      frame.free();
      throw error;
    }
    this.#aside = this.#video.sendAside(this.#stamped(frame)).finally(() => frame.free());
    // Whoever waits for it next is told.
    this.#aside.catch(() => {});
  }

  #stamped(frame: Frame): Frame {
    frame.pts = BigInt(this.#frames++);
    frame.pictType = AV_PICTURE_TYPE_NONE;
    return frame;
  }

  /** Two planes of one length, at 48 kHz. */
  writeSamples(left: Float32Array, right: Float32Array): void {
    if (this.#audio instanceof AudioEncoder) this.#audio.write(left, right);
  }

  /** Of the sound file what lies before this time; infinity: all that is left. */
  copyAudioUpTo(seconds: number): void {
    if (this.#audio instanceof AudioCopy) this.#audio.copyUpTo(seconds);
  }

  get frameCount(): number {
    return this.#frames;
  }

  get audioSeconds(): number {
    return this.#audio?.seconds ?? Number.POSITIVE_INFINITY;
  }

  /** Resolves with what the file must hold. */
  async finish(): Promise<WrittenFile> {
    await this.#aside;
    this.#video.send(null);
    if (this.#audio instanceof AudioEncoder) this.#audio.finish();
    succeeded(await this.#output.writeTrailer(), 'Writing the index');
    await this.#output.closeOutput();
    return { video: this.#video.written, audio: this.#audio?.written ?? null };
  }

  [Symbol.dispose](): void {
    this.#video[Symbol.dispose]();
    this.#audio?.[Symbol.dispose]();
    this.#output.freeContext();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#aside.catch(() => {});
    this[Symbol.dispose]();
  }
}

async function openVideoEncoder(output: FormatContext, encoding: VideoEncoding): Promise<Encoder> {
  const { numerator, denominator } = encoding.frameRate;
  const { encoder, crf } = encoding;
  const hardware = encoder === undefined ? null : hardwareCodec(encoder, crf);
  const codec = makeCodec(hardware?.name ?? 'libx264');
  const context = codec.context;
  context.width = encoding.width;
  context.height = encoding.height;
  context.pixelFormat = AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(denominator, numerator);
  context.framerate = new Rational(numerator, denominator);
  context.sampleAspectRatio = new Rational(1, 1);
  context.colorRange = AVCOL_RANGE_MPEG;
  context.colorSpace = AVCOL_SPC_BT709;
  context.colorPrimaries = AVCOL_PRI_BT709;
  context.colorTrc = AVCOL_TRC_BT709;
  context.gopSize = Math.max(1, Math.round((KEYFRAME_INTERVAL_SECONDS * numerator) / denominator));
  const feed = encoder === undefined ? null : new HardwareFeed(encoder, context);
  const options = hardware?.options ?? softwareOptions(encoding, context);
  return finishEncoder(output, codec, options, context.timeBase, feed);
}

function softwareOptions(encoding: VideoEncoding, context: CodecContext): Readonly<Record<string, string>> {
  const { preset, crf, partitions } = encoding;
  const { threads, lookahead } = encoderPlan(encoding, preset);
  context.threadCount = threads;
  return {
    preset,
    crf: String(crf),
    profile: 'high',
    ...(lookahead === null ? {} : { 'rc-lookahead': String(lookahead) }),
    'x264-params': X264_PARAMETERS,
    ...(partitions === undefined ? {} : { partitions }),
  };
}
