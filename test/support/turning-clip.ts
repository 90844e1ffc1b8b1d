/** Clips whose pictures change size, shape or pixel aspect within the stream: Motion JPEG in AVI, whose pictures have their own headers. */
import { AV_CODEC_ID_MJPEG, AV_PKT_FLAG_KEY, AVMEDIA_TYPE_VIDEO } from 'node-av/constants';
import { FormatContext, Packet, Rational } from 'node-av/lib';
import type { Size } from '../../src/domain/footage.ts';
import { encodeImage } from './image.ts';
import { check, finish } from './remux.ts';

export interface Part {
  readonly size: Size;
  readonly frames: number;
  /** Width over height of a pixel; left out: none in the header. */
  readonly pixelAspect?: readonly [number, number];
  readonly colorAt: (x: number, y: number) => readonly [number, number, number];
}

/** JFIF 1.02: after the name: two bytes of version, one of unit (0: none, an aspect), two of density across, two down. */
const JFIF = Buffer.from('JFIF\0', 'latin1');

/** Ten frames a second, no sound. */
export async function writeTurningClip(path: string, parts: readonly Part[]): Promise<string> {
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'avi', path));
  const stream = output.newStream(null);
  stream.timeBase = new Rational(1, 10);
  stream.avgFrameRate = new Rational(10, 1);
  Object.assign(stream.codecpar, {
    codecType: AVMEDIA_TYPE_VIDEO,
    codecId: AV_CODEC_ID_MJPEG,
    ...parts[0].size,
  });
  check(await output.openOutput());
  check(await output.writeHeader());
  const packet = new Packet();
  packet.alloc();
  let number = 0n;
  for (const part of parts) {
    const jpeg = await encodeImage('jpeg', part.size, part.colorAt);
    for (let frame = 0; frame < part.frames; frame++, number++) {
      packet.data = withAspect(jpeg, part.pixelAspect);
      Object.assign(packet, {
        streamIndex: 0,
        pts: number,
        dts: number,
        duration: 1n,
        flags: AV_PKT_FLAG_KEY,
      });
      check(output.interleavedWriteFrameSync(packet));
      packet.unref();
    }
  }
  await finish(output, packet);
  return path;
}

/** In a JFIF header of its own, after the start of the image, where none is. */
function withAspect(jpeg: Buffer, aspect: Part['pixelAspect']): Buffer {
  if (aspect === undefined) return jpeg;
  const [across, down] = aspect;
  const found = jpeg.indexOf(JFIF);
  const header = Buffer.concat([
    Buffer.from([0xff, 0xe0, 0, 16]),
    JFIF,
    Buffer.from([1, 2, 0, 0, 0, 0, 0, 0, 0]),
  ]);
  const bytes =
    found < 0 ? Buffer.concat([jpeg.subarray(0, 2), header, jpeg.subarray(2)]) : Buffer.from(jpeg);
  const at = bytes.indexOf(JFIF) + JFIF.length + 2;
  bytes[at] = 0;
  bytes.writeUInt16BE(across, at + 1);
  bytes.writeUInt16BE(down, at + 3);
  return bytes;
}
