/** Animated GIF, WebP and PNG, byte by byte. */
import { deflateSync } from 'node:zlib';
import type { Size } from '../../src/domain/footage.ts';
import { encodeImage } from './image.ts';
import { pngChunk } from './png.ts';

export interface AnimationPicture {
  readonly delaySeconds: number;
  /** RGB and alpha, 0..255; GIF has alpha 0 and 255 only. */
  readonly colorAt: (x: number, y: number) => readonly [number, number, number, number];
}

/** A GIF89a of one color table, whose pictures are erased after their time. Its data are not compressed. */
export function gifOf({ width, height }: Size, pictures: readonly AnimationPicture[]): Buffer {
  /** Color 0 is the transparent one; its entry is white. */
  const table = [0xffffff];
  const parts = pictures.map(({ delaySeconds, colorAt }) => {
    const pixels = Array.from({ length: width * height }, (_, at) => {
      const [red, green, blue, alpha] = colorAt(at % width, Math.floor(at / width));
      if (alpha === 0) return 0;
      const color = (red << 16) | (green << 8) | blue;
      if (!table.includes(color, 1)) table.push(color);
      return table.indexOf(color, 1);
    });
    const control = [0x21, 0xf9, 4, (2 << 2) | 1, ...short(Math.round(100 * delaySeconds)), 0, 0];
    const description = [0x2c, ...short(0), ...short(0), ...short(width), ...short(height), 0];
    return Buffer.concat([Buffer.from([...control, ...description, CODE_BITS - 1]), dataBlocks(pixels)]);
  });
  const colors = Buffer.alloc(3 * 256);
  for (const [index, color] of table.entries()) colors.writeUIntBE(color, 3 * index, 3);
  const screen = Buffer.from([...short(width), ...short(height), 0xf7, 0, 0]);
  return Buffer.concat([Buffer.from('GIF89a', 'latin1'), screen, colors, ...parts, Buffer.from([0x3b])]);
}

const CODE_BITS = 9;
const CLEAR = 256;
const END = 257;
/** With a cleared table in time, codes keep their length (GIF89a, appendix F). */
const CODES_BEFORE_CLEAR = 250;

function dataBlocks(pixels: readonly number[]): Buffer {
  const codes = pixels.flatMap((pixel, at) => (at % CODES_BEFORE_CLEAR === 0 ? [CLEAR, pixel] : [pixel]));
  const bytes = Buffer.alloc(Math.ceil(((codes.length + 1) * CODE_BITS) / 8));
  for (const [index, code] of [...codes, END].entries()) {
    const bit = index * CODE_BITS;
    const shifted = code << (bit % 8);
    bytes[bit >> 3]! |= shifted & 255;
    bytes[(bit >> 3) + 1]! |= shifted >> 8;
  }
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}

/** An animation of whole, lossless pictures that are not blended (RFC 9649, section 2.7.1). */
export async function animatedWebpOf(size: Size, pictures: readonly AnimationPicture[]): Promise<Buffer> {
  const extended = Buffer.alloc(10);
  extended[0] = 0x12;
  extended.writeUIntLE(size.width - 1, 4, 3);
  extended.writeUIntLE(size.height - 1, 7, 3);
  const chunks = [chunk('VP8X', extended), chunk('ANIM', Buffer.alloc(6))];
  for (const { delaySeconds, colorAt } of pictures) {
    const head = Buffer.alloc(16);
    head.writeUIntLE(size.width - 1, 6, 3);
    head.writeUIntLE(size.height - 1, 9, 3);
    head.writeUIntLE(Math.round(1000 * delaySeconds), 12, 3);
    head[15] = 2;
    const still = await encodeImage('webp', size, colorAt, 4);
    chunks.push(chunk('ANMF', Buffer.concat([head, lossless(still)])));
  }
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]));
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** An animation of whole pictures that are cleared after their time and not blended (PNG, third edition, section 11.3.6). */
export function animatedPngOf({ width, height }: Size, pictures: readonly AnimationPicture[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const control = Buffer.alloc(8);
  control.writeUInt32BE(pictures.length, 0);
  let sequence = 0;
  const frames = pictures.flatMap(({ delaySeconds, colorAt }, index) => {
    const frame = Buffer.alloc(26);
    frame.writeUInt32BE(sequence++, 0);
    frame.writeUInt32BE(width, 4);
    frame.writeUInt32BE(height, 8);
    frame.writeUInt16BE(Math.round(1000 * delaySeconds), 20);
    frame.writeUInt16BE(1000, 22);
    frame[24] = 1;
    const lines = Array.from({ length: height }, (_, y) => [
      0,
      ...Array.from({ length: width }, (__, x) => colorAt(x, y)).flat(),
    ]);
    const pixels = deflateSync(Buffer.from(lines.flat()));
    if (index === 0) return [pngChunk('fcTL', frame), pngChunk('IDAT', pixels)];
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return [pngChunk('fcTL', frame), pngChunk('fdAT', Buffer.concat([number, pixels]))];
  });
  const chunks = [pngChunk('IHDR', header), pngChunk('acTL', control), ...frames];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, pngChunk('IEND', Buffer.alloc(0))]);
}

/** The chunk of the pixels. */
function lossless(webp: Buffer): Buffer {
  return webp.subarray(webp.indexOf('VP8L', 0, 'latin1'));
}

function chunk(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, body, Buffer.alloc(body.length % 2)]);
}

function short(value: number): number[] {
  return [value & 255, value >> 8];
}
