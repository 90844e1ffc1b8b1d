import type { StageOutcome, StageWork } from '../../domain/stage.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { ClipChild } from '../engine/clip-child.ts';
import type { MediaEngine } from '../engine/engine.ts';
import type { ResultStore, RetryWhileStorageDown } from './results.ts';

/** What everything that a stage is made of works with: in a service, and in a `DirectContext` on files at hand. */
export interface WorkTools {
  readonly engine: MediaEngine;
  /** Clips and caption files. */
  readonly blobs: Pick<BlobStore, 'head' | 'get' | 'localPath'>;
  readonly results: ResultStore;
  /** For each use of `blobs`: what a stage has made shall not be lost because the store is away for a moment. */
  readonly retryWhileStorageDown: RetryWhileStorageDown;
  /** For what is done with the source, where one child does all of it; left out: each task has its own. */
  readonly sourceChild?: ClipChild;
}

/** What the stages of a service work with: they also store what a job leaves. */
export interface StageTools extends WorkTools {
  readonly blobs: BlobStore;
  /** Long outputs are rendered in segments of about this long, by all workers that have nothing else to do. */
  readonly segmentSeconds: number;
}

/** One stage: does its work, keeps its result, says what a client should know. */
export type Stage = (tools: StageTools, work: StageWork) => Promise<StageOutcome>;

export const NO_WARNINGS: StageOutcome = { warnings: [] };

/** One progress of works that go on at the same time, each as much of it as its weight. */
export function progressTogether(
  onProgress: (fraction: number) => void,
  weights: readonly number[],
): ((fraction: number) => void)[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const reached = weights.map(() => 0);
  return weights.map((weight, index) => (fraction) => {
    reached[index] = weight * fraction;
    onProgress(reached.reduce((sum, part) => sum + part, 0) / total);
  });
}

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
