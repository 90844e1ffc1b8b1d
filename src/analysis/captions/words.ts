import type { TextPiece } from './judge.ts';

/** Correlation of the ink of their columns from which two sightings are of the same words; .5 to .9 were tried. */
const SAME_WORDS = 0.5;

export function haveSameWords(a: Pick<TextPiece, 'columns'>, b: Pick<TextPiece, 'columns'>): boolean {
  return correlation(a.columns, b.columns) >= SAME_WORDS;
}

/** Of two rows of numbers laid over each other, the longer one shrunk to the length of the other. */
function correlation(a: Uint16Array, b: Uint16Array): number {
  const count = Math.min(a.length, b.length);
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const one = a[Math.floor(((i + 0.5) * a.length) / count)];
    const other = b[Math.floor(((i + 0.5) * b.length) / count)];
    sumA += one;
    sumB += other;
    squaresA += one * one;
    squaresB += other * other;
    products += one * other;
  }
  const spread = (count * squaresA - sumA * sumA) * (count * squaresB - sumB * sumB);
  return spread > 0 ? (count * products - sumA * sumB) / Math.sqrt(spread) : 0;
}
