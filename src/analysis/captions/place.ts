import type { Box } from '../facts.ts';

const PLACE = {
  /** Captions share a line: largest distance of their tops, middles or bottoms, in line heights … */
  offLine: 0.37,
  /** … and of their middles or left ends, in widths of the picture. */
  offAcross: 0.06,
  /** Largest ratio of heights of one type: letters without ascenders are lower. */
  heightRatio: 1.8,
} as const;

interface Placed {
  readonly box: Box;
  readonly piece: { readonly lineHeight: number };
}

/** Whether two texts of like type are in one place: line below line, centered or left-aligned. */
export function sharesLine(a: Placed, b: Placed): boolean {
  if (!isLikeType(a.piece, b.piece)) return false;
  const off = PLACE.offLine * Math.max(a.piece.lineHeight, b.piece.lineHeight);
  const top = Math.abs(a.box.y - b.box.y);
  const bottom = Math.abs(a.box.y + a.box.height - b.box.y - b.box.height);
  if (Math.min(top, bottom, Math.abs(a.box.y + a.box.height / 2 - b.box.y - b.box.height / 2)) > off)
    return false;
  const middles = Math.abs(a.box.x + a.box.width / 2 - b.box.x - b.box.width / 2);
  return Math.min(middles, Math.abs(a.box.x - b.box.x)) <= PLACE.offAcross;
}

export function isLikeType(a: { readonly lineHeight: number }, b: { readonly lineHeight: number }): boolean {
  const ratio = a.lineHeight / b.lineHeight;
  return ratio <= PLACE.heightRatio && ratio * PLACE.heightRatio >= 1;
}
