import type { StageOutcome, StageWork } from '../stage.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { MediaEngine } from './engine.ts';
import type { Patiently, Results } from './results.ts';

/** What the stages work with; made once by `compose.ts`. */
export interface StageTools {
  readonly engine: MediaEngine;
  readonly blobs: BlobStore;
  readonly results: Results;
  /** For each use of `blobs`: what a stage has made shall not be lost because the store is away for a moment. */
  readonly patiently: Patiently;
}

/** One stage: does its work, keeps its result, says what a client should know. */
export type Stage = (tools: StageTools, work: StageWork) => Promise<StageOutcome>;

export const NO_WARNINGS: StageOutcome = { warnings: [] };

/** Splits one progress into consecutive parts of the given weights. */
export function progressParts(
  onProgress: (fraction: number) => void,
  weights: readonly number[],
): ((fraction: number) => void)[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let before = 0;
  return weights.map((weight) => {
    const start = before;
    before += weight;
    return (fraction) => onProgress((start + weight * fraction) / total);
  });
}
