/** AVIF files as FFmpeg writes them, and HEIC files, of which it writes none. */
import { readFileSync } from 'node:fs';
import { AV_PIX_FMT_YUV420P } from 'node-av/constants';
import { FormatContext, type Frame, Rational } from 'node-av/lib';
import type { Size } from '../../src/domain/footage.ts';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { allocateEncoder, openEncoder } from '../../src/media/encode/stream-encoder.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { boxAt, boxesIn } from './mp4-boxes.ts';
import { check } from './remux.ts';

/** Writes grey pictures as AVIF, `levelAt` in codes of limited range: one still, or an animation at five a second. */
export async function writeAvif(
  path: string,
  { width, height }: Size,
  levelAt: (x: number, y: number) => number,
  frameCount = 1,
): Promise<string> {
  // The encoder writes about itself to the terminal.
  process.env['SVT_LOG'] = '0';
  const output = new FormatContext();
  check(output.allocOutputContext2(null, 'avif', path));
  const codec = allocateEncoder('libsvtav1' as Parameters<typeof allocateEncoder>[0]);
  const { context } = codec;
  Object.assign(context, { width, height, pixelFormat: AV_PIX_FMT_YUV420P });
  context.timeBase = new Rational(1, 5);
  context.framerate = new Rational(5, 1);
  using encoder = await openEncoder(output, codec, { preset: '12', crf: '20' }, context.timeBase);
  check(await output.openOutput());
  check(await output.writeHeader());
  for (let index = 0; index < frameCount; index++) {
    const frame = greyFrame(width, height, levelAt);
    frame.pts = BigInt(index);
    encoder.send(frame);
    frame.free();
  }
  encoder.send(null);
  check(await output.writeTrailer());
  await output.closeOutput();
  output.freeContext();
  return path;
}

function greyFrame(width: number, height: number, levelAt: (x: number, y: number) => number): Frame {
  const frame = emptyFrame(width, height);
  const [luma, ...chroma] = planesOf(frame);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) luma.data[y * luma.stride + x] = levelAt(x, y);
  for (const plane of chroma) plane.data.fill(128);
  return frame;
}

/**
 * The first picture of an HEVC clip in MP4 as HEIC; `type` of its item: `grid` is put together of others. `color`: body of a box `colr`
 * (ISO/IEC 14496-12, section 12.1.5); left out: none.
 */
export function heicOf(path: string, { width, height }: Size, type = 'hvc1', color?: Buffer): Buffer {
  const mp4 = readFileSync(path);
  const table = boxAt(mp4, 'moov/trak/mdia/minf/stbl');
  const sizes = boxAt(table, 'stsz');
  const picture = boxAt(mp4, 'mdat').subarray(0, sizes.readUInt32BE(4) || sizes.readUInt32BE(12));
  // A sample entry of video: 78 bytes, then its boxes.
  const [entry] = boxesIn(boxAt(table, 'stsd').subarray(8));
  const configuration = boxAt(entry!.body.subarray(78), 'hvcC');
  const numbers = (...bytes: number[]) => Buffer.from(bytes);
  const long = (value: number) => numbers(value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255);
  const box = (name: string, ...parts: (Buffer | string)[]) => {
    const body = Buffer.concat(
      parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    );
    return Buffer.concat([long(body.length + 8), Buffer.from(name, 'latin1'), body]);
  };
  const NOTHING = numbers(0, 0, 0, 0);
  const ftyp = box('ftyp', 'heic', NOTHING, 'mif1heic');
  const meta = (offset: number) =>
    box(
      'meta',
      NOTHING,
      box('hdlr', NOTHING, NOTHING, 'pict', Buffer.alloc(13)),
      box('pitm', NOTHING, numbers(0, 1)),
      box('iloc', NOTHING, numbers(0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1), long(offset), long(picture.length)),
      box('iinf', NOTHING, numbers(0, 1), box('infe', numbers(2, 0, 0, 0, 0, 1, 0, 0), type, '\0')),
      box(
        'iprp',
        box(
          'ipco',
          box('hvcC', configuration),
          box('ispe', NOTHING, long(width), long(height)),
          ...(color === undefined ? [] : [box('colr', color)]),
        ),
        box(
          'ipma',
          NOTHING,
          long(1),
          numbers(0, 1, ...(color === undefined ? [2, 0x81, 2] : [3, 0x81, 2, 3])),
        ),
      ),
    );
  const head = ftyp.length + meta(0).length + 8;
  return Buffer.concat([ftyp, meta(head), box('mdat', picture)]);
}
