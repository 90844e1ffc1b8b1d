import { writeFile } from 'node:fs/promises';
import {
  AV_PIX_FMT_RGB24,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  type AVPixelFormat,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, type Frame, Packet, Rational } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { LinearGraph } from '../av/graph.ts';

/** Range of FFmpeg's quantiser scale for JPEGs, 2 (best) to 31. */
export interface JpegQuality {
  readonly best: number;
  readonly worst: number;
}

export const POSTER_QUALITY: JpegQuality = { best: 3, worst: 5 };

/** From BT.709, limited range, to JPEG's BT.601, full range (ITU-T T.871, section 7). */
const TO_JPEG =
  'colorspace=ispace=bt709:space=smpte170m:irange=tv:range=pc:itrc=bt709:trc=bt709:iprimaries=bt709:primaries=bt709:format=yuv420p';

/** Rounding and full chroma; without them flat areas shift by a level. */
const PNG_SCALE = 'flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp';

/** Writes a BT.709 picture with even sides as a JPEG file of the same size. */
export async function writeJpeg(frame: Frame, path: string, quality = POSTER_QUALITY): Promise<void> {
  await writeFile(path, await encodeJpeg(frame, TO_JPEG, quality));
}

/** Writes a BT.709 picture of limited range as a PNG file. Only the conversion to RGB is lossy. */
export async function writePng(frame: Frame, path: string): Promise<void> {
  const filters = `scale=${PNG_SCALE}:in_color_matrix=bt709:in_range=limited:out_range=full,format=rgb24`;
  await writeFile(path, await encodeStill(frame, filters, { codec: 'png', pixelFormat: AV_PIX_FMT_RGB24 }));
}

/** Encodes one picture as a JPEG, after `filters`. */
export function encodeJpeg(frame: Frame, filters: string, quality: JpegQuality): Promise<Buffer> {
  return encodeStill(frame, `${filters},format=yuvj420p`, {
    codec: 'mjpeg',
    pixelFormat: AV_PIX_FMT_YUVJ420P,
    options: { qmin: String(quality.best), qmax: String(quality.worst) },
  });
}

interface StillCodec {
  readonly codec: 'mjpeg' | 'png';
  readonly pixelFormat: AVPixelFormat;
  readonly options?: Readonly<Record<string, string>>;
}

async function encodeStill(
  frame: Frame,
  filters: string,
  { codec: name, pixelFormat, options: settings = {} }: StillCodec,
): Promise<Buffer> {
  const stills: Frame[] = [];
  using graph = new LinearGraph('video', { num: 1, den: 1 }, () => filters);
  const keep = (out: Frame) => {
    const still = out.clone();
    if (still !== null) stills.push(still);
  };
  graph.push(frame, keep);
  graph.push(null, keep);
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0]);
  const still = stills[0];
  if (codec === null || still === undefined)
    throw new Failure('ENCODER_FAILED', 'The still could not be converted');
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = still.width;
  context.height = still.height;
  context.pixelFormat = pixelFormat;
  context.colorRange = AVCOL_RANGE_JPEG;
  context.timeBase = new Rational(1, 25);
  const options = Dictionary.fromObject(settings);
  const packet = new Packet();
  packet.alloc();
  try {
    const opened = await context.open2(codec, options);
    if (
      opened < 0 ||
      context.sendFrameSync(still) < 0 ||
      context.receivePacketSync(packet) < 0 ||
      packet.data === null
    ) {
      throw new Failure('ENCODER_FAILED', 'The still could not be encoded');
    }
    return Buffer.from(packet.data);
  } finally {
    options.free();
    packet.free();
    context.freeContext();
    for (const one of stills) one.free();
  }
}
