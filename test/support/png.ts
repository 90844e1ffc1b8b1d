import { crc32, inflateSync } from 'node:zlib';
import type { Picture } from '../../src/domain/footage.ts';

/** The pixels of a PNG of 8-bit RGB without interlacing: what our encoder writes (ISO/IEC 15948). */
export function decodePng(png: Buffer): Picture {
  const data: Buffer[] = [];
  let [width, height] = [0, 0];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (type === 'IHDR') [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
    if (type === 'IDAT') data.push(body);
  }
  const raw = inflateSync(Buffer.concat(data));
  const row = width * 3;
  const out = new Uint8Array(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const left = x < 3 ? 0 : out[y * row + x - 3];
      const above = y === 0 ? 0 : out[(y - 1) * row + x];
      const corner = x < 3 || y === 0 ? 0 : out[(y - 1) * row + x - 3];
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      out[y * row + x] = raw[y * (row + 1) + 1 + x] + guess;
    }
  }
  return { width, height, channels: 3, data: out };
}

function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs) as [
    number,
    number,
    number,
  ];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
