import { readFileSync, writeFileSync } from 'node:fs';

/** a, b, c and d of a display matrix: x′ = a·x + c·y, y′ = b·x + d·y (ISO 14496-12, section 8.5.2). */
export type Matrix = readonly [a: number, b: number, c: number, d: number];

/** In a track header of version 0 the matrix begins so many bytes after the box's type. */
const MATRIX_AFTER_TYPE = 44;

/** Writes the matrix into the first track of an MP4 file. */
export function setDisplayMatrix(path: string, matrix: Matrix): void {
  const bytes = readFileSync(path);
  const start = bytes.indexOf('tkhd', 0, 'latin1') + MATRIX_AFTER_TYPE;
  for (const [index, value] of matrix.entries())
    bytes.writeInt32BE(Math.round(value * 0x10000), start + 4 * [0, 1, 3, 4][index]);
  writeFileSync(path, bytes);
}
