/** Contact sheets for inspection: PNG, without a second compression. */
import { writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const GAP = 6;
const CELL_HEIGHT = 270;

/** Writes rows of pictures, each scaled to one height. */
export function writeSheet(path: string, rows: readonly (readonly Rgb[])[]): void {
  const cells = rows.map((row) => row.map(atHeight));
  const width = Math.max(...cells.map((row) => row.reduce((sum, cell) => sum + cell.width + GAP, -GAP)));
  const height = cells.length * (CELL_HEIGHT + GAP) - GAP;
  const sheet = new Uint8Array(width * height * 3).fill(128);
  for (const [index, row] of cells.entries()) {
    let left = 0;
    for (const cell of row) {
      for (let y = 0; y < cell.height; y++) {
        const to = ((index * (CELL_HEIGHT + GAP) + y) * width + left) * 3;
        sheet.set(cell.rgb.subarray(y * cell.width * 3, (y + 1) * cell.width * 3), to);
      }
      left += cell.width + GAP;
    }
  }
  writePng(path, { width, height, rgb: sheet });
}

function atHeight({ width, height, rgb }: Rgb): Rgb {
  const scaledWidth = Math.round((width * CELL_HEIGHT) / height);
  const out = new Uint8Array(scaledWidth * CELL_HEIGHT * 3);
  for (let y = 0, at = 0; y < CELL_HEIGHT; y++) {
    const row = Math.floor((y * height) / CELL_HEIGHT) * width;
    for (let x = 0; x < scaledWidth; x++, at += 3) {
      const from = (row + Math.floor((x * width) / scaledWidth)) * 3;
      out.set(rgb.subarray(from, from + 3), at);
    }
  }
  return { width: scaledWidth, height: CELL_HEIGHT, rgb: out };
}

/** 8-bit RGB without filters (W3C, Portable Network Graphics, third edition). */
export function writePng(path: string, { width, height, rgb }: Rgb): void {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++)
    rows.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), y * (width * 3 + 1) + 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 3 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  writeFileSync(path, Buffer.concat([signature, ...chunks]));
}

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length, 0);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, data.length + 8)), data.length + 8);
  return out;
}
