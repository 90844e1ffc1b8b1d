/** Clips as cameras and converters write them, and as `drawn-clip.ts` does not: ten bits, fields, uneven times, any sound. */
import {
  AV_CHANNEL_LAYOUT_5POINT1,
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_INTERLACED_DCT,
  AV_DISPOSITION_DEFAULT,
  AV_FRAME_FLAG_INTERLACED,
  AV_FRAME_FLAG_TOP_FIELD_FIRST,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AV_PIX_FMT_YUV444P,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  type AVPixelFormat,
} from 'node-av/constants';
import { FormatContext, Frame, Rational } from 'node-av/lib';
import { allocateEncoder, type Encoder, openEncoder } from '../../src/media/encode/stream-encoder.ts';
import { check } from './remux.ts';

export interface OddClip {
  /** FFmpeg's name of the container. Default Matroska. Ogg has VP8 and Opus, the others H.264 and AAC. */
  readonly container?: string;
  readonly width: number;
  readonly height: number;
  /** Default 4:2:0 of 8 bits. Odd sizes need 4:4:4. */
  readonly format?: AVPixelFormat;
  /** Top field first. */
  readonly interlaced?: boolean;
  /** When each frame is shown. */
  readonly timesSeconds: readonly number[];
  /** Luma 0..1; without color. */
  readonly luma: (x: number, y: number, frame: number) => number;
  /** The first is marked as default. */
  readonly audioStreams: readonly OddAudio[];
}

export interface OddAudio {
  readonly channels: 1 | 2 | 6;
  /** Default 48 kHz. */
  readonly sampleRate?: number;
  readonly durationSeconds: number;
  readonly sample: (seconds: number) => number;
}

const LAYOUTS = { 1: AV_CHANNEL_LAYOUT_MONO, 2: AV_CHANNEL_LAYOUT_STEREO, 6: AV_CHANNEL_LAYOUT_5POINT1 };
const SAMPLE_RATE = 48_000;
const AAC_FRAME = 1024;
const OPUS_FRAME = 960;
const MILLISECONDS = 1000;

export async function writeOddClip(path: string, clip: OddClip): Promise<string> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, clip.container ?? 'matroska', path));
  using picture = await videoEncoder(output, clip);
  const voices: Encoder[] = [];
  for (const audio of clip.audioStreams) voices.push(await audioEncoder(output, audio, isOgg(clip)));
  if (voices.length > 0) output.streams[1].disposition = AV_DISPOSITION_DEFAULT;
  check(await output.openOutput());
  check(await output.writeHeader());
  encode(picture, pictures(clip));
  for (const [at, voice] of voices.entries()) {
    encode(voice, audioFrames(clip.audioStreams[at], frameSizeOf(clip)));
    voice[Symbol.dispose]();
  }
  check(await output.writeTrailer());
  await output.closeOutput();
  output.freeContext();
  return path;
}

const isOgg = ({ container }: OddClip) => container === 'ogg';
const frameSizeOf = (clip: OddClip) => (isOgg(clip) ? OPUS_FRAME : AAC_FRAME);

/** Names that the program itself does not use. */
function encoderOf(name: 'libx264' | 'aac' | 'libvpx' | 'libopus') {
  return allocateEncoder(name as 'libx264');
}

function videoEncoder(output: FormatContext, clip: OddClip) {
  const { width, height, format, interlaced } = clip;
  const codec = encoderOf(isOgg(clip) ? 'libvpx' : 'libx264');
  const { context } = codec;
  context.width = width;
  context.height = height;
  context.pixelFormat = format ?? AV_PIX_FMT_YUV420P;
  context.timeBase = new Rational(1, MILLISECONDS);
  if (interlaced === true) context.setFlags(AV_CODEC_FLAG_INTERLACED_DCT);
  return openEncoder(output, codec, { preset: 'veryfast', crf: '16' }, context.timeBase);
}

function audioEncoder(
  output: FormatContext,
  { channels, sampleRate = SAMPLE_RATE }: OddAudio,
  isOpus: boolean,
) {
  const codec = encoderOf(isOpus ? 'libopus' : 'aac');
  const { context } = codec;
  context.sampleFormat = isOpus ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP;
  context.sampleRate = sampleRate;
  context.channelLayout = LAYOUTS[channels];
  context.timeBase = new Rational(1, sampleRate);
  return openEncoder(output, codec, {}, context.timeBase);
}

function encode(encoder: Encoder, frames: Iterable<Frame>): void {
  for (const frame of frames) {
    encoder.send(frame);
    frame.free();
  }
  encoder.send(null);
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
      const stride = frame.linesize[plane];
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

function* audioFrames(
  { channels, sampleRate = SAMPLE_RATE, durationSeconds, sample }: OddAudio,
  frameSize: number,
): Generator<Frame> {
  for (let start = 0; start < durationSeconds * sampleRate; start += frameSize) {
    const frame = new Frame();
    frame.alloc();
    // Opus takes interleaved samples.
    frame.format = frameSize === OPUS_FRAME ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP;
    frame.nbSamples = frameSize;
    frame.sampleRate = sampleRate;
    frame.channelLayout = LAYOUTS[channels];
    check(frame.getBuffer());
    const planes = frame.extendedData!;
    const inOne = channels / planes.length;
    for (const plane of planes) {
      const samples = new Float32Array(plane.buffer, plane.byteOffset, frameSize * inOne);
      for (let n = 0; n < samples.length; n++)
        samples[n] = sample((start + Math.floor(n / inOne)) / sampleRate);
    }
    frame.pts = BigInt(start);
    yield frame;
  }
}
