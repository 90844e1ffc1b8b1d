import {
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_FLAG_DISCARD,
  AVDISCARD_ALL,
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
  type FormatContext,
  Frame,
  Packet,
  type Stream,
} from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { type ChosenStreams, chooseStreams } from './choose-streams.ts';
import { decoderThreads, TEN_BIT_BYTES_PER_PIXEL } from './codec-memory.ts';
import { codecNameOf } from './codec-name.ts';
import type { DecodeLosses } from './decode-losses.ts';
import { type FileClock, PRIMING_SECONDS } from './file-clock.ts';
import { containerName, isBroadcast, surveyClock } from './file-survey.ts';
import { firstPackets } from './first-packets.ts';
import { imageDemuxerOf } from './image-demuxer.ts';
import { openContext, openHeader } from './open-context.ts';
import { dropWrongStamp, soundSecondsOf } from './sound-stamps.ts';
import { decodesToSound } from './sound-trial.ts';
import { NO_TIME, StampShift, stampSeconds, type TimeBase } from './stamps.ts';
import './quiet.ts';

/** Accepted containers. Playlists are excluded, because they can name other files or hosts. */
export const VIDEO_DEMUXERS = 'mov,matroska,avi,mpegts,mpeg,mpegvideo,flv,ogg,asf';
/** Templates can also be still pictures: see `imageDemuxerOf`. */
export const VIDEO_AND_IMAGE_DEMUXERS = `${VIDEO_DEMUXERS},jpeg_pipe,png_pipe,webp_pipe`;
/** For `analyze` on sound-only files. */
const AUDIO_DEMUXERS = 'mp3,wav,flac,aac,w64,aiff';

const MICROSECOND_BASE = { num: 1, den: 1_000_000 };
/** Decoders reject larger pictures. */
export const MAX_PIXELS = 36_000_000;

/** An open file. Disposal closes it. */
export interface Input extends Disposable {
  readonly context: FormatContext;
  /** Chosen by `chooseStreams`. */
  readonly video: Stream | null;
  readonly audio: Stream | null;
  /** Sound tracks without a decoder, or whose decoder returns no samples. */
  readonly undecodableAudio: readonly Stream[];
  /** From the start of the presentation; null: unknown. */
  readonly durationSeconds: number | null;
  /** Start of the presentation in the container's time. Needed for seeking only. */
  readonly startSeconds: number;
  /** Null: the container guarantees continuous time stamps. */
  readonly clock: FileClock | null;
  readonly formatName: string;
  readonly streamCount: number;
  /** Whether the file is a picture, which has no duration. */
  readonly isStill: boolean;
  /**
   * Reads the next packet; false at the end. Its time stamps count from the start of the presentation, jumps closed. Packets read from
   * `context` have the container's time stamps.
   */
  read(packet: Packet): boolean;
}

/**
 * Opens a local file for demuxing: file protocol only, allow-listed containers only.
 * Throws `Failure` INPUT_UNSUPPORTED (not an accepted container) or INPUT_CORRUPT.
 */
export async function openInput(
  path: string,
  demuxers = `${VIDEO_AND_IMAGE_DEMUXERS},${AUDIO_DEMUXERS}`,
): Promise<Input> {
  const image = demuxers.includes(VIDEO_AND_IMAGE_DEMUXERS) ? await imageDemuxerOf(path) : null;
  if (image === null) return openDemuxer(path, demuxers);
  const matrix = await imageMatrix(path, image);
  const input = { ...(await openDemuxer(path, image, image)), isStill: true };
  if (matrix !== null) input.video?.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix);
  return input;
}

/** Display matrix of a photograph, which is stored in the picture (Exif) and not in a header. */
async function imageMatrix(path: string, demuxer: string): Promise<Buffer | null> {
  using input = await openDemuxer(path, demuxer, demuxer);
  if (input.video === null) return null;
  using decoder = await StreamDecoder.open(input, input.video, { threads: 1 });
  const matrix = decoder.next()?.getSideData(AV_FRAME_DATA_DISPLAYMATRIX) ?? null;
  return matrix === null ? null : Buffer.from(matrix);
}

/** `demuxer`: left out: detected by the file's content. */
async function openDemuxer(path: string, demuxers: string, demuxer?: string): Promise<Input> {
  const open = () => openContext(path, demuxers, demuxer);
  const context = await open();
  try {
    const clock = await surveyClock(path, context, open);
    const { video, audio, undecodable } = await chooseDecodableStreams(context, clock, open);
    const { startSeconds, durationSeconds } = presentationOf(context, [video, audio], clock);
    const delays = new Map<number, number>();
    if (video !== null) {
      const header = () => openHeader(path, demuxers, demuxer);
      const first = await firstPackets(video, containerName(context) === 'avi', header);
      if (first.displayMatrix !== null)
        video.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, first.displayMatrix);
      if (first.delaySeconds > 0) delays.set(video.index, first.delaySeconds);
    }
    const shift = new StampShift(context, clock, startSeconds, delays);
    return {
      ...{ context, clock, video, audio, undecodableAudio: undecodable, startSeconds, durationSeconds },
      formatName: context.iformat?.name ?? 'unknown',
      streamCount: context.streams?.length ?? 0,
      isStill: false,
      read(packet) {
        if (context.readFrameSync(packet) < 0) return false;
        shift.apply(packet);
        return true;
      },
      [Symbol.dispose]: () => context.closeInputSync(),
    };
  } catch (error) {
    context.closeInputSync();
    throw error;
  }
}

/** Chooses streams. Of several sound tracks, each is tried before it is chosen; a single one is not. */
async function chooseDecodableStreams(
  context: FormatContext,
  clock: FileClock | null,
  reopen: () => Promise<FormatContext>,
): Promise<ChosenStreams> {
  const silent = new Set<number>();
  for (;;) {
    const chosen = chooseStreams(context, clock, silent);
    if (chosen.audio === null || chosen.soundTracks - silent.size < 2) return chosen;
    const trial = await reopen();
    try {
      const stream = trial.streams?.[chosen.audio.index];
      if (stream === undefined || (await decodesToSound(trial, stream))) return chosen;
    } finally {
      trial.closeInputSync();
    }
    silent.add(chosen.audio.index);
  }
}

/**
 * The presentation begins with the first picture or sound of the chosen streams. Broadcast containers cannot mark priming samples, so
 * sound that begins less than `PRIMING_SECONDS` before the picture does not count.
 */
function presentationOf(
  context: FormatContext,
  [video, audio]: readonly [Stream | null, Stream | null],
  clock: FileClock | null,
): Pick<Input, 'startSeconds' | 'durationSeconds'> {
  const containerStart = stampSeconds(context.startTime, MICROSECOND_BASE) ?? 0;
  const startOf = (stream: Stream | null) =>
    stream === null ? null : stampSeconds(stream.startTime, stream.timeBase);
  const [picture, sound] = [startOf(video), startOf(audio)];
  const isPriming = (sound ?? 0) < (picture ?? 0) && (picture ?? 0) - (sound ?? 0) < PRIMING_SECONDS;
  const first = Math.min(picture ?? Number.POSITIVE_INFINITY, sound ?? Number.POSITIVE_INFINITY);
  const begins = isPriming && isBroadcast(containerName(context)) ? picture! : first;
  const startSeconds = Number.isFinite(begins) ? begins : containerStart;
  const claimed = stampSeconds(context.duration, MICROSECOND_BASE);
  if (clock !== null && !clock.isContinuous) {
    const ends = [video, audio].map((stream) => (stream === null ? null : clock.spanOf(stream.index)));
    const end = Math.max(...ends.map((span) => span?.endSeconds ?? Number.NEGATIVE_INFINITY));
    if (Number.isFinite(end)) return { startSeconds, durationSeconds: end - startSeconds };
  }
  const durationSeconds = claimed === null || claimed <= 0 ? null : claimed - (startSeconds - containerStart);
  return { startSeconds, durationSeconds };
}

/** Makes the demuxer skip the packets of all other streams. */
export function discardOtherStreams({ context }: Input, kept: Stream | null): void {
  for (const stream of context.streams ?? [])
    if (stream.index !== kept?.index) stream.discard = AVDISCARD_ALL;
}

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
 * frames after damage. Returns the same `Frame` object each time; its data are valid until the next call.
 */
export class StreamDecoder implements Disposable {
  /** Packets and frames with a decoding error. */
  errorCount = 0;
  frameCount = 0;
  readonly #timeBase: TimeBase;
  readonly #codec: CodecContext;
  readonly #packets: PacketSource;
  readonly #losses: DecodeLosses | null;
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
    });
    const opened = await codec.open2(decoder, options);
    options.free();
    if (opened < 0) {
      codec.freeContext();
      throw new Failure('INPUT_UNSUPPORTED', `The ${decoder.name ?? 'unknown'} stream cannot be decoded`);
    }
    return new StreamDecoder(input, stream, codec, decoding);
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
    this.#frame.free();
    this.#spare.free();
  }
}
