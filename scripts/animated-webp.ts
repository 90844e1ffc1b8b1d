import { AV_PIX_FMT_BGRA } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, Packet, Rational } from 'node-av/lib';
import type { Picture, Size } from '../src/domain/footage.ts';

export interface Animation extends Size {
  readonly framesPerSecond: number;
  /** 0 to 100, as libwebp counts it. */
  readonly quality: number;
}

/** An animated WebP that plays in a loop. All frames have the animation's size. */
export async function encodeAnimation(frames: readonly Picture[], animation: Animation): Promise<Buffer> {
  const { width, height, framesPerSecond, quality } = animation;
  const codec = Codec.findEncoderByName('libwebp_anim' as Parameters<typeof Codec.findEncoderByName>[0])!;
  const context = new CodecContext();
  context.allocContext3(codec);
  const timeBase = new Rational(1, framesPerSecond);
  Object.assign(context, { width, height, pixelFormat: AV_PIX_FMT_BGRA, timeBase });
  const options = Dictionary.fromObject({ quality: String(quality), compression_level: '6' });
  const packet = new Packet();
  packet.alloc();
  try {
    if ((await context.open2(codec, options)) < 0)
      throw new Error('This FFmpeg build has no encoder for WebP');
    for (const [index, picture] of frames.entries()) {
      using frame = frameOf(picture);
      frame.pts = BigInt(index);
      if (context.sendFrameSync(frame) < 0) throw new Error(`Frame ${index} could not be encoded`);
    }
    context.sendFrameSync(null);
    // The encoder gives the whole file at once.
    if (context.receivePacketSync(packet) < 0) throw new Error('The animation could not be written');
    return Buffer.from(packet.data!);
  } finally {
    options.free();
    packet.free();
    context.freeContext();
  }
}

function frameOf({ width, height, data }: Picture): Frame {
  const frame = new Frame();
  frame.alloc();
  Object.assign(frame, { format: AV_PIX_FMT_BGRA, width, height });
  frame.getBuffer();
  const [pixels] = frame.data as [Buffer];
  const [stride] = frame.linesize as [number];
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = y * stride; x < width; x++, from += 3, to += 4) {
      pixels[to] = data[from + 2];
      pixels[to + 1] = data[from + 1];
      pixels[to + 2] = data[from];
      pixels[to + 3] = 255;
    }
  }
  return frame;
}
