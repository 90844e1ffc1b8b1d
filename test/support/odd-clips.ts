/** Clips as cameras and converters write them, and as `drawn-clip.ts` does not: ten bits, fields, uneven times, any sound. */
import {
  AV_CHANNEL_LAYOUT_5POINT1,
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_INTERLACED_DCT,
  AV_DISPOSITION_DEFAULT,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AV_PIX_FMT_YUV444P,
  AV_SAMPLE_FMT_FLTP,
  type AVPixelFormat,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FormatContext,
  Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { check, finish } from './remux.ts';

export interface OddClip {
  readonly width: number;
  readonly height: number;
  /** Default 4:2:0 of 8 bits. Odd sizes need 4:4:4. */
  readonly format?: AVPixelFormat;
  /** Top field first. */
  readonly interlaced?: boolean;
  /** When each frame is shown. */
  readonly timesSeconds: readonly number[];
  /** Luma 0..1; without colour. */
  readonly luma: (x: number, y: number, frame: number) => number;
  /** The first is marked as default. */
  readonly sounds: readonly OddSound[];
}

export interface OddSound {
  readonly channels: 1 | 2 | 6;
  readonly durationSeconds: number;
  readonly sample: (seconds: number) => number;
}

const LAYOUTS = { 1: AV_CHANNEL_LAYOUT_MONO, 2: AV_CHANNEL_LAYOUT_STEREO, 6: AV_CHANNEL_LAYOUT_5POINT1 };
const SAMPLE_RATE = 48_000;
const AAC_FRAME = 1024;
const MILLISECONDS = 1000;

/** Writes a Matroska file: H.264, AAC. */
export async function writeOddClip(path: string, clip: OddClip): Promise<string> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'matroska', path));
  const picture = await addStream(output, 'libx264', MILLISECONDS, (context) => {
    context.width = clip.width;
    context.height = clip.height;
    context.pixelFormat = clip.format ?? AV_PIX_FMT_YUV420P;
    if (clip.interlaced === true) context.setFlags(AV_CODEC_FLAG_INTERLACED_DCT);
  });
  const voices: Coder[] = [];
  for (const { channels } of clip.sounds) {
    const voice = await addStream(output, 'aac', SAMPLE_RATE, (context) => {
      context.sampleFormat = AV_SAMPLE_FMT_FLTP;
      context.sampleRate = SAMPLE_RATE;
      context.channelLayout = LAYOUTS[channels];
    });
    if (voices.length === 0) voice.stream.disposition = AV_DISPOSITION_DEFAULT;
    voices.push(voice);
  }
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  for (const frame of pictures(clip)) encode(output, picture, frame, packet);
  encode(output, picture, null, packet);
  for (const [at, sound] of clip.sounds.entries()) {
    for (const frame of soundFrames(sound)) encode(output, voices[at]!, frame, packet);
    encode(output, voices[at]!, null, packet);
  }
  for (const { context } of [picture, ...voices]) context.freeContext();
  await finish(output, packet);
  return path;
}

interface Coder {
  readonly context: CodecContext;
  readonly stream: Stream;
}

async function addStream(
  output: FormatContext,
  name: 'libx264' | 'aac',
  unitsPerSecond: number,
  describe: (context: CodecContext) => void,
): Promise<Coder> {
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0])!;
  const context = new CodecContext();
  context.allocContext3(codec);
  context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
  context.timeBase = new Rational(1, unitsPerSecond);
  describe(context);
  const options = Dictionary.fromObject(name === 'aac' ? {} : { preset: 'veryfast', crf: '16' });
  check(await context.open2(codec, options));
  options.free();
  const stream = output.newStream(null);
  check(stream.codecpar.fromContext(context));
  stream.timeBase = context.timeBase;
  return { context, stream };
}

function encode(
  output: FormatContext,
  { context, stream }: Coder,
  frame: Frame | null,
  packet: Packet,
): void {
  check(context.sendFrameSync(frame));
  frame?.free();
  while (context.receivePacketSync(packet) >= 0) {
    packet.streamIndex = stream.index;
    packet.rescaleTs(context.timeBase, stream.timeBase);
    check(output.interleavedWriteFrameSync(packet));
  }
}

function* pictures(clip: OddClip): Generator<Frame> {
  const { width, height, format = AV_PIX_FMT_YUV420P, luma, timesSeconds } = clip;
  const [bytes, unit] = format === AV_PIX_FMT_YUV420P10LE ? [2, 4] : [1, 1];
  const chroma = format === AV_PIX_FMT_YUV444P ? 1 : 2;
  for (const [index, seconds] of timesSeconds.entries()) {
    const frame = new Frame();
    frame.alloc();
    Object.assign(frame, { format, width, height });
    if (clip.interlaced === true) frame.flags = AV_FRAME_FLAG_INTERLACED | AV_FRAME_FLAG_TOP_FIELD_FIRST;
    check(frame.getBuffer());
    for (const [plane, data] of frame.data!.entries()) {
      const stride = frame.linesize[plane]!;
      const part = plane === 0 ? 1 : chroma;
      for (let y = 0; y < height / part; y++) {
        for (let x = 0; x < width / part; x++) {
          const code = unit * (plane === 0 ? 16 + 219 * luma(x, y, index) : 128);
          const at = y * stride + x * bytes;
          if (bytes === 1) data[at] = Math.round(code);
          else data.writeUInt16LE(Math.round(code), at);
        }
      }
    }
    frame.pts = BigInt(Math.round(seconds * MILLISECONDS));
    yield frame;
  }
}

function* soundFrames({ channels, durationSeconds, sample }: OddSound): Generator<Frame> {
  for (let start = 0; start < durationSeconds * SAMPLE_RATE; start += AAC_FRAME) {
    const frame = new Frame();
    frame.alloc();
    frame.format = AV_SAMPLE_FMT_FLTP;
    frame.nbSamples = AAC_FRAME;
    frame.sampleRate = SAMPLE_RATE;
    frame.channelLayout = LAYOUTS[channels];
    check(frame.getBuffer());
    for (const plane of frame.extendedData!) {
      const samples = new Float32Array(plane.buffer, plane.byteOffset, AAC_FRAME);
      for (let n = 0; n < AAC_FRAME; n++) samples[n] = sample((start + n) / SAMPLE_RATE);
    }
    frame.pts = BigInt(start);
    yield frame;
  }
}
