import { deflateSync } from 'node:zlib';
import { pngChunk } from './png.ts';

/** A picture of 16x16 pixels with compressed texts (PNG, 11.3.3.3) that take minutes to unpack: each 16 MiB of spaces. */
export function pngBomb(texts: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(16);
  header.writeUInt32BE(16, 4);
  // 8 bits, RGB.
  header.set([8, 2], 8);
  const text = Buffer.concat([Buffer.from('a\0\0', 'latin1'), deflateSync(Buffer.alloc(1 << 24, ' '))]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...Array.from({ length: texts }, () => pngChunk('zTXt', text)),
    pngChunk('IDAT', deflateSync(Buffer.alloc(16 * (1 + 16 * 3)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
