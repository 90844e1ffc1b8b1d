import {
  AV_PKT_FLAG_DISCARD,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVMEDIA_TYPE_VIDEO,
  type AVPixelFormat,
} from 'node-av/constants';
import {
  avImageGetBufferSize,
  Codec,
  CodecContext,
  Dictionary,
  Frame,
  Packet,
  type Stream,
} from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { decoderThreads, TEN_BIT_BYTES_PER_PIXEL } from './codec-memory.ts';
import { codecNameOf } from './codec-name.ts';
import type { DecodeLosses } from './decode-losses.ts';
import type { IccProfile } from './icc-profile.ts';
import { type Input, MAX_PIXELS } from './input.ts';
import { dropWrongStamp, soundSecondsOf } from './sound-stamps.ts';
import { NO_TIME, stampSeconds, type TimeBase } from './stamps.ts';
import { WorkingColors } from './working-colors.ts';

/** Packets of one stream, in order. Disposed by its decoder. */
export interface PacketSource extends Disposable {
  /** The next packet, valid until the next call; null at the end and after it. */
  next(): Packet | null;
}

export interface Decoding {
  /** Left out: limited by cores and by memory for such pictures. */
  readonly threads?: number;
  /**
   * Skips deblocking of frames that no other frame refers to. Errors cannot accumulate and are invisible in pictures scaled down
   * several times. Saves a tenth of the cost of H.264.
   */
  readonly forThumbnails?: boolean;
  /** Whether to decode a packet of the stream; called once for each, in order. Left out: all are decoded. */
  readonly choose?: (packet: Packet) => boolean;
  /** Source of the packets; replaces `choose`. */
  readonly packets?: PacketSource;
  /** Receives all packets and frames, to find packets without a frame. */
  readonly losses?: DecodeLosses;
  /** Whether a picture with a decoding error is an error, and not a damaged frame. */
  readonly isStrict?: boolean;
}

/** The packets of a stream that `choose` accepts. */
class ChosenPackets implements PacketSource {
  readonly #input: Input;
  readonly #streamIndex: number;
  readonly #choose: (packet: Packet) => boolean;
  readonly #packet = new Packet();

  constructor(input: Input, { index }: Stream, choose: (packet: Packet) => boolean) {
    this.#input = input;
    this.#streamIndex = index;
    this.#choose = choose;
    this.#packet.alloc();
  }

  next(): Packet | null {
    const packet = this.#packet;
    for (;;) {
      packet.unref();
      if (!this.#input.read(packet)) return null;
      if (packet.streamIndex === this.#streamIndex && this.#choose(packet)) return packet;
    }
  }

  [Symbol.dispose](): void {
    this.#packet.free();
  }
}

/** Bytes of a decoded picture of the stream. */
export function pictureBytes({ codecpar: { format, width, height } }: Stream): number {
  const bytes = avImageGetBufferSize(format as AVPixelFormat, width, height, 1);
  return bytes > 0 ? bytes : TEN_BIT_BYTES_PER_PIXEL * width * height;
}

/**
 * Decodes one stream frame by frame, also in damaged files. Uses the low-level loop, because the library's high-level decoder loses
 * frames after damage. Returns the same `Frame` object each time; its data are valid until the next call. Pictures have the primaries
 * of BT.709, or are HDR (`WorkingColors`).
 */
export class StreamDecoder implements Disposable {
  /** Packets and frames with a decoding error. */
  errorCount = 0;
  frameCount = 0;
  readonly #timeBase: TimeBase;
  readonly #codec: CodecContext;
  readonly #packets: PacketSource;
  readonly #losses: DecodeLosses | null;
  /** Null: the stream is sound. */
  readonly #colors: WorkingColors | null;
  #frame = new Frame();
  #spare = new Frame();
  #ended = false;
  #flushing = false;
  #lastSeconds = Number.NEGATIVE_INFINITY;
  /** Between the last two frames. */
  #stepSeconds = 0;
  #soundSeconds = 0;

  private constructor(input: Input, stream: Stream, codec: CodecContext, decoding: Decoding) {
    this.#timeBase = stream.timeBase;
    this.#codec = codec;
    this.#packets = decoding.packets ?? new ChosenPackets(input, stream, decoding.choose ?? (() => true));
    this.#losses = decoding.losses ?? null;
    const isVideo = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
    this.#colors = isVideo ? new WorkingColors(stream, input.isStill) : null;
    this.#frame.alloc();
    this.#spare.alloc();
  }

  /** Throws `Failure` INPUT_UNSUPPORTED when there is no decoder. */
  static async open(input: Input, stream: Stream, decoding: Decoding = {}): Promise<StreamDecoder> {
    const decoder = Codec.findDecoder(stream.codecpar.codecId);
    if (decoder === null) {
      const codec = codecNameOf(stream.codecpar);
      throw new Failure('INPUT_UNSUPPORTED', `Stream ${stream.index} has no decoder (codec: ${codec})`);
    }
    const codec = new CodecContext();
    codec.allocContext3(decoder);
    codec.parametersToContext(stream.codecpar);
    codec.pktTimebase = stream.timeBase;
    const isVideo = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO;
    codec.threadCount = decoding.threads ?? (isVideo ? decoderThreads(pictureBytes(stream)) : 0);
    const options = Dictionary.fromObject({
      max_pixels: String(MAX_PIXELS),
      ...(decoding.forThumbnails === true ? { skip_loop_filter: 'noref' } : {}),
      ...(decoding.isStrict === true ? { err_detect: 'explode' } : {}),
    });
    const opened = await codec.open2(decoder, options);
    options.free();
    if (opened < 0) {
      codec.freeContext();
      throw new Failure('INPUT_UNSUPPORTED', `The ${decoder.name ?? 'unknown'} stream cannot be decoded`);
    }
    return new StreamDecoder(input, stream, codec, decoding);
  }

  /** A color profile of the pictures decoded so far that is not applied; null: none. */
  get unusedProfile(): IccProfile | null {
    return this.#colors?.unusedProfile ?? null;
  }

  /** The next frame in presentation order, or null at the end. */
  next(): Frame | null {
    while (!this.#ended) {
      this.#frame.unref();
      const received = this.#codec.receiveFrameSync(this.#frame);
      if (this.#isFrame(received)) return this.#frame;
      if (received === AVERROR_EAGAIN) this.#feed();
    }
    return null;
  }

  /** Whether a frame was received; also counts frames and errors. */
  #isFrame(received: number): boolean {
    if (received >= 0) {
      this.frameCount++;
      this.#soundSeconds = soundSecondsOf(this.#frame);
      if (this.#losses !== null) this.#noteFrame(this.#frame, this.#losses);
      this.#colors?.convert(this.#frame);
    } else if (received === AVERROR_EOF) this.#ended = true;
    else if (received !== AVERROR_EAGAIN) {
      this.errorCount++;
      if (this.#flushing && this.errorCount > 64) this.#ended = true;
    }
    return received >= 0;
  }

  /**
   * Like `next`, but decodes on a thread of the pool while the caller uses the previous frame. A frame is valid until the second call
   * after it. Do not mix with `next`.
   */
  async nextAsync(): Promise<Frame | null> {
    [this.#frame, this.#spare] = [this.#spare, this.#frame];
    while (!this.#ended) {
      this.#frame.unref();
      const received = this.#codec.receiveFrameSync(this.#frame);
      if (this.#isFrame(received)) return this.#frame;
      if (received === AVERROR_EAGAIN) await this.#feedAsync();
    }
    return null;
  }

  /**
   * Presentation time of the current frame in seconds from the start of the presentation; never decreases. A
   * frame without a stamp, such as the last ones of an AVI with reordered pictures, is as long after the
   * frame before as that one was.
   */
  frameSeconds(frame: Frame): number {
    const seconds = this.#stampOf(frame) ?? Math.max(0, this.#lastSeconds + this.#stepSeconds);
    const step = seconds - this.#lastSeconds;
    if (step > 0 && step < Number.POSITIVE_INFINITY) this.#stepSeconds = step;
    this.#lastSeconds = Math.max(this.#lastSeconds, seconds);
    return this.#lastSeconds;
  }

  #stampOf({ bestEffortTimestamp, pts }: Frame): number | null {
    return stampSeconds(bestEffortTimestamp !== NO_TIME ? bestEffortTimestamp : pts, this.#timeBase);
  }

  #feed(): void {
    const packet = this.#nextPacket();
    if (this.#ended) return;
    if (this.#codec.sendPacketSync(packet) < 0 && packet !== null) this.errorCount++;
  }

  async #feedAsync(): Promise<void> {
    const packet = this.#nextPacket();
    if (this.#ended) return;
    if ((await this.#codec.sendPacket(packet)) < 0 && packet !== null) this.errorCount++;
  }

  /** The next packet, or null once at the end, which flushes the decoder. */
  #nextPacket(): Packet | null {
    if (this.#flushing) {
      this.#ended = true;
      return null;
    }
    let packet = this.#packets.next();
    // Theora repeats a picture by an empty packet, which a decoder takes for the end.
    for (; packet?.size === 0; packet = this.#packets.next())
      this.#losses?.pushRepeat(stampSeconds(packet.pts, this.#timeBase) ?? Number.NEGATIVE_INFINITY);
    this.#flushing = packet === null;
    if (packet !== null) dropWrongStamp(packet, this.#timeBase, this.#soundSeconds);
    if (packet !== null && this.#losses !== null) this.#notePacket(packet, this.#losses);
    return packet;
  }

  /** Packets that an edit list removes do not count as lost. */
  #notePacket({ pts, dts, duration, flags }: Packet, losses: DecodeLosses): void {
    const seconds = stampSeconds(pts !== NO_TIME ? pts : dts, this.#timeBase);
    if (seconds === null || (flags & AV_PKT_FLAG_DISCARD) !== 0) return;
    losses.pushPacket(seconds, stampSeconds(duration, this.#timeBase) ?? 0);
  }

  #noteFrame(frame: Frame, losses: DecodeLosses): void {
    losses.pushFrame(this.#stampOf(frame) ?? Number.NEGATIVE_INFINITY, this.#soundSeconds);
  }

  [Symbol.dispose](): void {
    this.#codec.freeContext();
    this.#packets[Symbol.dispose]();
    this.#colors?.[Symbol.dispose]();
    this.#frame.free();
    this.#spare.free();
  }
}
