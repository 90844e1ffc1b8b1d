import type { Box } from '../facts.ts';

const PLACE = {
  /** Captions share a line: distance of their tops, middles or bottoms, in line heights … */
  offLine: 0.37,
  /** … and of their middles or left ends across, in widths of the picture. */
  offCentre: 0.06,
  offCentreSure: 0.16,
  offLeft: 0.015,
  /** Lines of one type: letters without ascenders are lower. */
  heightRatio: 1.8,
} as const;

interface Placed {
  readonly box: Box;
  readonly sure: boolean;
  readonly look: { readonly lineHeight: number };
}

/** Whether two texts of like type stand in one place: line under line, from the middle or from the left. */
export function sharesLine(a: Placed, b: Placed): boolean {
  if (!isLikeType(a.look, b.look)) return false;
  const off = PLACE.offLine * Math.max(a.look.lineHeight, b.look.lineHeight);
  const top = Math.abs(a.box.y - b.box.y);
  const bottom = Math.abs(a.box.y + a.box.height - b.box.y - b.box.height);
  if (Math.min(top, bottom, Math.abs(a.box.y + a.box.height / 2 - b.box.y - b.box.height / 2)) > off)
    return false;
  // Of a text that stood for long a part may have been missed, but hardly its place.
  return isAligned(a.box, b.box) || (a.sure && b.sure && offCentre(a.box, b.box) <= PLACE.offCentreSure);
}

/** The largest share of the texts whose tops, middles or bottoms lie on one line, by the usual height of their lines. */
export function shareOnOneLine(texts: readonly Placed[]): number {
  const off = PLACE.offLine * median(texts.map(({ look }) => look.lineHeight));
  const ends = [0, 0.5, 1].map((part) => texts.map(({ box }) => box.y + part * box.height));
  const shares = ends.map((heights) => {
    const line = median(heights);
    return heights.filter((height) => Math.abs(height - line) <= off).length / texts.length;
  });
  return Math.max(...shares);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

export function isAligned(a: Box, b: Box): boolean {
  return offCentre(a, b) <= PLACE.offCentre || Math.abs(a.x - b.x) <= PLACE.offLeft;
}

function offCentre(a: Box, b: Box): number {
  return Math.abs(a.x + a.width / 2 - b.x - b.width / 2);
}

export function isLikeType(a: { readonly lineHeight: number }, b: { readonly lineHeight: number }): boolean {
  const ratio = a.lineHeight / b.lineHeight;
  return ratio <= PLACE.heightRatio && ratio * PLACE.heightRatio >= 1;
}
