import type { Evidence } from './metrical-hypothesis.ts';

/** Logarithmic odds up to a constant. */
export function scoreOf(evidence: Evidence, weights: Readonly<Record<string, number>>): number {
  return Object.entries(evidence).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);
}

/** Shares of the odds, which add up to 1. */
export function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - most));
  const total = odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => value / total);
}

/** Share of the odds of the candidates with this interval. */
export function shareOfInterval(
  shares: readonly number[],
  candidates: readonly { readonly interval: number }[],
  interval: number,
): number {
  return shares.reduce((sum, share, i) => sum + (candidates[i].interval === interval ? share : 0), 0);
}
