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
import { checkResult } from '../av/ffmpeg-result.ts';
import { AUDIO_LEAD_SECONDS, AudioCopy, AudioEncoder, openAudioEncoder } from './encode-audio.ts';
import { HardwareFrameConverter, hardwareCodec } from './hardware-encoder.ts';
import { allocateEncoder, type Encoder, openEncoder, type WrittenStream } from './stream-encoder.ts';

export interface VideoEncoding extends Compression {
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  /** Replaces x264 at about its quality; left out: x264. */
  readonly encoder?: HardwareEncoder;
  /** Largest distance of key frames, in frames; left out: two seconds. */
  readonly keyframeInterval?: number | undefined;
  /** Left out: the rate of an output. */
  readonly soundBitsPerSecond?: number | undefined;
}

export interface WrittenFile {
  readonly video: WrittenStream;
  /** Null: no sound. */
  readonly audio: WrittenStream | null;
}

const KEYFRAME_INTERVAL_SECONDS = 2;
/**
 * `annexb`: packets in MP4's format, so that they can be compared with the file's bytes. `cpu-independent`: the same input gives the
 * same output. Without it, x264's AVX-512 code for macroblock trees reads uninitialized memory unless a row has a multiple of 16
 * macroblocks (decision 0021).
 */
const X264_PARAMETERS = 'annexb=0:cpu-independent=1';

/**
 * Writes an MP4 that plays everywhere: H.264 High yuv420p BT.709, constant frame rate, AAC-LC stereo 48 kHz, index in front. Expects
 * yuv420p frames of the configured size, in order, and sound as stereo planes at 48 kHz. Throws `Failure` ENCODER_FAILED,
 * INSUFFICIENT_STORAGE.
 */
export class Mp4Writer implements Disposable, AsyncDisposable {
  readonly #output: FormatContext;
  readonly #video: Encoder;
  #audio: AudioEncoder | AudioCopy | null;
  #frames = 0;
  #pendingFrame: Promise<void> = Promise.resolve();

  private constructor(output: FormatContext, video: Encoder, audio: AudioEncoder | AudioCopy | null) {
    this.#output = output;
    this.#video = video;
    this.#audio = audio;
  }

  /** `sound`: true: samples will be written; `later`: packets of a file will be added by `addSound`. */
  static async open(path: string, video: VideoEncoding, sound: boolean | 'later'): Promise<Mp4Writer> {
    const output = new FormatContext();
    checkResult(output.allocOutputContext2(null, 'mp4', path), 'Opening the output');
    const encoder = await openVideoEncoder(output, video);
    const writer = new Mp4Writer(
      output,
      encoder,
      sound === true ? await openAudioEncoder(output, video.soundBitsPerSecond) : null,
    );
    if (sound === 'later') encoder.hold();
    else await writer.#begin();
    return writer;
  }

  /**
   * Copies the sound from a file. Video encoded before is buffered in memory (`heldBytes`), because the header must describe the sound.
   */
  async addSound(path: string): Promise<void> {
    const sound = await AudioCopy.open(path, this.#output);
    this.#audio = sound;
    await this.#begin();
    this.#video.release((seconds) => sound.copyUpTo(seconds + AUDIO_LEAD_SECONDS));
  }

  async #begin(): Promise<void> {
    checkResult(await this.#output.openOutput(), 'Opening the output');
    const options = Dictionary.fromObject({ movflags: '+faststart' });
    checkResult(await this.#output.writeHeader(options), 'Writing the header');
    options.free();
  }

  /** Bytes of encoded video that wait for the sound. */
  get heldBytes(): number {
    return this.#video.heldBytes;
  }

  /** Encodes a frame, which may be reused afterwards. Sets its time stamp to its number. */
  writeFrame(frame: Frame): void {
    this.#video.send(this.#stamped(frame));
  }

  /**
   * Like `writeFrame`, but encodes on another thread: resolves when the previous frame is encoded, so that the next one can be drawn.
   * Frees the frame. Do not mix with `writeFrame`, and dispose the writer with `await using`.
   */
  async writeFrameAsync(frame: Frame): Promise<void> {
    try {
      await this.#pendingFrame;
    } catch (error) {
      frame.free();
      throw error;
    }
    this.#pendingFrame = this.#video.sendAsync(this.#stamped(frame)).finally(() => frame.free());
    // The error is thrown by the next call that awaits it.
    this.#pendingFrame.catch(() => {});
  }

  #stamped(frame: Frame): Frame {
    frame.pts = BigInt(this.#frames++);
    frame.pictType = AV_PICTURE_TYPE_NONE;
    return frame;
  }

  /** Two planes of equal length, at 48 kHz. */
  writeSamples(left: Float32Array, right: Float32Array): void {
    if (this.#audio instanceof AudioEncoder) this.#audio.write(left, right);
  }

  /** Copies the sound file up to a time; infinity: the rest. */
  copyAudioUpTo(seconds: number): void {
    if (this.#audio instanceof AudioCopy) this.#audio.copyUpTo(seconds);
  }

  get frameCount(): number {
    return this.#frames;
  }

  get audioSeconds(): number {
    return this.#audio?.seconds ?? Number.POSITIVE_INFINITY;
  }

  /** Resolves with the packets that the file must contain. */
  async finish(): Promise<WrittenFile> {
    await this.#pendingFrame;
    this.#video.send(null);
    if (this.#audio instanceof AudioEncoder) this.#audio.finish();
    checkResult(await this.#output.writeTrailer(), 'Writing the index');
    await this.#output.closeOutput();
    return { video: this.#video.written, audio: this.#audio?.written ?? null };
  }

  [Symbol.dispose](): void {
    this.#video[Symbol.dispose]();
    this.#audio?.[Symbol.dispose]();
    this.#output.freeContext();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pendingFrame.catch(() => {});
    this[Symbol.dispose]();
  }
}

async function openVideoEncoder(output: FormatContext, encoding: VideoEncoding): Promise<Encoder> {
  const { numerator, denominator } = encoding.frameRate;
  const { encoder, crf } = encoding;
  const hardware = encoder === undefined ? null : hardwareCodec(encoder, crf);
  const codec = allocateEncoder(hardware?.name ?? 'libx264');
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
  context.gopSize =
    encoding.keyframeInterval ??
    Math.max(1, Math.round((KEYFRAME_INTERVAL_SECONDS * numerator) / denominator));
  const converter = encoder === undefined ? null : new HardwareFrameConverter(encoder, context);
  const options = hardware?.options ?? softwareOptions(encoding, context);
  return openEncoder(output, codec, options, context.timeBase, converter);
}

function softwareOptions(encoding: VideoEncoding, context: CodecContext): Readonly<Record<string, string>> {
  const { preset, crf, partitions, chromaOffset = 0 } = encoding;
  const { threads, lookahead } = encoderPlan(encoding, preset);
  context.threadCount = threads;
  return {
    preset,
    crf: String(crf),
    profile: 'high',
    ...(lookahead === null ? {} : { 'rc-lookahead': String(lookahead) }),
    'x264-params': `${X264_PARAMETERS}${chromaOffset === 0 ? '' : `:chroma-qp-offset=${chromaOffset}`}`,
    ...(partitions === undefined ? {} : { partitions }),
  };
}
