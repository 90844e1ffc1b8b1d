import type { Picture } from '../../src/domain/footage.ts';

/** A few capital letters in a 5×7 grid, rows from the top, the highest bit on the left. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  E: [31, 16, 16, 30, 16, 16, 31],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  L: [16, 16, 16, 16, 16, 16, 31],
  M: [17, 27, 21, 21, 17, 17, 17],
  N: [17, 25, 21, 19, 17, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  R: [30, 17, 17, 30, 20, 18, 17],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
};

export interface Lettering {
  readonly text: string;
  /** Side of a glyph's dot in pixels: letters are 7 dots high. */
  readonly dot: number;
  readonly middleX: number;
  readonly top: number;
  readonly level: number;
  /** Level of the outline, a dot wide; null for none. */
  readonly outline: number | null;
}

/** Writes text into a picture, in place. */
export function writeText(picture: Picture, lettering: Lettering): void {
  const { text, dot, middleX, top, level, outline } = lettering;
  const left = Math.round(middleX - (text.length * 6 * dot) / 2);
  const dots: [number, number][] = [];
  for (const [index, letter] of [...text].entries()) {
    for (const [row, bits] of (GLYPHS[letter] ?? []).entries()) {
      for (let column = 0; column < 5; column++) {
        if ((bits >> (4 - column)) & 1) dots.push([left + (index * 6 + column) * dot, top + row * dot]);
      }
    }
  }
  const border = Math.max(2, dot >> 1);
  if (outline !== null)
    for (const [x, y] of dots) fill(picture, x - border, y - border, dot + 2 * border, outline);
  for (const [x, y] of dots) fill(picture, x, y, dot, level);
}

function fill(picture: Picture, left: number, top: number, side: number, level: number): void {
  for (let y = Math.max(0, top); y < Math.min(picture.height, top + side); y++) {
    picture.data.fill(level, y * picture.width + left, y * picture.width + left + side);
  }
}
