import type { TextPiece } from './judge.ts';

/** Least correlation of the column ink of two detections of the same words; .5 to .9 were tried. */
const SAME_WORDS = 0.5;

type Words = Pick<TextPiece, 'columns'>;
type PlacedWords = Pick<TextPiece, 'box' | 'bright' | 'columns'>;

/** Compares words in any position; the longer ones are scaled to the length of the others. */
export function haveSameWords(a: Words, b: Words): boolean {
  const count = Math.min(a.columns.length, b.columns.length);
  const shrunk = ({ columns }: Words): Row => ({ columns, start: 0, step: columns.length / count });
  return correlation(count, shrunk(a), shrunk(b)) >= SAME_WORDS;
}

/**
 * Groups the detections of each text. The background of a static text changes with the shots, so the text is
 * lost and found again. Its ink is then in the same columns of the picture.
 */
export function detectionsOf<Text extends { readonly piece: PlacedWords }>(texts: readonly Text[]): Text[][] {
  const each: Text[][] = [];
  for (const text of texts) {
    const again = each.find((detections) => detections.some(({ piece }) => isAtSamePlace(piece, text.piece)));
    if (again === undefined) each.push([text]);
    else again.push(text);
  }
  return each;
}

function isAtSamePlace(a: PlacedWords, b: PlacedWords): boolean {
  const shared = Math.min(a.box.y + a.box.height, b.box.y + b.box.height) - Math.max(a.box.y, b.box.y);
  if (a.bright !== b.bright || shared <= 0) return false;
  const apart = Math.round(((b.box.x - a.box.x) * a.columns.length) / a.box.width);
  const first = Math.min(0, apart);
  const count = Math.max(a.columns.length, apart + b.columns.length) - first;
  const from = (columns: Uint16Array, start: number): Row => ({ columns, start, step: 1 });
  return correlation(count, from(a.columns, first), from(b.columns, first - apart)) >= SAME_WORDS;
}

/** Numbers read at every `step` from `start`; beyond the ends there is no ink. */
interface Row {
  readonly columns: Uint16Array;
  readonly start: number;
  readonly step: number;
}

function correlation(count: number, a: Row, b: Row): number {
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const one = inkAt(a, i);
    const other = inkAt(b, i);
    sumA += one;
    sumB += other;
    squaresA += one * one;
    squaresB += other * other;
    products += one * other;
  }
  const spread = (count * squaresA - sumA * sumA) * (count * squaresB - sumB * sumB);
  return spread > 0 ? (count * products - sumA * sumB) / Math.sqrt(spread) : 0;
}

function inkAt({ columns, start, step }: Row, i: number): number {
  const at = start + Math.floor((i + 0.5) * step);
  return at >= 0 && at < columns.length ? columns[at] : 0;
}
