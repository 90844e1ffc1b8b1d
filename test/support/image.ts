import { AV_PIX_FMT_RGB24, AV_PIX_FMT_RGBA } from 'node-av/constants';
import { Codec, CodecContext, Dictionary, Frame, Packet, Rational } from 'node-av/lib';
import { LinearGraph } from '../../src/media/av/graph.ts';
import { encodeJpeg } from '../../src/media/read/still.ts';

export type ImageKind = 'jpeg' | 'png' | 'webp';

const ENCODERS = {
  png: { codec: 'png', filters: 'copy', options: {} },
  webp: { codec: 'libwebp', filters: 'format=bgra', options: { lossless: '1' } },
} as const;
/** BT.601, full range (ITU-T T.871, section 7). */
const JPEG_FILTERS = 'scale=out_color_matrix=bt601:out_range=full';

/** An image file's bytes. `colorAt` gives RGB, 0..255, or RGB and alpha if `channels` is 4. */
export async function encodeImage(
  kind: ImageKind,
  { width, height }: { readonly width: number; readonly height: number },
  colorAt: (x: number, y: number) => readonly number[],
  channels: 3 | 4 = 3,
): Promise<Buffer> {
  using picture = new Frame();
  picture.alloc();
  Object.assign(picture, { format: channels === 3 ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_RGBA, width, height });
  picture.getBuffer();
  // Into the frame's own memory: `fromBuffer` lends it that of a Buffer, which is collected while the encoder is opened.
  const [rgb] = picture.data as [Buffer];
  const [stride] = picture.linesize as [number];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rgb.set(colorAt(x, y), y * stride + channels * x);
  if (kind === 'jpeg') return await encodeJpeg(picture, JPEG_FILTERS, { best: 1, worst: 1 });
  const { codec: name, filters, options } = ENCODERS[kind];
  const stills: Frame[] = [];
  using graph = new LinearGraph('video', { num: 1, den: 1 }, () => filters);
  const keep = (frame: Frame) => {
    stills.push(frame.clone()!);
  };
  graph.push(picture, keep);
  graph.push(null, keep);
  using still = stills[0];
  return await encode(name, still, options);
}

async function encode(
  name: string,
  frame: Frame,
  options: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0])!;
  const context = new CodecContext();
  context.allocContext3(codec);
  const { width, height, colorRange } = frame;
  Object.assign(context, {
    width,
    height,
    colorRange,
    pixelFormat: frame.format,
    timeBase: new Rational(1, 25),
    threadCount: 1,
  });
  const dictionary = Dictionary.fromObject({ ...options });
  const packet = new Packet();
  packet.alloc();
  try {
    if ((await context.open2(codec, dictionary)) < 0) throw new Error(`no encoder ${name}`);
    const sent = context.sendFrameSync(frame);
    const received = context.receivePacketSync(packet);
    if (sent < 0 || received < 0) throw new Error(`${name}: ${sent}, ${received}`);
    return Buffer.from(packet.data!);
  } finally {
    dictionary.free();
    packet.free();
    context.freeContext();
  }
}

/** A JPEG with an orientation (Exif 2.32, tag 0112): 6 is to be turned a quarter clockwise. */
export function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM', 0, 'latin1');
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const marker = Buffer.from([0xff, 0xe1, (body.length + 2) >> 8, (body.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), marker, body, jpeg.subarray(2)]);
}
