import { AV_CODEC_ID_MJPEG } from 'node-av/constants';
import { Codec, CodecContext, Frame, Packet } from 'node-av/lib';
import type { Picture } from '../../src/domain/footage.ts';

/** A JPEG's pixels, by the matrix of its standard: BT.601, full range (ITU-T T.871, section 7). */
export async function decodeJpeg(jpeg: Uint8Array): Promise<Picture> {
  const codec = Codec.findDecoder(AV_CODEC_ID_MJPEG)!;
  const context = new CodecContext();
  context.allocContext3(codec);
  const packet = new Packet();
  packet.alloc();
  packet.data = Buffer.from(jpeg);
  const frame = new Frame();
  frame.alloc();
  try {
    if ((await context.open2(codec)) < 0) throw new Error('no JPEG decoder');
    context.sendPacketSync(packet);
    context.sendPacketSync(null);
    if (context.receiveFrameSync(frame) < 0) throw new Error('not a JPEG');
    return toRgb(frame);
  } finally {
    frame.free();
    packet.free();
    context.freeContext();
  }
}

/** 4:2:0 only: what our encoder writes. */
function toRgb(frame: Frame): Picture {
  const { width, height } = frame;
  const [luma, blue, red] = frame.data as [Buffer, Buffer, Buffer];
  const [lumaStride, blueStride, redStride] = frame.linesize as [number, number, number];
  const data = new Uint8ClampedArray(width * height * 3);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += 3) {
      const level = luma[y * lumaStride + x];
      const cb = blue[(y >> 1) * blueStride + (x >> 1)] - 128;
      const cr = red[(y >> 1) * redStride + (x >> 1)] - 128;
      data[at] = level + 1.402 * cr;
      data[at + 1] = level - 0.344136 * cb - 0.714136 * cr;
      data[at + 2] = level + 1.772 * cb;
    }
  }
  return { width, height, channels: 3, data: new Uint8Array(data.buffer) };
}
